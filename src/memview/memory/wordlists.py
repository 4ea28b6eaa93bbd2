"""Words that :mod:`memview.memory.likeness` knows: those that say nothing, and those that turn a meaning around."""

from __future__ import annotations

_FILLERS = (
    "a an the this that these those is are be been being am has have do does it its of in on at and as also really "
    "very just quite actually basically there each every currently their own st nd rd th"
)
FILLERS = frozenset(_FILLERS.split())
"""Words whose absence changes nothing that is compared. ``was``, ``to``, ``from``, ``only`` are not among them."""

_NEGATIONS = (
    "not no never none nobody nothing neither nor nowhere cannot without hardly rarely seldom barely scarcely false "
    "wrong untrue unless except maybe perhaps might if formerly former stopped quit off out dont doesnt didnt isnt "
    "arent wasnt werent wont cant couldnt shouldnt wouldnt havent hasnt hadnt aint mustnt neednt "
    "nicht kein keine keiner keines keinen keinem nie niemals nichts ohne ne pas jamais aucun aucune rien sans nunca "
    "jamás sin nada ningún ninguna ninguno non mai senza não sem nao niet geen nooit inte aldrig değil не нет ни "
    "никогда без 不 沒 没 未 無 无 非 別 别 勿 莫 ぬ 안 않 없 못"
)
NEGATIONS = frozenset(_NEGATIONS.split())
"""Words that take back or limit what is said, in several languages."""

_MONTHS = "january february march april may june july august september october november december"
_MOMENTS = (
    "today yesterday tomorrow tonight last next ago morning afternoon evening night noon midnight spring summer autumn "
    "fall winter daily weekly monthly yearly annually hourly biweekly am pm"
)
DATES = (
    {word: word for word in _MOMENTS.split()}
    | {month: month for month in _MONTHS.split()}
    | {month[:3]: month for month in _MONTHS.split()}
    | {"sept": "september"}
)
"""Words that place something in time, by what they mean."""

_DAYS = "monday tuesday wednesday thursday friday saturday sunday weekday weekend"
WEEKDAYS = (
    {day: day for day in _DAYS.split()}
    | {f"{day}s": day for day in _DAYS.split()}
    | {day[:3]: day for day in _DAYS.split() if day[:3] != "wee"}
    | {"tues": "tuesday", "thur": "thursday", "thurs": "thursday"}
)
"""Weekdays by their spellings."""

_LARGE = "may march mar fall dec jan jun oct mon sat sun wed"
LARGE = frozenset(_LARGE.split())
"""Words that are a date or a weekday only where they are written with a capital."""

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth"
NUMBERS = (
    {word: str(value) for value, word in enumerate(_UNITS.split())}
    | {word: str(value * 10) for value, word in enumerate(_TENS.split(), 2)}
    | {word: str(value) for value, word in enumerate(_ORDINALS.split(), 3)}
    | {word: str(value) for value, word in enumerate("〇一二三四五六七八九十")}
    | {"once": "1x", "twice": "2x", "thrice": "3x", "hundred": "100", "thousand": "1000", "million": "1000000"}
    | {"second": "2", "both": "2", "dozen": "12", "half": "0.5", "两": "2", "兩": "2", "百": "100", "千": "1000"}
)
"""Numbers that are written as words."""

_NO_NAMES = (
    "i im ive ill id me my we were our us you your he she they him her his hers them who what when where which why how "
    "to from for with by about into over under through during before after since until while because although though "
    "but or so then than too all any some most many much few more less other another such both either user users agent "
    "agents team teams please note only always often usually sometimes recently finally however therefore yes ok okay "
    "was had did will would can could should may must shall let here now still again even ever already yet first"
)
NO_NAMES = frozenset(_NO_NAMES.split()).union(FILLERS, NEGATIONS, DATES, WEEKDAYS, NUMBERS)
"""Words that are no names, even where a capital begins them."""

ENDINGS = ("", "s", "es", "d", "ed", "ing", "er", "ers", "ly", "ment", "ments")
"""Endings with which a word is still the same word."""

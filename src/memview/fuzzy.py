"""What memview takes from rapidfuzz; every module of ours takes it from here.

The modules of rapidfuzz import each other in circles. Threads that enter such a circle at different places at the same
moment see parts of it half made; through one door, the first has it whole before the next comes in.
"""

from __future__ import annotations

from rapidfuzz import fuzz as fuzz
from rapidfuzz import process as process
from rapidfuzz.distance import OSA as OSA
from rapidfuzz.distance import Indel as Indel

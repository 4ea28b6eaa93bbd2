"""An agent that remembers, beside the viewer: run this, and in another terminal `memview agent.db`.

    python examples/agent_loop.py agent.db              paced so that a person can follow
    python examples/agent_loop.py agent.db --pause 0    at full speed

The model is scripted, so that it runs anywhere. For a real one put `OpenAIChat("gpt-4o-mini")` in its place, or
`OpenAIChat("llama3.2", base_url="http://localhost:11434/v1", api_key="none")` for a local server.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable

from memview import Memory, MemoryExtension, MemoryExtractor, MemoryStore

Chat = Callable[[list[dict[str, str]]], str]
Tell = Callable[[str, str], None]

PROMPT = "You are a helpful agent."
SCRIPT = [
    ("Hi, I'm Ada. I look after the billing service.", "Good to meet you, Ada.",
     '["Ada looks after the billing service"]'),
    ("We deploy billing on Tuesdays, never on Fridays.", "Tuesdays it is.",
     '["The billing service is deployed on Tuesdays", "The billing service is never deployed on Fridays"]'),
    ("Keep your answers short, please.", "Will do.", '["Ada prefers short answers"]'),
    ("So when can we deploy the billing service?", "On Tuesday.", '["The billing service is deployed on Tuesdays."]'),
]  # fmt: skip
"""What the user says, what the model answers, and what the model finds worth remembering in that."""


def converse(memory: Memory, session: str, chat: Chat, messages: Iterable[str], tell: Tell) -> None:
    """The loop: for each message recall what matters, answer, record the turn, and learn from it."""
    conversation = memory.store.conversation(session, namespace=memory.namespace)
    extractor = MemoryExtractor(chat=chat, memory=memory)
    with MemoryExtension(memory, session=session) as remembering:
        for message in messages:
            tell("user", message)

            known = remembering.on_user_message(message)
            system = [PROMPT, *remembering.system_prompt_snippets(), *([known] if known else [])]
            with conversation.turn(message) as turn:
                asked = [{"role": "system", "content": text} for text in system]
                turn.response = chat([*asked, {"role": "user", "content": message}])
            tell("agent", turn.response)

            found = extractor.extract(conversation.to_messages(turn_ids=True)[-2:], session_id=session)
            for fact in found.extracted:
                tell("learns", fact.content)
            for text, fact in found.skipped:
                tell("knows", f"{text} (since {fact.created_at:%Y-%m-%d})")
            if found.error:
                tell("error", found.error)
        tell("recall", "billing\n" + remembering.recall("billing"))


def main() -> None:
    """Read the command line, and let the script play the model."""
    parser = argparse.ArgumentParser(description="An agent that remembers, with a scripted model.")
    parser.add_argument("store", help="the store's file; made when it does not exist")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds after each step (default: 2)")
    given = parser.parse_args()
    replies = iter([reply for _, answer, learnt in SCRIPT for reply in (answer, learnt)])

    def tell(who: str, what: str) -> None:
        print(f"{who:>7}  {what}", flush=True)
        time.sleep(given.pause)

    with MemoryStore(given.store, agent="helper") as store:
        session = f"chat {store.stats().sessions + 1}"
        converse(store.memory("user:ada"), session, lambda _: next(replies), [said for said, _, _ in SCRIPT], tell)


if __name__ == "__main__":
    main()

"""What the made-up agents know about two made-up projects and their customers."""

from __future__ import annotations

from collections.abc import Iterator

from memview.cli.demo.people import NAMES, Note

_ATLAS = (
    "tiles", "geocoder", "router", "importer", "search", "labels", "heightmap", "export", "gateway", "cache", "diff",
    "thumbnails", "auth", "quota", "webhooks", "scheduler", "billing-sync", "archive",
)  # fmt: skip
_BILLING = ("invoices", "ledger", "dunning", "tax", "payouts", "plans", "coupons", "statements", "usage-meter", "fx")
_REGIONS = ("eu-west", "eu-north", "us-east", "ap-south")
_LANGUAGES = ("Go", "Rust", "Python", "TypeScript")


def atlas() -> Iterator[Note]:
    """Notes on ``project:atlas``, a made-up map service."""
    yield from _services(_ATLAS, "atlas")
    for at, service in enumerate(_ATLAS):
        region = _REGIONS[at % 4]
        yield Note(
            f"The {service} service keeps {1 + at % 4} replicas in {region}", "infrastructure", ("capacity", region)
        )
        yield Note(f"A cold start of {service} takes {4 + at * 7 % 40} seconds", "performance", ("latency",))
        yield Note(f"{service} was moved to {region} in sprint {40 + at}", "history", ("migration",))
        yield Note(f"Load test of {service}: {300 + at * 85} requests a second before errors", "performance", ("load",))


def billing() -> Iterator[Note]:
    """Notes on ``project:billing``."""
    yield from _services(_BILLING, "billing")
    for at, service in enumerate(_BILLING):
        yield Note(f"Amounts in {service} are integers of the smallest unit", "decision", ("money",))
        yield Note(f"The auditors asked for {2 + at % 6} years of {service} records", "compliance", ("audit",))
        yield Note(f"{service} must never be replayed without the idempotency key", "rule", ("safety",))


def _services(services: tuple[str, ...], project: str) -> Iterator[Note]:
    for at, service in enumerate(services):
        owner, other = NAMES[at * 3 % 26], services[(at + 5) % len(services)]
        yield Note(f"{owner} owns the {service} service", "people", ("owner", service))
        yield Note(f"The {service} service is written in {_LANGUAGES[at % 4]}", "architecture", (service,))
        yield Note(f"The {service} service times out after {2 + at * 3 % 28} seconds", "limit", ("timeout", service))
        yield Note(
            f"{service} calls {other} over gRPC and retries {1 + at % 4} times", "architecture", (service, other)
        )
        yield Note(f"Dashboards for {service} live under {project}/{service}", "operations", ("monitoring",))
        yield Note(
            f"The staging copy of {service} is reset every night at 0{1 + at % 5}:00 UTC", "operations", ("staging",)
        )
        yield Note(f"{service} logs are kept for {7 * (1 + at % 8)} days", "operations", ("logs",))
        yield Note(f"The {service} tests need {_fixture(at)}", "testing", ("ci",))
        yield Note(f"Feature flag {service.replace('-', '_')}_v2 is {_flag(at)}", "release", ("flags", service))
        yield Note(
            f"Incident {project[:3].upper()}-{310 + at * 7}: {service} {_INCIDENTS[at % len(_INCIDENTS)]}", "incident"
        )


def _fixture(at: int) -> str:
    return ("a running Redis", "the sample data set", "network access to staging", "four workers", "a fixed clock")[
        at % 5
    ]


def _flag(at: int) -> str:
    return (f"on for {5 * (1 + at % 20)}% of traffic", "off until the audit is done", "on everywhere since spring")[
        at % 3
    ]


_INCIDENTS = (
    "ran out of connections after a retry storm", "served stale data for 40 minutes",
    "lost its lease during a failover", "returned 502 while certificates were renewed",
    "filled its disk with core dumps", "was blocked by a long migration",
    "doubled its latency when the cache was cold",
)  # fmt: skip

_CUSTOMERS = (
    "Harbour Bikes", "Northlight Optics", "Quillon Press", "Pinefall Lodges", "Saltmarsh Foods", "Veldt Coffee",
    "Copperline Rail", "Juniper Clinics", "Oakum Sails", "Marrow and Reed", "Tidewater Maps", "Lumen Greenhouses",
    "Foxglove Films", "Basalt Climbing", "Kestrel Couriers", "Almond Street Bakery", "Ferro Elevators",
    "Wren Libraries", "Cinder Ceramics", "Bluepeter Ferries", "Moss and Mortar", "Halfmoon Toys", "Ostrava Tools",
    "Larkfield Schools",
)  # fmt: skip
_PLANS = ("starter", "team", "business", "enterprise")
_ASKED = (
    "an invoice address in another country", "a longer trial", "single sign-on", "CSV exports without a header",
    "a data processing agreement", "map labels in two scripts", "an uptime report for the last quarter",
    "fewer mails",
)  # fmt: skip


def support() -> Iterator[Note]:
    """Notes on ``support``: made-up customers."""
    for at, customer in enumerate(_CUSTOMERS):
        contact, plan = NAMES[at * 7 % 26], _PLANS[at % 4]
        yield Note(f"{customer} is on the {plan} plan with {5 + at * 13 % 140} seats", "account", ("plan", plan))
        yield Note(f"The contact at {customer} is {contact}, who answers fastest before noon", "account", ("contact",))
        yield Note(f"{customer} asked for {_ASKED[at % 8]}", "request", ("wish",))
        yield Note(
            f"{customer} renews in {('March', 'July', 'September', 'December')[at % 4]}", "account", ("renewal",)
        )
        yield Note(f"Ticket {20_400 + at * 31}: {customer} saw {_SEEN[at % len(_SEEN)]}", "ticket", ("bug",))
        yield Note(
            f"{customer} integrates through {('webhooks', 'the REST API', 'nightly CSV files')[at % 3]}", "account"
        )
        yield Note(
            f"{customer} counts as {('happy', 'at risk', 'quiet', 'a reference')[at * 5 % 4]} since the last call",
            "health",
        )


_SEEN = (
    "tiles missing above zoom 17", "a double charge for one seat", "login loops on one browser",
    "exports that stop at 10,000 rows", "addresses geocoded to the sea", "webhooks delivered twice",
)  # fmt: skip

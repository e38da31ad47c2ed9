"""Money as integers: cents on the felt, millionths of a dollar (micros) on a meter.

Never floats. `amounts` reads what people write; here is how it is written for them.
"""

from functools import lru_cache
from typing import Annotated, TypeAlias

# Units: what an amount is counted in, for readers and for the record's codec.
Cents: TypeAlias = Annotated[int, "cents"]
Micros: TypeAlias = Annotated[int, "micros"]

MICROS_PER_CENT = 10_000
# Above any stake a casino takes; a larger number is a slip of the keyboard or an attack.
MAX_STAKE_CENTS = 1_000_000_000
MAX_METER_MICROS = 10**16


@lru_cache(maxsize=4096)  # a batch writes the same few amounts again and again
def format_cents(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def format_micros(micros: int) -> str:
    """At least two decimals, more only where the amount has them."""
    sign = "-" if micros < 0 else ""
    whole, fraction = divmod(abs(micros), 1_000_000)
    digits = f"{fraction:06d}"
    return f"{sign}{whole}.{digits[:2]}{digits[2:].rstrip('0')}"


def show_dollars(cents: int) -> str:
    """For people: `$1,250.00`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def show_micro_dollars(micros: int) -> str:
    """A meter for people: whole cents, the fraction of a cent left off."""
    return show_dollars(micros // MICROS_PER_CENT)

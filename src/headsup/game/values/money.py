"""Money as integers: cents on the felt, millionths of a dollar (micros) on a meter.

Never floats. This module formats amounts; `amounts` reads them.
"""

from functools import lru_cache
from typing import Annotated, TypeAlias

# The unit of an amount, for readers of the code and for the record's codec.
Cents: TypeAlias = Annotated[int, "cents"]
Micros: TypeAlias = Annotated[int, "micros"]

MICROS_PER_CENT = 10_000
MICROS_PER_DOLLAR = 100 * MICROS_PER_CENT
# Above any stake a casino takes; a larger number is a typing error or an attack.
MAX_STAKE_CENTS = 1_000_000_000
MAX_METER_MICROS = 10**16


@lru_cache(maxsize=4096)  # a batch repeats the same few amounts
def format_cents(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def format_micros(micros: int) -> str:
    """At least two decimals, more only if the amount needs them."""
    sign = "-" if micros < 0 else ""
    whole, fraction = divmod(abs(micros), 1_000_000)
    digits = f"{fraction:06d}"
    return f"{sign}{whole}.{digits[:2]}{digits[2:].rstrip('0')}"


def show_dollars(cents: int) -> str:
    """For people, such as `$1,250.00`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def show_micro_dollars(micros: int) -> str:
    """A meter for people, without its fraction of a cent."""
    return show_dollars(micros // MICROS_PER_CENT)

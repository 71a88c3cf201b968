"""What it costs to find models by typed text, in a catalog of 100,000.

The catalog is synthetic and resembles the real one. Each device takes the form of a real one (brand, name,
number, aliases) and changes what must differ: new letters and digits in its number, another capacity, and in
two of three cases a brand and a product family that do not exist. One in ten has a Chinese, Japanese or
Korean alias. So common words (`USB-C`, `PowerCore`, a real brand, 20,000 mAh) are in thousands of devices, as
in reality, and there are ten thousand invented words that a query can misspell.

A seed fixes the queries: the same number of each kind, in turn, about random devices.
"""

import gc
import random
import re
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import cycle, islice
from statistics import median, quantiles
from string import ascii_uppercase, digits

from bench.report import Line, say, value
from catalog.energy import computed_watt_hour
from catalog.records import Device
from catalog.search import DeviceIndex
from rules.engine.document import Content

DEVICES, QUERIES, ROUNDS = 100_000, 280, 5
INVENTED_BRANDS, INVENTED_FAMILIES = 2_000, 8_000

SYLLABLES = re.findall(
    "[a-z]+", "ar bel cor dan el fu gra hin iso jet ka lum mo nex or pul qui ro sta tor ul vol wen xi yor zen"
)
CAPACITIES_MAH = (5_000, 5_200, 10_000, 10_000, 10_400, 12_000, 15_000, 20_000, 20_000, 20_100, 26_800)
LOCAL_WORDS = re.findall(r"\w+", "能量棒 超级 闪充 磁吸 自带线 大容量 スリム パワー ワイヤレス 미니 고속")
COMMON = re.findall(
    r"[^;]+", "powercore;20000;10,000 mAh;anker;usb-c;74wh;po;magnetic;a1;xiaomi 20k;wireless"
)
ABSENT = re.findall(
    r"[^;]+", "anker a99999x;unicorn dragon;can i bring a charger on my flight;vacuum cleaner;不存在的型号"
)
FAMILY = re.compile(r"(?!Power\b)[A-Z][A-Za-z]{3,}")
CAPACITY = re.compile(r"[0-9]{1,2},?[0-9]00|[0-9]{1,2}K\b")


def measure(content: Content) -> Iterator[Line]:
    """Search in the synthetic catalog."""
    yield of_devices("device_search_100k_ms", catalog(content.devices, DEVICES))


def of_devices(name: str, devices: list[Device]) -> Line:
    """Search for the same queries in some rounds; every search is timed separately."""
    started = time.perf_counter()
    index = DeviceIndex(devices)
    build_seconds = time.perf_counter() - started
    say(f"  {len(devices):,} devices were indexed in {build_seconds:.1f} s")
    asked = list(islice(queries(devices), QUERIES))
    # As the service does after loading: the garbage collector does not walk through the catalog.
    gc.collect()
    gc.freeze()
    try:
        rounds = [[_milliseconds(index, text) for _, text in asked] for _ in range(ROUNDS)]
    finally:
        gc.unfreeze()
    return value(
        name,
        [median(of_round) for of_round in rounds],
        "ms",
        digits=2,
        p99_ms=round(median(quantiles(of_round, n=100)[-1] for of_round in rounds), 1),
        slowest_ms=round(median(map(max, rounds)), 1),
        build_seconds=round(build_seconds, 2),
        queries=QUERIES,
        median_ms_by_kind={
            kind: round(
                median(of_round[at] for of_round in rounds for at in range(first, QUERIES, len(KINDS))), 2
            )
            for first, kind in enumerate(KINDS)
        },
    )


def _milliseconds(index: DeviceIndex, text: str) -> float:
    started = time.perf_counter_ns()
    index.search(text)
    return (time.perf_counter_ns() - started) / 1e6


def catalog(real: tuple[Device, ...], size: int) -> list[Device]:
    """Return a synthetic catalog of so many devices, the same every time."""
    draw = random.Random(4)
    brands = _invented(draw, INVENTED_BRANDS)
    families = _invented(draw, INVENTED_FAMILIES)
    return [_like(draw.choice(real), serial, draw, brands, families) for serial in range(size)]


def _invented(draw: random.Random, count: int) -> list[str]:
    return ["".join(draw.choices(SYLLABLES, k=draw.choice((2, 3, 3)))).title() for _ in range(count)]


def _like(form: Device, serial: int, draw: random.Random, brands: list[str], families: list[str]) -> Device:
    brand, name, number = form.brand, form.model_name, form.model_number
    capacity_mah = draw.choice(CAPACITIES_MAH)
    if number:
        fresh = "".join(_another(character, draw) for character in number)
        name, number = name.replace(number, fresh), fresh
    name = CAPACITY.sub(f"{capacity_mah:,}", name)
    if draw.random() < 2 / 3:
        brand = draw.choice(brands)
        name = FAMILY.sub(draw.choice(families), name, count=1)
    return Device(
        model_id="-".join(re.findall("[a-z0-9]+", f"{brand} {number or name} {serial}".lower())),
        brand=brand,
        model_name=name,
        model_number=number,
        aliases=("".join(draw.sample(LOCAL_WORDS, 3)),) if draw.random() < 0.1 else form.aliases,
        capacity_mah=capacity_mah,
        nominal_voltage=Decimal("3.7"),
        watt_hour=computed_watt_hour(capacity_mah, Decimal("3.7")),
        watt_hour_basis="computed",
    )


def _another(character: str, draw: random.Random) -> str:
    if character.isdecimal():
        return draw.choice(digits)
    return draw.choice(ascii_uppercase) if character.isupper() and draw.random() < 0.3 else character


def queries(devices: list[Device]) -> Iterator[tuple[str, str]]:
    """Yield random queries without end: their kind, each in turn, and their text."""
    draw = random.Random(5)
    numbered = [device for device in devices if device.model_number]
    local = [device for device in devices if device.aliases and not device.aliases[0].isascii()]
    for kind in cycle(KINDS):
        chosen_from = {"local": local}.get(kind, numbered if "number" in kind else devices)
        yield kind, KINDS[kind](draw.choice(chosen_from), draw)


def _slipped(text: str, draw: random.Random) -> str:
    """Swap or drop letters in the longest word of a text."""
    word = max(re.findall("[A-Za-z]+", text), key=len)
    at = draw.randrange(1, len(word) - 1)
    slip = draw.choice(
        (word[:at] + word[at + 1 :], word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :])
    )
    return text.replace(word, slip, 1)


def _local(device: Device, draw: random.Random) -> str:
    start = draw.choice((0, 0, 2))
    return (
        draw.choice(("小米", "安克 ", "充电宝 ", ""))
        + device.aliases[0][start : start + draw.choice((2, 4, 20))]
    )


KINDS: dict[str, Callable[[Device, random.Random], str]] = {
    "model id": lambda device, draw: device.model_id,
    "model number": lambda device, draw: f"{device.model_number}".lower(),
    "brand and number": lambda device, draw: f"{device.brand} {device.model_number}",
    "number in pieces": lambda device, draw: " ".join(re.findall("[A-Z]+|[0-9]+", f"{device.model_number}")),
    "beginning of a number": lambda device, draw: f"{device.model_number}"[:4],
    "brand and name": lambda device, draw: f"{device.brand} {device.model_name}",
    "brand and capacity": lambda device, draw: f"{device.brand} {(device.capacity_mah or 0) / 1000:g}k",
    "slip": lambda device, draw: _slipped(f"{device.brand} {device.model_name}", draw),
    "slip in a brand": lambda device, draw: _slipped(device.brand, draw),
    "local": _local,
    "common word": lambda device, draw: draw.choice(COMMON),
    "beginning of a word": lambda device, draw: device.brand[: draw.choice((1, 2, 3, 4))],
    "too many words": lambda device, draw: (
        f"{device.brand} {device.model_name} black, for travel with a laptop and a phone"
    ),
    "not here": lambda device, draw: draw.choice(ABSENT),
}

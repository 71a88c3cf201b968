"""HTTP message signatures (RFC 9421) on answers: what a caller asks for, and the signature. No Django.

`Accept-Signature` names the components of the answer and of its request that a signature must cover. Only
those listed here can be asked for, and the answer, the question and their operation have to be among them: a
signature that leaves one of them open would prove less than its reader thinks.
"""

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalog.signing_keys import SigningKey

ALGORITHM = "ed25519"
"""Its name in the registry of RFC 9421, section 6.2."""

MAX_CHARACTERS = 2048
MAX_SIGNATURES = 4

OF_THE_ANSWER = ('"@status"', '"content-digest"', '"content-type"')
OF_THE_REQUEST = tuple(
    f'"{name}";req'
    for name in (
        "@method",
        "@target-uri",
        "@authority",
        "@scheme",
        "@request-target",
        "@path",
        "@query",
        "content-digest",
        "content-type",
    )
)
COMPONENTS = frozenset((*OF_THE_ANSWER, *OF_THE_REQUEST))

NEEDED = ('"@status"', '"content-digest"', '"content-digest";req')
OPERATION = ('"@path";req', '"@target-uri";req', '"@request-target";req')
"""Components that name the operation: one of them is needed."""

LEAST = (*NEEDED, OPERATION[0])
"""The shortest signature that is made."""

_KEY = r"[a-z*][a-z0-9_.*-]*"
_STRING = r'"(?:[ !#-\[\]-~]|\\["\\])*"'
_PARAMETER = rf"; *({_KEY})(?:=({_STRING}|\?[01]))?"
_PARAMETERS = rf"(?:; *{_KEY}(?:=(?:{_STRING}|\?[01]))?)*"
_ITEM = rf"{_STRING}{_PARAMETERS}"
_MEMBER = re.compile(rf"({_KEY})=\( *((?:{_ITEM}(?: +{_ITEM})*)?) *\)({_PARAMETERS})[ \t]*(,[ \t]*|$)")
_EACH_ITEM = re.compile(rf"({_STRING})({_PARAMETERS})")
_EACH_PARAMETER = re.compile(_PARAMETER)


class CannotSign(ValueError):
    """A signature that is not made as it was asked for. The text says why, and what to ask for."""


@dataclass(frozen=True)
class Wanted:
    """A signature that a caller asks for.

    `components` are identifiers as a signature spells them, such as `"content-digest";req`. `echoed` are the
    parameters that the signature repeats, with their values: `nonce` and `tag`.
    """

    label: str
    components: tuple[str, ...]
    echoed: Mapping[str, str]

    def fields(self, values: Mapping[str, str], key: SigningKey, created: int) -> tuple[str, str]:
        """Return the members of `Signature-Input` and `Signature`. Raises `CannotSign`.

        Args:
            values: The value of each component that the messages have.
            key: The key that signs.
            created: The time of signing, in seconds since 1970.

        """
        lines = []
        for component in self.components:
            if component not in values:
                raise CannotSign(f"The component {component} is not in the message.")
            lines.append(f"{component}: {values[component]}")
        echoed = "".join(f";{name}={value}" for name, value in self.echoed.items())
        parameters = (
            f"({' '.join(self.components)});created={created};"
            f'keyid="{key.public.kid}";alg="{ALGORITHM}"{echoed}'
        )
        base = "\n".join((*lines, f'"@signature-params": {parameters}'))
        signature = base64.b64encode(key.private.sign(base.encode("ascii"))).decode()
        return f"{self.label}={parameters}", f"{self.label}=:{signature}:"


def wanted(field: str, kid: str) -> tuple[Wanted, ...]:
    """Return the signatures that `Accept-Signature` asks for, of the key `kid`. Raises `CannotSign`."""
    if len(field) > MAX_CHARACTERS:
        raise CannotSign(f"It is longer than {MAX_CHARACTERS} characters.")
    found = {one.label: one for one in _members(field.strip(" \t"), kid)}
    if not 1 <= len(found) <= MAX_SIGNATURES:
        raise CannotSign(f"Ask for 1 to {MAX_SIGNATURES} signatures.")
    return tuple(found.values())


def _members(field: str, kid: str) -> Iterator[Wanted]:
    place, labels = 0, set()
    while place < len(field):
        member = _MEMBER.match(field, place)
        if member is None or (member[4] and member.end() == len(field)):
            raise CannotSign('It is no dictionary of lists, such as sig1=("@status" "content-digest").')
        label, components, parameters, _ = member.groups()
        if label in labels:
            raise CannotSign(f"The label {label} is used twice.")
        labels.add(label)
        yield Wanted(label, _components(components), _echoed(parameters, kid))
        place = member.end()


def _components(items: str) -> tuple[str, ...]:
    found = []
    for name, parameters in _EACH_ITEM.findall(items):
        flags = (
            f";{flag}" if value in {"", "?1"} else f";{flag}={value}"
            for flag, value in _EACH_PARAMETER.findall(parameters)
        )
        found.append(name + "".join(flags))
    for component in found:
        if component not in COMPONENTS:
            raise CannotSign(f"{component} cannot be covered. Possible are {', '.join(sorted(COMPONENTS))}.")
        if found.count(component) > 1:
            raise CannotSign(f"{component} is there twice.")
    missing = [one for one in NEEDED if one not in found]
    if not missing and not set(OPERATION) & set(found):
        missing = [" or ".join(OPERATION)]
    if missing:
        raise CannotSign(f"It must cover {' and '.join(missing)}, so that it proves answer and question.")
    return tuple(found)


def _echoed(parameters: str, kid: str) -> dict[str, str]:
    echoed = {}
    for name, value in _EACH_PARAMETER.findall(parameters):
        match name:
            case "created" if value in {"", "?1"}:
                pass
            case "alg" if value == f'"{ALGORITHM}"':
                pass
            case "keyid" if value == f'"{kid}"':
                pass
            case "nonce" | "tag" if value.startswith('"'):
                echoed[name] = value
            case _:
                raise CannotSign(
                    f"The parameter {name}{value and '='}{value} is not possible. Possible are created, "
                    f'keyid="{kid}", alg="{ALGORITHM}", nonce="…" and tag="…".'
                )
    return echoed

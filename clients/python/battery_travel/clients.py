"""The two clients: `Client`, and `AsyncClient` for asyncio and trio. They differ only in how they wait.

Neither raises for anything that happens outside your program. After any failure there is still an answer. It
is not clear to pack, and says why.
"""

import functools
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Any, Final, Self

import anyio
import httpx

from battery_travel.answers import Answer, ItineraryAnswer
from battery_travel.asking import MAX_CONTENT_BYTES, Asking, Call, Keys, asking
from battery_travel.batches import FLIGHTS, ITINERARIES, parts
from battery_travel.instants import Clock, Instant, system_clock
from battery_travel.lookups import ListedCode, Lookup, Model, Recall
from battery_travel.questions import ItineraryQuestion, Question, TripQuestion
from battery_travel.replies import Failure, Reply
from battery_travel.retrying import Patience

PATIENCE: Final = Patience()


@functools.cache
def _tls() -> ssl.SSLContext:
    """Return the certificates to trust, for all clients: to read them takes longer than an answer does."""
    return httpx.create_ssl_context()


class Client:
    """Asks the service, one request at a time. Use it as a context manager, or `close` it.

    Args: base_url: The address of the service, with https. key: A partner key. It changes limits, never a
    verdict. language: The language of texts for people: `en`, `zh-hans`, `zh-hant`, `ja`, `ko`, `de`, `fr` or
    `es`. sandbox: Accept answers of a sandbox (its address is the address of the service and `/sandbox`).
    Without it, no such answer is ever clear to pack, at any address. patience: How often and how long a
    question is asked. receipts: Ask for receipts. receipt_keys: Ask for receipts, and accept only answers
    signed by these keys. allow_plain_http: Trust the connection to another machine without TLS. transport:
    The HTTP transport, for tests. clock: The clock, for tests. sleep: The function that waits, for tests.

    Raises `ValueError` if the address cannot be trusted.

    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str | None = None,
        language: str = "en",
        sandbox: bool = False,
        patience: Patience = PATIENCE,
        receipts: bool = False,
        receipt_keys: Keys | None = None,
        allow_plain_http: bool = False,
        transport: httpx.BaseTransport | None = None,
        clock: Clock = system_clock,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._asking = asking(
            base_url,
            key=key,
            language=language,
            sandbox=sandbox,
            patience=patience,
            receipts=receipts,
            receipt_keys=receipt_keys,
            allow_plain_http=allow_plain_http,
            clock=clock,
        )
        self._http = httpx.Client(
            headers=self._asking.headers, transport=transport, verify=_tls(), follow_redirects=False
        )
        self._sleep = sleep

    def verify(self, question: Question) -> Answer:
        """Ask about one flight."""
        return self._asking.answer(self._send(self._asking.call(question)), question)

    def verify_trip(self, question: TripQuestion) -> Answer:
        """Ask about a whole journey. Its answer is clear only if each of its flights is clear."""
        return self._asking.answer(self._send(self._asking.call(question)), question)

    def verify_itinerary(self, question: ItineraryQuestion) -> ItineraryAnswer:
        """Ask about several power banks, passengers and flights. Each passenger has a light of their own."""
        return self._asking.itinerary_answer(self._send(self._asking.call(question)), question)

    def verify_batch(self, questions: Sequence[Question]) -> list[Answer]:
        """Ask about many flights. Each has an answer of its own, at the place of its question."""
        answers: list[Answer] = []
        for part in parts(questions, FLIGHTS):
            answers += self._asking.answers(self._send(self._asking.batch_call(part)), part)
        return answers

    def verify_itinerary_batch(self, questions: Sequence[ItineraryQuestion]) -> list[ItineraryAnswer]:
        """Ask about many itineraries. Each has an answer of its own, at the place of its question."""
        answers: list[ItineraryAnswer] = []
        for part in parts(questions, ITINERARIES):
            answers += self._asking.itinerary_answers(self._send(self._asking.batch_call(part)), part)
        return answers

    def search(self, words: str, *, limit: int = 10) -> Lookup[Model]:
        """Find exact models by brand, name, number, mAh or Wh, the best match first. Let a person choose."""
        return self._asking.models(self._send(self._asking.search_call(words, limit)))

    def recalls(
        self, model_id: str, *, serial: str | None = None, serial_hash: str | None = None
    ) -> Lookup[Recall]:
        """Look up the recalls of a model, and with a serial or its hash what each says about that unit.

        Whether a unit may travel, only `verify` says. No address contains the serial.
        """
        reply = self._send(self._asking.recalls_call(model_id, serial, serial_hash))
        return self._asking.recalls(reply, model_id, serial, serial_hash)

    def codes(self, kind: str | None = None) -> Lookup[ListedCode]:
        """Read the codes of answers and errors with their sentences, of all kinds or of one."""
        return self._asking.codes(self._send(self._asking.codes_call(kind)))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._asking.root!r})"

    def _send(self, call: Call) -> Reply:
        began, attempt = self._asking.clock(), 1
        while True:
            reply = self._try(call, self._asking.seconds_left(began))
            pause = self._asking.pause_after(reply, attempt, began)
            if pause is None:
                return reply
            self._sleep(pause)
            attempt += 1

    def _try(self, call: Call, seconds: float) -> Reply:
        attempt = _Attempt(self._asking, call, seconds)
        try:
            with self._http.stream(**attempt.request()) as response:
                for chunk in response.iter_bytes():
                    if not attempt.takes(chunk):
                        break
        except httpx.HTTPError as error:
            return attempt.failed(error)
        return attempt.reply(response)


class AsyncClient:
    """Asks the service, with as many requests at once as you like. Its arguments are those of `Client`."""

    def __init__(
        self,
        base_url: str,
        *,
        key: str | None = None,
        language: str = "en",
        sandbox: bool = False,
        patience: Patience = PATIENCE,
        receipts: bool = False,
        receipt_keys: Keys | None = None,
        allow_plain_http: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
        clock: Clock = system_clock,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._asking = asking(
            base_url,
            key=key,
            language=language,
            sandbox=sandbox,
            patience=patience,
            receipts=receipts,
            receipt_keys=receipt_keys,
            allow_plain_http=allow_plain_http,
            clock=clock,
        )
        self._http = httpx.AsyncClient(
            headers=self._asking.headers, transport=transport, verify=_tls(), follow_redirects=False
        )
        self._sleep = sleep

    async def verify(self, question: Question) -> Answer:
        """Ask about one flight."""
        return self._asking.answer(await self._send(self._asking.call(question)), question)

    async def verify_trip(self, question: TripQuestion) -> Answer:
        """Ask about a whole journey. Its answer is clear only if each of its flights is clear."""
        return self._asking.answer(await self._send(self._asking.call(question)), question)

    async def verify_itinerary(self, question: ItineraryQuestion) -> ItineraryAnswer:
        """Ask about several power banks, passengers and flights. Each passenger has a light of their own."""
        return self._asking.itinerary_answer(await self._send(self._asking.call(question)), question)

    async def verify_batch(self, questions: Sequence[Question]) -> list[Answer]:
        """Ask about many flights. Each has an answer of its own, at the place of its question."""
        answers: list[Answer] = []
        for part in parts(questions, FLIGHTS):
            answers += self._asking.answers(await self._send(self._asking.batch_call(part)), part)
        return answers

    async def verify_itinerary_batch(self, questions: Sequence[ItineraryQuestion]) -> list[ItineraryAnswer]:
        """Ask about many itineraries. Each has an answer of its own, at the place of its question."""
        answers: list[ItineraryAnswer] = []
        for part in parts(questions, ITINERARIES):
            answers += self._asking.itinerary_answers(await self._send(self._asking.batch_call(part)), part)
        return answers

    async def search(self, words: str, *, limit: int = 10) -> Lookup[Model]:
        """Find exact models by brand, name, number, mAh or Wh, the best match first. Let a person choose."""
        return self._asking.models(await self._send(self._asking.search_call(words, limit)))

    async def recalls(
        self, model_id: str, *, serial: str | None = None, serial_hash: str | None = None
    ) -> Lookup[Recall]:
        """Look up the recalls of a model, and with a serial or its hash what each says about that unit.

        Whether a unit may travel, only `verify` says. No address contains the serial.
        """
        reply = await self._send(self._asking.recalls_call(model_id, serial, serial_hash))
        return self._asking.recalls(reply, model_id, serial, serial_hash)

    async def codes(self, kind: str | None = None) -> Lookup[ListedCode]:
        """Read the codes of answers and errors with their sentences, of all kinds or of one."""
        return self._asking.codes(await self._send(self._asking.codes_call(kind)))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncClient({self._asking.root!r})"

    async def _send(self, call: Call) -> Reply:
        began, attempt = self._asking.clock(), 1
        while True:
            reply = await self._try(call, self._asking.seconds_left(began))
            pause = self._asking.pause_after(reply, attempt, began)
            if pause is None:
                return reply
            await self._sleep(pause)
            attempt += 1

    async def _try(self, call: Call, seconds: float) -> Reply:
        attempt = _Attempt(self._asking, call, seconds)
        try:
            async with self._http.stream(**attempt.request()) as response:
                async for chunk in response.aiter_bytes():
                    if not attempt.takes(chunk):
                        break
        except httpx.HTTPError as error:
            return attempt.failed(error)
        return attempt.reply(response)


class _Attempt:
    """One request and its result.

    httpx limits each wait for bytes, also for the headers. This limits the waits for a body together.
    """

    def __init__(self, asking: Asking, call: Call, seconds: float) -> None:
        self._asking = asking
        self._call = call
        self._seconds = seconds
        self._content = bytearray()
        self._failure: Failure | None = None
        self._sent: Instant = asking.clock()

    def request(self) -> dict[str, Any]:
        """Return the arguments for httpx."""
        return {
            "method": self._call.method,
            "url": self._call.url,
            "content": self._call.content,
            "timeout": self._seconds,
        }

    def takes(self, chunk: bytes) -> bool:
        """Add bytes of the body; tell whether more may come."""
        self._content += chunk
        if len(self._content) > MAX_CONTENT_BYTES:
            self._content.clear()
            return False
        if self._asking.clock().monotonic - self._sent.monotonic > self._seconds:
            self._failure = "timeout"
            return False
        return True

    def failed(self, error: httpx.HTTPError) -> Reply:
        """Return the reply for a request without a response."""
        failure: Failure = "timeout" if isinstance(error, httpx.TimeoutException) else "unreachable"
        return Reply(self._sent, self._asking.clock(), failure=failure)

    def reply(self, response: httpx.Response) -> Reply:
        """Return the reply for a response."""
        received = self._asking.clock()
        if self._failure is not None:
            return Reply(self._sent, received, failure=self._failure)
        return Reply(
            self._sent,
            received,
            status=response.status_code,
            headers={name.lower(): value for name, value in response.headers.items()},
            content=bytes(self._content),
        )

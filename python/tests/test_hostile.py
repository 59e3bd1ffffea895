"""Answers of a broken or hostile service: the table that the TypeScript client is tested with, and what it does to a call."""

import asyncio
import json
import threading
import time
import unittest
from contextlib import suppress
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

import tidemark
from tidemark import AsyncClient, Client, Key, RetryRule, TidemarkError
from tidemark.signing import bound_nonce

TABLE = json.loads((Path(__file__).parent / "data" / "hostile-answers.json").read_text(encoding="utf-8"))
KEY = Key("key_test", "ab" * 32, "sandbox")
FAST = RetryRule(attempts_max=8, within_s=1.5)
ORDER = {
    "account_id": "acct_a",
    "market_id": "mkt_a",
    "outcome_id": "out_a",
    "side": "BUY",
    "client_order_id": "c1",
    "limit_price": "0.50",
    "quantity": "5",
}
PLACED = {**ORDER, "original_quantity": "5.00", "limit_price": "0.5", "order_id": "ord_a"}


class Handler(BaseHTTPRequestHandler):
    """Gives the answer that the test has set, and keeps what was asked."""

    answer: ClassVar = {}
    asked: ClassVar = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        Handler.asked.append((dict(self.headers.items()), body))
        bodies = [Handler.answer["body"], *Handler.answer.get("next", ())]
        content = bodies[min(len(Handler.asked), len(bodies)) - 1].encode()
        self.send_response(Handler.answer["status"])
        for name, value in {**Handler.answer.get("headers", {}), "content-length": str(len(content))}.items():
            self._headers_buffer.append(f"{name}: {value}\r\n".encode())
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_PUT = do_DELETE = do_GET


class Drip(BaseHTTPRequestHandler):
    """Sends a byte every 50 ms, of a body or of a header."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        head = b"content-length: 400\r\n\r\n{" if self.path.startswith("/body") else b"x: "
        try:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n" + head)
            for _ in range(100):
                self.wfile.write(b" ")
                time.sleep(0.05)
        except OSError:
            self.close_connection = True


class Endless(BaseHTTPRequestHandler):
    """Sends JSON without an end, and notes how many bytes of each answer were taken."""

    sent: ClassVar = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        # Noted before it is sent: a caller that hangs up does not wait for this thread.
        sent, place, part = Endless.sent, len(Endless.sent), b'"a",' * 250_000
        sent.append(0)
        with suppress(OSError):
            self.wfile.write(b'HTTP/1.1 200 OK\r\n\r\n{"data":[')
            while sent[place] < 200_000_000:
                sent[place] += len(part)
                self.wfile.write(part)
        self.close_connection = True


def serving(handler):
    """Starts a server in a thread of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server, cls.url = serving(Handler)
        cls.client = Client(cls.url, key=KEY)

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def give(self, **answer):
        Handler.answer, Handler.asked = answer, []

    def refused(self, work):
        with self.assertRaises(TidemarkError) as caught:
            work()
        return caught.exception

    def read(self, kind, rule=FAST):
        self.client.retries = rule
        return self.client.get_time() if kind == "record" else list(self.client.list_indexes())

    def test_each_answer_of_the_table_is_one_error(self):
        for one in TABLE:
            if "waits" in one:
                continue
            with self.subTest(one["name"]):
                self.give(**one)
                error = self.refused(lambda kind=one["reads"]: self.read(kind))
                self.assertEqual(error.code, one["code"])
                self.assertIsInstance(error.field_violations, list)
                self.assertIn(one.get("says", ""), str(error))
                self.assertLessEqual(len(Handler.asked), one.get("requests_max", 1))

    def test_a_wait_that_cannot_be_kept_is_a_growing_one(self):
        for one in TABLE:
            if "waits" not in one:
                continue
            with self.subTest(one["name"]):
                self.give(**one)
                self.refused(lambda kind=one["reads"]: self.read(kind, RetryRule(within_s=0.4)))
                self.assertLessEqual(len(Handler.asked), 5)

    def test_a_list_and_json_that_never_end(self):
        self.give(status=200, body='{"data":' + "[" * 200_000 + "]" * 200_000 + "}")
        self.assertEqual(self.refused(lambda: self.read("record")).code, "SERVICE_UNAVAILABLE")
        empty = [json.dumps({"data": [], "page": {"next_cursor": str(n)}}) for n in range(300)]
        self.give(status=200, body=empty[0], next=empty[1:])
        self.assertIn("next_cursor", str(self.refused(lambda: self.read("list"))))
        self.assertLess(len(Handler.asked), 110)

    def test_an_answer_that_is_too_long_is_asked_for_once(self):
        bound = tidemark._core.JSON_BYTES_MAX
        server, url = serving(Endless)
        for of_kind in ("blocking", "asyncio"):
            with self.subTest(of_kind=of_kind):
                Endless.sent = []
                if of_kind == "blocking":
                    error = self.refused(Client(url).get_time)
                else:
                    client = AsyncClient(url)
                    error = self.refused(lambda client=client: asyncio.run(client.get_time()))
                self.assertIn(f"it has more than {bound} bytes", str(error))
                self.assertEqual((error.code, len(Endless.sent)), ("SERVICE_UNAVAILABLE", 1))
                self.assertLess(Endless.sent[0], bound * 1.5)
        server.shutdown()
        server.server_close()

    def test_a_call_ends_in_its_time_however_slowly_the_answer_comes(self):
        server, url = serving(Drip)
        once = RetryRule(attempts_max=1)
        for part in ("body", "header"):
            for of_kind in ("blocking", "asyncio"):
                with self.subTest(part=part, of_kind=of_kind):
                    begun = time.monotonic()
                    if of_kind == "blocking":
                        error = self.refused(Client(f"{url}/{part}", retries=once, timeout_s=0.4).get_time)
                    else:
                        client = AsyncClient(f"{url}/{part}", retries=once, timeout_s=0.4)
                        error = self.refused(lambda client=client: asyncio.run(client.get_time()))
                    self.assertEqual((error.code, error.retryable), ("SERVICE_UNAVAILABLE", True))
                    self.assertLess(time.monotonic() - begun, 3)
        server.shutdown()
        server.server_close()

    def test_a_signed_write_is_bound_to_its_idempotency_key_and_follows_no_redirect(self):
        client, self.client.retries = self.client, RetryRule(attempts_max=3)
        error = {"code": "SERVICE_UNAVAILABLE", "message": "m", "retryable": True, "retry_after_ms": 1}
        self.give(status=503, body=json.dumps({"error": error}))
        self.refused(lambda: client.request_transfer({"amount": "1.00"}))
        self.assertEqual(len(Handler.asked), 3)
        nonces = {headers["SVC-Access-Nonce"] for headers, _ in Handler.asked}
        (key,) = {headers["Idempotency-Key"] for headers, _ in Handler.asked}
        self.assertEqual(len(nonces), 3)
        for nonce in nonces:
            self.assertEqual(nonce, bound_nonce(key, nonce[-26:]))
        self.give(status=307, body="", headers={"location": f"{self.url}/elsewhere"})
        self.assertIn("/elsewhere", str(self.refused(lambda: client.place_order(ORDER))))
        self.assertEqual(len(Handler.asked), 1)

    def test_a_clock_is_corrected_by_minutes_and_not_by_a_day(self):
        now_ms = time.time_ns() // 1_000_000
        for ahead_ms, requests in ((86_400_000, 1), (-86_400_000, 1), (10**300, 1), (None, 1), (200_000, 2)):
            with self.subTest(ahead_ms=ahead_ms):
                stated = None if ahead_ms is None else now_ms + ahead_ms
                error = {"code": "AUTH_TIMESTAMP_OUT_OF_WINDOW", "message": "m", "retryable": True}
                refusal = json.dumps({"error": {**error, "server_time_ms": stated}})
                self.give(status=401, body=refusal, next=[refusal])
                client = Client(self.url, key=KEY, retries=RetryRule(attempts_max=2))
                caught = self.refused(lambda client=client: list(client.list_balances()))
                self.assertEqual(len(Handler.asked), requests)
                if requests == 1 and ahead_ms != 10**300:
                    self.assertIn(datetime.now(timezone.utc).strftime("%Y-%m-%dT%H"), str(caught))
                else:
                    sent = int(Handler.asked[-1][0]["SVC-Access-Timestamp"])
                    self.assertLess(sent, now_ms + 300_000)

    def test_an_answer_about_something_else_is_refused_and_not_repeated(self):
        def answered(data, work):
            asked = []

            def serve_once(request):
                asked.append(request)
                return httpx.Response(201, json={"data": data, "meta": {}})

            client = Client("http://service", key=KEY, retries=FAST, transport=httpx.MockTransport(serve_once))
            error = self.refused(lambda: work(client))
            self.assertIn("do not send it again", str(error))
            self.assertEqual((error.retryable, len(asked)), (False, 1))

        transfer = {"account_id": "acct_a", "direction": "withdrawal", "asset_id": "a", "amount": "1"}
        for name in ("account_id", "market_id", "outcome_id", "side", "client_order_id", "limit_price"):
            other = {**PLACED, name: "0.99"}
            answered(other, lambda client: client.place_order(ORDER))
            answered({**PLACED, "replacement": other}, lambda client: client.amend_order("ord_a", ORDER))
            answered(
                [{"index": 0, "status": "accepted", "order": other}], lambda c: c.place_orders({"orders": [ORDER]})
            )
        answered({**PLACED, "original_quantity": "50"}, lambda client: client.place_order(ORDER))
        answered([], lambda client: client.place_orders({"orders": [ORDER]}))
        answered({**transfer, "destination": "x"}, lambda client: client.request_transfer(transfer))
        answered({**PLACED, "order_id": "ord_b"}, lambda client: client.cancel_order("ord_a", {}))

    def test_an_answer_about_what_was_sent_passes(self):
        transport = httpx.MockTransport(lambda _: httpx.Response(201, json={"data": PLACED, "meta": {}}))
        client = Client("http://service", key=KEY, transport=transport)
        self.assertEqual(client.place_order(ORDER)["order_id"], "ord_a")

    def test_credentials_in_an_address_and_ids_that_leave_the_path_are_refused_before_anything_is_sent(self):
        for url in ("http://user:passSECRET@h", "ftp://u:passSECRET@h", "u:passSECRET@h"):
            for make in (Client, AsyncClient, tidemark.Stream):
                error = self.refused(lambda make=make, url=url: make(url))
                self.assertIn("base_url is ", str(error))
                self.assertNotIn("SECRET", str(error))
        self.give(status=200, body="{}")
        for name in ("", ".", ".."):
            error = self.refused(lambda name=name: Client(self.url).get_index(name))
            self.assertIn("index_id is ", str(error))
        self.refused(lambda: Client(self.url).read("/v1/indexes/.."))
        self.assertEqual(Handler.asked, [])


class HostileStreams(unittest.TestCase):
    def heard(self, *messages, process_request=None):
        """Returns the error of a stream whose service sends these texts after the answer to subscribe."""

        def talk(socket):
            socket.send('{"type": "welcome"}')
            try:
                asked = json.loads(socket.recv())
            except ConnectionClosed:
                return
            socket.send(json.dumps({"type": "subscribed", "id": asked["id"], "sid": "s", "epoch": "e", "seq": 1}))
            for message in messages:
                socket.send(message)
            with suppress(ConnectionClosed):
                socket.recv()

        with serve(talk, "127.0.0.1", 0, process_request=process_request) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.socket.getsockname()[1]}"
            try:
                with tidemark.Stream(url, timeout_s=3) as stream, self.assertRaises(TidemarkError) as caught:
                    stream.subscribe("market.trade")
                    list(stream)
            finally:
                server.shutdown()
        return str(caught.exception)

    def test_a_message_of_another_form_is_one_error(self):
        event = {"type": "event", "sid": "s", "kind": "trade", "data": {}}
        for message in ('{"type":', "5", '{"seq": NaN}', json.dumps(event), json.dumps({**event, "seq": "9"})):
            with self.subTest(message):
                self.assertIn("not this API's", self.heard(message))
        stated = {"type": "error", "sid": "s", "error": {"code": "X", "message": "\x1b[31m"}}
        self.assertIn("X: \\u001b[31m", self.heard(json.dumps(stated)))

    def test_a_redirect_is_not_followed_to_where_it_could_be_signed(self):
        def redirect(connection, request):
            if request.path == "/v1/ws":
                response = connection.respond(302, "")
                response.headers["Location"] = "/elsewhere"
                return response
            return None

        self.assertIn("/elsewhere", self.heard(process_request=redirect))


if __name__ == "__main__":
    unittest.main()

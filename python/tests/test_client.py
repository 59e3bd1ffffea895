"""Both clients over a transport without a network, signatures by the project's vectors, and tables."""

import asyncio
import io
import json
import sys
import tempfile
import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import httpx
import pyarrow as pa
import pyarrow.parquet as pq

import tidemark
from tidemark import AsyncClient, Client, Key, RetryRule, TidemarkError, sign_order
from tidemark.history import Table
from tidemark.verify.__main__ import main as verify
from tidemark.verify.answers import KeptAnswers, SavedAnswers, ServedAnswers, items
from tidemark.verify.levels import verify_tick

KEY = Key("key_test", "ab" * 32, "sandbox")
FAST = RetryRule(attempts_max=4, within_s=5.0)


def envelope(data, **more):
    return httpx.Response(200, json={"data": data, "meta": {}, **more})


def refusal(status, code, **facts):
    error = {"code": code, "message": "no", "retryable": status in (429, 503), "request_id": "r", **facts}
    return httpx.Response(status, json={"error": error})


class Service:
    """Answers requests in turn and keeps them."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []

    def __call__(self, request):
        self.requests.append(request)
        return self.answers.pop(0)

    def client(self, key=None):
        return Client("http://service", key=key, retries=FAST, transport=httpx.MockTransport(self))


class Calls(unittest.TestCase):
    def test_a_list_is_read_page_by_page(self):
        first = {"next_cursor": "c2", "has_more": True}
        service = Service(envelope([{"n": 1}], page=first), envelope([{"n": 2}], page={"next_cursor": None}))
        self.assertEqual([item["n"] for item in service.client().list_indexes(family="x")], [1, 2])
        targets = [str(request.url.raw_path.decode()) for request in service.requests]
        self.assertEqual(targets[0], "/v1/indexes?family=x&limit=1000")
        self.assertEqual(targets[1], "/v1/indexes?family=x&cursor=c2&limit=1000")

    def test_the_pages_of_a_list_are_the_largest_that_its_arguments_allow(self):
        def limit_of(read):
            service = Service(envelope([], page={"next_cursor": None}))
            list(read(service.client()))
            return service.requests[0].url.params["limit"]

        self.assertEqual(limit_of(lambda client: client.list_indexes(expand=["latest"])), "200")
        self.assertEqual(limit_of(lambda client: client.list_markets(expand=["price", "day"])), "100")
        self.assertEqual(limit_of(lambda client: client.list_index_prices("idx_a", expand=["inputs"])), "200")
        self.assertEqual(
            limit_of(lambda client: client.list_indexes(receipt=True, as_of="2026-01-17T00:00:00Z")), "100"
        )
        self.assertEqual(limit_of(lambda client: client.list_indexes(receipt=False, expand=[])), "1000")
        self.assertEqual(limit_of(lambda client: client.list_markets(expand=["price"], limit=7)), "7")
        # The service refuses a range that it does not allow, as for each other way to ask.
        self.assertEqual(limit_of(lambda client: client.list_markets(limit=0)), "0")
        for limit in (True, 1.5, "x"):
            with self.assertRaises(TidemarkError):
                limit_of(lambda client, limit=limit: client.list_markets(limit=limit))

    def test_an_instant_may_be_a_datetime_with_a_time_zone(self):
        def as_of(value):
            service = Service(envelope({"index_id": "idx_a"}))
            service.client().get_index("idx_a", as_of=value)
            return service.requests[0].url.params["as_of"]

        utc = datetime(2026, 1, 17, 12, 30, tzinfo=timezone.utc)
        east = timezone(timedelta(hours=9))
        self.assertEqual(as_of(utc), "2026-01-17T12:30:00Z")
        self.assertEqual(as_of(utc.astimezone(east)), "2026-01-17T12:30:00Z")
        self.assertEqual(as_of(utc.replace(microsecond=1500)), "2026-01-17T12:30:00.001500Z")
        self.assertEqual(as_of(utc.replace(microsecond=1000)), "2026-01-17T12:30:00.001Z")
        self.assertEqual(as_of("2026-01-17T00:00:00Z"), "2026-01-17T00:00:00Z")
        with self.assertRaises(TidemarkError) as caught:
            as_of(datetime(2026, 1, 17))
        self.assertEqual(caught.exception.code, "VALIDATION_INSTANT_INVALID")
        self.assertIn("as_of is 2026-01-17 00:00:00; expected a datetime with a time zone", str(caught.exception))

    def test_a_page_that_is_too_large_is_halved_and_grows_again(self):
        busy = [refusal(503, "QUERY_TIMEOUT", retry_after_ms=1), refusal(422, "VALIDATION_QUERY_LIMIT")]
        pages = [envelope([{"n": n}], page={"next_cursor": f"c{n}"}) for n in range(5)]
        service = Service(*busy, *pages, envelope([], page={"next_cursor": None}))
        self.assertEqual([item["n"] for item in service.client().list_indexes()], [0, 1, 2, 3, 4])
        limits = [request.url.params["limit"] for request in service.requests]
        self.assertEqual(limits, ["1000", "500", "250", "250", "250", "250", "500", "500"])

    def test_a_page_of_one_record_is_asked_for_until_the_retries_end(self):
        service = Service(*(refusal(503, "QUERY_TIMEOUT", retry_after_ms=1) for _ in range(13)))
        with self.assertRaises(TidemarkError) as caught:
            list(service.client().list_indexes())
        self.assertEqual(caught.exception.code, "QUERY_TIMEOUT")
        limits = [int(request.url.params["limit"]) for request in service.requests]
        self.assertEqual(limits, [1000, 500, 250, 125, 62, 31, 15, 7, 3, 1, 1, 1, 1])

    def test_a_verification_halves_its_pages_and_reads_the_same_from_its_file(self):
        def serve(request):
            limit, start = int(request.url.params["limit"]), int(request.url.params.get("cursor", "0"))
            limits.append(limit)
            if limit > 250:
                return refusal(503, "QUERY_TIMEOUT", retry_after_ms=1)
            end = min(600, start + limit)
            return envelope(
                [{"n": n} for n in range(start, end)], page={"next_cursor": str(end) if end < 600 else None}
            )

        limits = []
        client = Client("http://service", retries=FAST, transport=httpx.MockTransport(serve))
        file = Path(tempfile.mkdtemp()) / "answers"
        kept = KeptAnswers(ServedAnswers(client), file)
        numbers = [item["n"] for item in items(kept, "/v1/indexes", {})]
        kept.close()
        self.assertEqual((numbers, limits), (list(range(600)), [1000, 500, 250, 250, 250]))
        self.assertEqual([item["n"] for item in items(SavedAnswers(file), "/v1/indexes", {})], numbers)

    def test_a_verification_without_an_answer_ends_with_4_and_names_its_place(self):
        saved = Path(__file__).parent / "data" / "saved-levels.jsonl"
        broken = Path(tempfile.mkdtemp()) / "answers"
        lines = [json.loads(line) for line in saved.read_text().splitlines()]
        history = next(line for line in lines if "/prices?include_corrections=true" in line["target"])
        first, second = [item["observation_id"] for item in history["answer"]["data"][:2]]
        error = {"code": "QUERY_TIMEOUT", "message": "too long", "retryable": True}
        busy = [
            {"target": line["target"], "error": error, "status": 503}
            if line["target"].endswith(f"{second}?expand=inputs")
            else line
            for line in lines
        ]
        broken.write_text("".join(json.dumps(line) + "\n" for line in busy))
        arguments = ["--file", str(broken), "--index", "idx_sample_lowport"]
        with mock.patch("sys.stdout", io.StringIO()) as out, mock.patch("sys.stderr", io.StringIO()) as complaint:
            status = verify(arguments)
        self.assertEqual([line.split()[1] for line in out.getvalue().splitlines()], [first])
        expected = "idx_sample_lowport: QUERY_TIMEOUT: too long (1 levels reproduced before)\n"
        self.assertEqual((status, complaint.getvalue()), (4, expected))
        with mock.patch("sys.stdout", io.StringIO()) as out:
            status = verify([*arguments, "--observation", first])
        self.assertEqual((status, out.getvalue().splitlines()[-1]), (0, "1 of 1 levels reproduced"))

    def test_a_verification_of_a_tick_asks_for_that_tick_alone(self):
        service = Service(envelope([], page={"next_cursor": None}))
        self.assertEqual(list(verify_tick(ServedAnswers(service.client()), "idx_1", "2026-01-17T00:00:00Z")), [])
        asked = dict(service.requests[0].url.params)
        self.assertEqual(asked["start_time"], "2026-01-17T00:00:00Z")
        self.assertEqual(asked["end_time"], "2026-01-17T00:00:00.000001Z")

    def test_a_retry_waits_and_keeps_the_idempotency_key(self):
        placed = envelope({"order_id": "ord_1", "market_id": "mkt_1"})
        service = Service(refusal(429, "RATE_LIMIT_EXCEEDED", retry_after_ms=1), placed)
        order = service.client(KEY).place_order({"market_id": "mkt_1"})
        self.assertEqual(order["order_id"], "ord_1")
        keys = {request.headers["idempotency-key"] for request in service.requests}
        nonces = {request.headers["svc-access-nonce"] for request in service.requests}
        self.assertEqual((len(keys), len(nonces)), (1, 2))

    def test_a_refusal_has_its_facts_and_is_not_repeated(self):
        service = Service(refusal(422, "ORDER_TICK_SIZE_INVALID", field_violations=[{"field": "a", "message": "b"}]))
        with self.assertRaises(TidemarkError) as caught:
            service.client(KEY).place_order({})
        error = caught.exception
        self.assertEqual((error.code, error.status, error.retryable), ("ORDER_TICK_SIZE_INVALID", 422, False))
        self.assertEqual((error.stage, error.message), (12, error.error["message"]))
        self.assertEqual(error.field_violations[0]["field"], "a")
        self.assertEqual(len(service.requests), 1)

    def test_a_write_without_a_key_of_its_own_is_not_sent_again_when_no_answer_came(self):
        def lost(request):
            sent.append(request)
            raise httpx.ReadError("gone")

        sent = []
        client = Client("http://service", key=KEY, retries=FAST, transport=httpx.MockTransport(lost))
        with self.assertRaises(TidemarkError):
            client.preview_order({})
        self.assertEqual(len(sent), 1)

    def test_a_private_operation_needs_a_key(self):
        with self.assertRaises(TidemarkError) as caught:
            list(Service().client().list_balances())
        self.assertEqual(caught.exception.code, "AUTH_CREDENTIALS_INVALID")

    def test_a_foreign_service_is_named(self):
        service = Service(httpx.Response(200, text="hello"))
        with self.assertRaises(TidemarkError) as caught:
            service.client().get_time()
        self.assertEqual(caught.exception.code, "SERVICE_UNAVAILABLE")

    def test_both_clients_have_the_same_operations_and_send_the_same(self):
        names = [name for name in dir(Client) if not name.startswith("_") and name not in ("read",)]
        self.assertEqual([name for name in names if not hasattr(AsyncClient, name)], [])
        page = {"next_cursor": None}
        sync, other = Service(envelope([{"n": 1}], page=page)), Service(envelope([{"n": 1}], page=page))
        query = {"outcome_id": "out 1", "as_of": "2026-01-01T00:00:00Z"}
        listed = list(sync.client().list_trades("mkt/1", **query))

        async def run():
            async with AsyncClient("http://service", retries=FAST, transport=httpx.MockTransport(other)) as client:
                return [item async for item in client.list_trades("mkt/1", **query)]

        self.assertEqual(listed, asyncio.run(run()))
        self.assertEqual(sync.requests[0].url.raw_path, other.requests[0].url.raw_path)
        self.assertIn(b"/v1/markets/mkt%2F1/trades?outcome_id=out%201", sync.requests[0].url.raw_path)


class Signatures(unittest.TestCase):
    def test_an_order_by_the_documented_vector(self):
        terms = {
            "account_id": "acct_test",
            "market_id": "mkt_test",
            "outcome_id": "out_yes",
            "side": "BUY",
            "client_order_id": "c1",
            "maximum_fee": "0.10",
            "maximum_notional": "52.00",
            "cancel_on_pause": True,
            "order_nonce": "1",
            "limit_price": "0.52",
            "quantity": "100.00",
        }
        body = sign_order(terms, "0x" + "01" * 32, "sandbox")
        self.assertTrue(body["order_signature"].startswith("0x7842686d2a3c793612e2383d83fb88b683a2b7508bb270235c53"))
        with self.assertRaises(TidemarkError):
            sign_order({**terms, "limit_price": 0.52}, "0x" + "01" * 32, "sandbox")
        with self.assertRaisesRegex(TidemarkError, ": quantity missing; an order needs account_id, market_id"):
            sign_order({**terms, "quantity": None}, "0x" + "01" * 32, "sandbox")

    def test_a_secret_is_not_shown(self):
        self.assertNotIn("abab", repr(KEY))


class Tables(unittest.TestCase):
    def test_a_history_is_exact(self):
        table = pa.table({"level": pa.array([Decimal("0.000000001"), None], pa.decimal128(18, 9))})
        file = io.BytesIO()
        pq.write_table(table, file)
        service = Service(httpx.Response(200, content=file.getvalue()))
        found = service.client().list_index_prices("idx_1").to_table()
        self.assertEqual(service.requests[0].headers["accept"], "application/vnd.apache.parquet")
        self.assertEqual(found.to_arrow().column("level").to_pylist(), [Decimal("0.000000001"), None])
        self.assertEqual(found.to_arrow("strings").column("level").to_pylist(), ["0.000000001", None])
        with self.assertRaises(TidemarkError):
            Table(table).to_arrow("floats")

    def test_frames_and_relations_have_the_columns_of_the_table(self):
        given = []

        def of_package(name, maker):
            return mock.patch.dict(sys.modules, {name: SimpleNamespace(from_arrow=maker)})

        table = Table(pa.table({"level": ["0.5", None]}), ["level"])
        with of_package("duckdb", lambda arrow: given.append(arrow) or "relation"):
            self.assertEqual(table.to_duckdb(), "relation")
            connection = SimpleNamespace(from_arrow=lambda arrow: given.append(arrow) or "of a connection")
            self.assertEqual(table.to_duckdb(connection), "of a connection")
        with of_package("polars", lambda arrow: given.append(arrow) or "frame"):
            self.assertEqual(table.to_polars(), "frame")
        self.assertEqual({arrow.schema.field("level").type for arrow in given}, {pa.decimal128(38, 1)})
        for name, read in {"duckdb": table.to_duckdb, "polars": table.to_polars, "pandas": table.to_pandas}.items():
            with mock.patch.dict(sys.modules, {name: None}), self.assertRaises(TidemarkError) as caught:
                read()
            self.assertEqual(caught.exception.code, "EXTRA_MISSING")
            # In the public index that name is another project's.
            self.assertNotIn("tidemark[", str(caught.exception))

    def test_an_address_with_v1_and_a_day_without_a_time_are_refused_by_name(self):
        with self.assertRaisesRegex(TidemarkError, "base_url is 'http://service/v1'; expected the address without /v1"):
            tidemark.Client("http://service/v1")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "warehouse.json").write_text('{"format":1}')
            with self.assertRaisesRegex(TidemarkError, "as_of is '2026-01-01'; expected an instant such as"):
                tidemark.open(folder, as_of="2026-01-01")

    def test_text_of_a_service_becomes_decimals_and_instants(self):
        long = "9" * 39
        table = pa.table(
            {
                "level": ["38.9", "0.000000001", None, "-7"],
                "coverage_ratio": [long, None, None, None],
                "tick_at": ["2026-01-17T00:00:00Z", "2026-01-17T00:00:00.5Z", None, "2026-01-17T00:00:00.000001Z"],
                "unit": ["1", "2", "3", "4"],
            }
        )
        file = io.BytesIO()
        pq.write_table(table, file)
        found = Service(httpx.Response(200, content=file.getvalue())).client().list_index_prices("idx_1").to_table()
        arrow = found.to_arrow()
        self.assertEqual(arrow.schema.field("level").type, pa.decimal128(38, 9))
        level = [Decimal("38.9"), Decimal("0.000000001"), None, Decimal(-7)]
        self.assertEqual(arrow.column("level").to_pylist(), level)
        self.assertEqual(arrow.column("coverage_ratio").to_pylist(), [long, None, None, None])
        self.assertEqual(arrow.schema.field("tick_at").type, pa.timestamp("us", "UTC"))
        instants = arrow.column("tick_at").cast(pa.int64()).to_pylist()
        self.assertEqual(instants, [1768608000000000, 1768608000500000, None, 1768608000000001])
        self.assertEqual(arrow.column("unit").to_pylist(), ["1", "2", "3", "4"])
        self.assertEqual(found.to_arrow("strings").column("level").to_pylist(), ["38.9", "0.000000001", None, "-7"])

    def test_an_answer_of_another_shape_is_refused(self):
        bodies = ["{}", "[]", "null", '{"data": null}', '{"data": "abc"}', '{"data": [1]}']
        page = '{"data": [], "page": {"has_more": true, "next_cursor": %s}}'
        for body in [*bodies, page % "5"]:
            with self.subTest(body[:60]), self.assertRaises(TidemarkError):
                list(Service(httpx.Response(200, text=body)).client().list_indexes())
        same = [httpx.Response(200, text=page % '"same"') for _ in range(3)]
        with self.assertRaises(TidemarkError):
            list(Service(*same).client().list_indexes())
        for body in [one for one in bodies if one not in ("null", '{"data": [1]}')]:
            with self.subTest(body[:60]), self.assertRaises(TidemarkError):
                Service(httpx.Response(200, text=body)).client().get_index("idx_1")


if __name__ == "__main__":
    unittest.main()

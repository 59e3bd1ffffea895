"""Conformance vectors of datasets/vectors, each file by the part of the package that answers it."""

import json
import os
import unittest
from decimal import Decimal
from pathlib import Path

from eth_account import Account
from eth_account.messages import encode_typed_data
from eth_utils import keccak
from websockets.exceptions import ConnectionClosed

from tidemark import Key, TidemarkError
from tidemark._canonical import canonical_json, sha256_hex
from tidemark._decimals import exact, median, parse_decimal, plain, published
from tidemark._instants import SECOND, parse_instant
from tidemark.signing import (
    _integer_and_scale,
    authorization_typed_data,
    bound_nonce,
    canonical_request,
    order_typed_data,
    sign_request,
)
from tidemark.stream import Stream, _Subscription
from tidemark.verify.admission import Admitted
from tidemark.verify.level import (
    Input,
    LinkRefused,
    contribution_text,
    first_factor,
    level_text,
    linked_factor,
    sums_of,
)
from tidemark.verify.marks import is_crossed, raw_mark
from tidemark.verify.parameters import decode_parameters
from tidemark.verify.published import record_hash
from tidemark.verify.records import Quote, Resolution

CHECKOUT = Path(__file__).parents[2]
VECTORS = Path(os.environ.get("TIDEMARK_VECTORS", CHECKOUT / "datasets" / "vectors"))
PARAMETERS = decode_parameters({})


def requests_sign(given, facts):
    item = next(key for key in facts["keys"] if key["key_id"] == given["key_id"])
    key = Key(item["key_id"], item.get("secret") or item["private_key"], item["environment"], item["algorithm"])
    request = given["request"]
    signed = (request["method"], request["target"], request.get("body", "").encode())
    text = canonical_request(*signed, request["timestamp_ms"], request["nonce"], key)
    headers = sign_request(*signed, key, request["timestamp_ms"], request["nonce"])
    return {"canonical_request": text.split("\n"), "signature": headers["SVC-Access-Signature"]}


def nonce_of_key(given, facts):
    return {"nonce": bound_nonce(given["idempotency_key"], given["random"])}


def signed(typed_data, private_key):
    data = encode_typed_data(full_message=typed_data)
    return {
        "domain_separator": "0x" + data.header.hex(),
        "struct_hash": "0x" + data.body.hex(),
        "digest": "0x" + keccak(b"\x19" + data.version + data.header + data.body).hex(),
        "signature": "0x" + Account.sign_message(data, private_key).signature.hex(),
    }


def sign_order(given, facts):
    return signed(order_typed_data(given["order"], given["environment"]), given["private_key"])


def sign_authorization(given, facts):
    return signed(authorization_typed_data(given["authorization"]), given["private_key"])


def scopes_hash(given, facts):
    text = " ".join(sorted(set(given["scopes"])))
    return {"text": text, "scopes_hash": "0x" + keccak(text.encode()).hex()}


def canonical(given, facts):
    text = canonical_json(given["value"])
    return {"text": text, "sha256": sha256_hex(text)}


def hash_of(given, facts):
    return {"record_hash": record_hash(given["record"])}


def verify_record(given, facts):
    return {"is_equal": record_hash(given["record"]) == given["record_hash"]}


def parse(given, facts):
    return {"plain": plain(parse_decimal(given["text"]))}


def round_half_even(given, facts):
    return {"text": published(parse_decimal(given["value"]), given["scale"])}


@exact
def arithmetic(given, facts):
    a, b = parse_decimal(given["a"]), parse_decimal(given["b"])
    found = {"sum": a + b, "difference": a - b, "product": a * b, "quotient": a / b}
    return {name: plain(value) for name, value in found.items()}


@exact
def median_of(given, facts):
    return {"median": plain(median([parse_decimal(value) for value in given["values"]]))}


def sign_decimal(given, facts):
    integer, scale = _integer_and_scale(given["text"], "vector")
    return {"integer": str(integer), "scale": scale}


def quote_of(given, cutoff):
    if given is None:
        return None
    at = cutoff - given.get("age_s", 0) * SECOND
    trade_age = given.get("last_trade_age_s")
    names = ("bid", "ask", "bid_depth", "ask_depth", "last_trade", "reported_probability")
    return Quote(
        record_id="obs_q",
        source_at=at,
        received_at=at,
        last_trade_at=None if trade_age is None else cutoff - trade_age * SECOND,
        **{name: Decimal(given[name]) for name in names if name in given},
    )


@exact
def mark(given, facts):
    cutoff = parse_instant(facts["cutoff_at"])
    quote, resolution = quote_of(given.get("quote"), cutoff), None
    if "resolution" in given:
        stated = given["resolution"]
        at = cutoff - stated["age_s"] * SECOND
        payout = None if stated["payout"] is None else Decimal(stated["payout"])
        resolution = Resolution(
            evidence_id="res_1", source_at=at, received_at=at, finality=stated["finality"], payout=payout
        )
    admitted = Admitted(quote=quote, other=quote_of(given.get("other"), cutoff), resolution=resolution, market=None)
    found = raw_mark(admitted, (), cutoff, PARAMETERS)
    crossed = quote is not None and is_crossed(quote)
    return {
        "rule": found and found.rule,
        "value": None if found is None else published(found.value, 6),
        "reason": "CROSSED_BOOK" if crossed else None,
    }


@exact
def level(given, facts):
    inputs = [
        Input(
            weight=Decimal(item["weight"]),
            x=None if item["x"] is None else Decimal(item["x"]),
            confidence=Decimal(item["confidence"]),
            freshness=item["freshness"],
            rule=None,
        )
        for item in given["constituents"]
    ]
    sums, k = sums_of(inputs), Decimal(given["link_factor"])
    shares = [None if i.x is None else contribution_text(k, i.weight, i.x, sums.used_weight) for i in inputs]
    return {
        "level": None if sums.s is None else level_text(k, sums.s),
        "s": None if sums.s is None else plain(sums.s),
        "coverage_ratio": published(sums.coverage_ratio, 6),
        "usable_ratio": published(sums.usable_ratio, 6),
        "confidence": published(sums.confidence, 4),
        "contributions": shares,
    }


@exact
def base_factor(given, facts):
    return {"link_factor": published(first_factor(Decimal(given["base_value"]), Decimal(given["s"])), 12)}


@exact
def link_factor(given, facts):
    old, new = (None if given[name] is None else Decimal(given[name]) for name in ("s_old", "s_new"))
    found = linked_factor(Decimal(given["k_old"]), old, new, Decimal(given["k_first"]), PARAMETERS)
    return {"link_factor": published(found, 12)}


def follow(given, facts):
    resume = given["resume"] or {"epoch": None, "after_seq": 0}
    stream = Stream("http://service")
    subscription = _Subscription(given["topic"], {}, "s1", resume["epoch"], resume["after_seq"])
    stream._subscriptions.append(subscription)
    heard = []
    for message in given["messages"]:
        try:
            if message["type"] == "subscribed":
                subscription.begin(message)
            else:
                stream._follow(message)
            heard.append("taken")
        except ConnectionClosed:
            heard.append("missing")
    return {"heard": heard}


OPERATIONS = {
    "sign": requests_sign,
    "bound_nonce": nonce_of_key,
    "sign_order": sign_order,
    "sign_authorization": sign_authorization,
    "scopes_hash": scopes_hash,
    "canonical_json": canonical,
    "record_hash": hash_of,
    "verify_record": verify_record,
    "parse": parse,
    "round": round_half_even,
    "arithmetic": arithmetic,
    "median": median_of,
    "sign_decimal": sign_decimal,
    "mark": mark,
    "level": level,
    "base_factor": base_factor,
    "link_factor": link_factor,
    "follow": follow,
}
"""Operations that the package has, with the fields that it answers."""

OF_SERVICES = {"authenticate", "verify_order", "candles", "as_of"}
"""Operations of a service, which the package does not have."""


class Vectors(unittest.TestCase):
    def test_every_case_has_its_answer_or_its_error(self):
        ran = 0
        for path in sorted(VECTORS.glob("*.json")):
            file = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(file["format"], "tidemark-vectors-1")
            for case in file["cases"]:
                if case["operation"] in OF_SERVICES:
                    continue
                with self.subTest(f"{path.name}: {case['operation']}: {case['name']}"):
                    self.run_case(case, file)
                ran += 1
        self.assertGreater(ran, 200)

    def run_case(self, case, facts):
        operation = OPERATIONS[case["operation"]]
        if "error" not in case:
            answer = operation(case["input"], facts)
            self.assertEqual(answer, {name: case["expected"][name] for name in answer})
            return
        with self.assertRaises(Exception) as caught:
            operation(case["input"], facts)
        if isinstance(caught.exception, (TidemarkError, LinkRefused)):
            self.assertEqual(caught.exception.code, case["error"]["code"])
        else:
            self.assertNotIsInstance(caught.exception, (KeyError, AttributeError))


if __name__ == "__main__":
    unittest.main()

"""Request and order signatures a second time, written from docs/signing.md alone: reads one JSON object a line, answers one a line.

request  {"kind": "request", "request": {...}, "key": {...}}              -> {"canonical_request", "signature"}
order    {"kind": "order", "body": {...}, "environment", "private_key"}   -> {"digest", "domain_separator", "signature", "recovered"}
authorization  likewise
With "verify": a signature, `recovered` is who made that one.
"""

import hashlib
import hmac
import json
import re
import sys
from datetime import datetime
from urllib.parse import quote, unquote

from Crypto.PublicKey import ECC
from Crypto.Signature import eddsa
from eth_account import Account
from eth_account.messages import SignableMessage, encode_typed_data
from eth_utils import keccak

ORDER_TYPE = (
    "SvcOrder(string account,address signer,string market,string outcome,string side,uint128 limit_price_integer,"
    "uint8 limit_price_scale,uint128 quantity_integer,uint8 quantity_scale,string time_in_force,uint64 expiry,bool post_only,"
    "bool reduce_only,bool cancel_on_pause,string self_trade_prevention,bytes32 client_order_id_hash,uint256 nonce,"
    "uint128 maximum_fee_integer,uint8 maximum_fee_scale,uint128 maximum_notional_integer,uint8 maximum_notional_scale,"
    "string settlement_asset,string signature_version)"
)
AUTHORIZATION_TYPE = (
    "SvcApiAuthorization(address owner,address signer,string account,string api_key_id,bytes32 scopes_hash,string environment,"
    "uint64 issued_at,uint64 expiry,uint256 nonce,string authorization_version)"
)


def written(part):
    return quote(unquote(part, errors="strict"), safe="")


def canonical_request(request, key):
    path, _, query = request["target"].partition("?")
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    pairs = sorted((written(name.replace("+", " ")), written(value.replace("+", " "))) for name, _, value in pairs)
    lines = {
        "SVC-Access-Signature-Version": "v1",
        "method": request["method"].upper(),
        "path": "/".join(written(segment) for segment in path.split("/")),
        "query": "&".join(f"{name}={value}" for name, value in pairs),
        "body_sha256": hashlib.sha256(request.get("body", "").encode()).hexdigest(),
        "timestamp": str(request["timestamp_ms"]),
        "nonce": request["nonce"],
        "key_id": key["key_id"],
        "environment": key["environment"],
    }
    return "\n".join(f"{label}:{value}" for label, value in lines.items())


def sign_request(request, key):
    text = canonical_request(request, key)
    if key["algorithm"] == "hmac-sha256":
        signature = hmac.new(bytes.fromhex(key["secret"]), text.encode(), hashlib.sha256).hexdigest()
    else:
        private_key = ECC.construct(curve="Ed25519", seed=bytes.fromhex(key["private_key"]))
        signature = eddsa.new(private_key, "rfc8032").sign(text.encode()).hex()
    return {"canonical_request": text, "signature": signature}


def integer_and_scale(decimal):
    match = re.fullmatch(r"(0|[1-9][0-9]*)(?:\.([0-9]{1,18}))?", decimal)
    whole, fraction = match.group(1), match.group(2) or ""
    return int(whole + fraction), len(fraction)


def seconds(instant):
    return 0 if instant is None else int(datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp())


def order_message(body):
    pairs = {name: integer_and_scale(body[name]) for name in ("limit_price", "quantity", "maximum_fee", "maximum_notional")}
    message = {
        "account": body["account_id"],
        "signer": body["signer"],
        "market": body["market_id"],
        "outcome": body["outcome_id"],
        "expiry": seconds(body["expires_at"]),
        "client_order_id_hash": keccak(text=body["client_order_id"]),
        "nonce": int(body["order_nonce"]),
        "settlement_asset": body["settlement_asset_id"],
    }
    for name in ("side", "time_in_force", "post_only", "reduce_only", "cancel_on_pause"):
        message[name] = body[name]
    for name in ("self_trade_prevention", "signature_version"):
        message[name] = body[name]
    for name, (integer, scale) in pairs.items():
        message[f"{name}_integer"], message[f"{name}_scale"] = integer, scale
    return message


def authorization_message(body):
    return {**body, "nonce": int(body["nonce"]), "scopes_hash": bytes.fromhex(body["scopes_hash"][2:])}


def signable(type_string, message, environment) -> SignableMessage:
    name, _, fields = type_string.rstrip(")").partition("(")
    types = [dict(zip(("type", "name"), field.split(" "))) for field in fields.split(",")]
    domain = {"name": name, "version": "1", "salt": keccak(text=f"svc:{environment}")}
    return encode_typed_data(domain_data=domain, message_types={name: types}, message_data=message)


def sign_typed(type_string, message, task):
    data = signable(type_string, message, task["environment"])
    answer = {
        "digest": "0x" + keccak(b"\x19" + data.version + data.header + data.body).hex(),
        "domain_separator": "0x" + data.header.hex(),
    }
    signature = task.get("verify")
    if "private_key" in task:
        signature = "0x" + Account.sign_message(data, task["private_key"]).signature.hex()
        answer["signature"] = signature
    if signature is not None:
        answer["recovered"] = Account.recover_message(data, signature=signature).lower()
    return answer


def answer_to(task):
    if task["kind"] == "request":
        return sign_request(task["request"], task["key"])
    if task["kind"] == "order":
        return sign_typed(ORDER_TYPE, order_message(task["body"]), task)
    return sign_typed(AUTHORIZATION_TYPE, authorization_message(task["body"]), task)


for line in sys.stdin:
    print(json.dumps(answer_to(json.loads(line))), flush=True)

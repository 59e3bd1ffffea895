"""A client of the private API written from its documentation alone: eth-account and the standard library, nothing of the server.

Money and prices are decimal strings; nothing here is a float.
"""

import hashlib
import hmac
import json
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field

from eth_account import Account
from eth_account.messages import encode_typed_data
from eth_utils import keccak

ORDER_FIELDS = (
    "string account,address signer,string market,string outcome,string side,uint128 limit_price_integer,"
    "uint8 limit_price_scale,uint128 quantity_integer,uint8 quantity_scale,string time_in_force,uint64 expiry,bool post_only,"
    "bool reduce_only,bool cancel_on_pause,string self_trade_prevention,bytes32 client_order_id_hash,uint256 nonce,"
    "uint128 maximum_fee_integer,uint8 maximum_fee_scale,uint128 maximum_notional_integer,uint8 maximum_notional_scale,"
    "string settlement_asset,string signature_version"
)
AUTHORIZATION_FIELDS = (
    "address owner,address signer,string account,string api_key_id,bytes32 scopes_hash,string environment,uint64 issued_at,"
    "uint64 expiry,uint256 nonce,string authorization_version"
)


def fields(text):
    return [dict(zip(("type", "name"), one.split(" "))) for one in text.split(",")]


def sign_typed(name, type_text, message, environment, private_key):
    """EIP-712 with the domain of an environment: name, version and salt, no chain and no contract."""
    domain = {"name": name, "version": "1", "salt": keccak(text=f"svc:{environment}")}
    types = {
        "EIP712Domain": fields("string name,string version,bytes32 salt"),
        name: fields(type_text),
    }
    full = {"types": types, "primaryType": name, "domain": domain, "message": message}
    signed = Account.sign_message(encode_typed_data(full_message=full), private_key)
    return "0x" + bytes(signed.signature).hex()


def integer_and_scale(decimal):
    """The pair that is signed: the digits as written, and how many of them are a fraction."""
    whole, _, fraction = decimal.partition(".")
    return int(whole + fraction), len(fraction)


def order_message(body):
    price, quantity, fee, notional = (
        integer_and_scale(body[name]) for name in ("limit_price", "quantity", "maximum_fee", "maximum_notional")
    )
    expires_at = body["expires_at"]
    expiry = 0 if expires_at is None else int(time.mktime(time.strptime(expires_at, "%Y-%m-%dT%H:%M:%SZ")) - time.timezone)
    return {
        "account": body["account_id"],
        "signer": body["signer"],
        "market": body["market_id"],
        "outcome": body["outcome_id"],
        "side": body["side"],
        "limit_price_integer": price[0],
        "limit_price_scale": price[1],
        "quantity_integer": quantity[0],
        "quantity_scale": quantity[1],
        "time_in_force": body["time_in_force"],
        "expiry": expiry,
        "post_only": body["post_only"],
        "reduce_only": body["reduce_only"],
        "cancel_on_pause": body["cancel_on_pause"],
        "self_trade_prevention": body["self_trade_prevention"],
        "client_order_id_hash": keccak(text=body["client_order_id"]),
        "nonce": int(body["order_nonce"]),
        "maximum_fee_integer": fee[0],
        "maximum_fee_scale": fee[1],
        "maximum_notional_integer": notional[0],
        "maximum_notional_scale": notional[1],
        "settlement_asset": body["settlement_asset_id"],
        "signature_version": body["signature_version"],
    }


def encoded(text):
    return urllib.parse.quote(str(text), safe="-._~")


@dataclass
class Answer:
    status: int
    body: dict
    headers: dict

    @property
    def data(self):
        return self.body.get("data")

    @property
    def code(self):
        return (self.body.get("error") or {}).get("code")


@dataclass
class Client:
    """One key of one account. `send` does one request and hides nothing: refusals are answers."""

    base_url: str
    environment: str
    account_id: str
    key_id: str
    secret: str
    private_key: str
    asset_id: str = "asset_usd"
    algorithm: str = "hmac-sha256"
    address: str = field(init=False)

    def __post_init__(self):
        self.address = Account.from_key(self.private_key).address

    def signature(self, text):
        if self.algorithm == "hmac-sha256":
            return hmac.new(bytes.fromhex(self.secret), text.encode(), hashlib.sha256).hexdigest()
        from Crypto.PublicKey import ECC
        from Crypto.Signature import eddsa

        key = ECC.construct(curve="Ed25519", seed=bytes.fromhex(self.secret))
        return eddsa.new(key, "rfc8032").sign(text.encode()).hex()

    def headers(self, method, path, query, body, **changes):
        """The headers of a signed request; `changes` replace what is signed, or with a leading underscore what is sent."""
        signed = {
            "timestamp": str(int(time.time() * 1000)),
            "nonce": secrets.token_hex(12),
            "key_id": self.key_id,
            "environment": self.environment,
            **{name: value for name, value in changes.items() if not name.startswith("_")},
        }
        text = "\n".join(
            [
                "SVC-Access-Signature-Version:v1",
                f"method:{method}",
                f"path:{path}",
                f"query:{query}",
                f"body_sha256:{hashlib.sha256(body).hexdigest()}",
                f"timestamp:{signed['timestamp']}",
                f"nonce:{signed['nonce']}",
                f"key_id:{signed['key_id']}",
                f"environment:{signed['environment']}",
            ]
        )
        return {
            "SVC-Access-Key": changes.get("_key_id", signed["key_id"]),
            "SVC-Access-Timestamp": changes.get("_timestamp", signed["timestamp"]),
            "SVC-Access-Nonce": changes.get("_nonce", signed["nonce"]),
            "SVC-Access-Signature": changes.get("_signature", self.signature(text)),
            "SVC-Access-Signature-Version": "v1",
        }

    def send(self, method, path, query=None, body=None, idempotency_key="", **changes):
        """@param idempotency_key '' makes one up for a write, None leaves it out"""
        pairs = sorted((encoded(name), encoded(value)) for name, value in (query or {}).items())
        query_text = "&".join(f"{name}={value}" for name, value in pairs)
        raw = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
        full_path = f"/v1{path}"
        headers = self.headers(method, full_path, query_text, raw, **changes)
        if body is not None:
            headers["Content-Type"] = "application/json"
        if method != "GET" and idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key or secrets.token_hex(16)
        url = f"{self.base_url}{full_path}" + (f"?{query_text}" if query_text else "")
        request = urllib.request.Request(url, data=raw or None, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return Answer(response.status, json.loads(response.read()), lower(response.headers))
        except urllib.error.HTTPError as error:
            return Answer(error.code, json.loads(error.read()), lower(error.headers))

    def get(self, path, **query):
        return self.send("GET", path, query)

    def post(self, path, body, **options):
        return self.send("POST", path, None, body, **options)

    def pages(self, path, **query):
        """All items of a list, page by page."""
        items, cursor = [], None
        while True:
            answer = self.get(path, **query, **({} if cursor is None else {"cursor": cursor}))
            assert answer.status == 200, answer
            items += answer.data
            cursor = answer.body["page"]["next_cursor"]
            if cursor is None:
                return items

    def order(self, sign_as=None, signed=None, **terms):
        """The signed body of an order. `signed` replaces fields of the message alone, so that it no longer fits the body."""
        body = {
            "client_order_id": secrets.token_hex(8),
            "account_id": self.account_id,
            "signer": self.address,
            "side": "BUY",
            "order_type": "limit",
            "time_in_force": "GTC",
            "expires_at": None,
            "post_only": False,
            "reduce_only": False,
            "cancel_on_pause": True,
            "self_trade_prevention": "cancel_taker",
            "maximum_fee": "100.00",
            "maximum_notional": "1000000.00",
            "settlement_asset_id": self.asset_id,
            "signature_type": "eoa",
            "signature_version": "1",
            "order_nonce": str(secrets.randbits(200)),
            **terms,
        }
        message = {**order_message(body), **(signed or {})}
        key = sign_as or self.private_key
        return {**body, "order_signature": sign_typed("SvcOrder", ORDER_FIELDS, message, self.environment, key)}

    def consent(self, key_id, scopes):
        """The owner's consent to a change of another key."""
        names = ("authorization", "authorization_signature", "signature_type")
        body = self.key_body(key_id, scopes)
        return {name: body[name] for name in names}

    def key_body(self, key_id, scopes, **terms):
        """The body that makes a key, authorized by the owner's signature."""
        now = int(time.time())
        authorization = {
            "owner": self.address,
            "signer": self.address,
            "account": self.account_id,
            "api_key_id": key_id,
            "scopes_hash": "0x" + keccak(text=" ".join(sorted(scopes))).hex(),
            "environment": self.environment,
            "issued_at": now,
            "expiry": 0,
            "nonce": str(secrets.randbits(200)),
            "authorization_version": "1",
        }
        message = {
            **authorization,
            "scopes_hash": bytes.fromhex(authorization["scopes_hash"][2:]),
            "nonce": int(authorization["nonce"]),
        }
        name = "SvcApiAuthorization"
        return {
            "key_id": key_id,
            "environment": self.environment,
            "label": "made in Python",
            "algorithm": "hmac-sha256",
            "public_key": None,
            "scopes": scopes,
            "ip_allowlist": [],
            "expires_at": None,
            "authorization": authorization,
            "authorization_signature": sign_typed(name, AUTHORIZATION_FIELDS, message, self.environment, self.private_key),
            "signature_type": "eoa",
            **terms,
        }


def lower(headers):
    return {name.lower(): value for name, value in headers.items()}

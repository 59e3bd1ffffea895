"""Signatures of requests (HMAC-SHA-256 or Ed25519) and of orders and authorizations (EIP-712), by docs/signing.md."""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote, unquote

from ._instants import SECOND, parse_instant
from .errors import client_error, missing_extra

SIGNATURE_VERSION = "v1"
MESSAGE_VERSION = "1"
_DECIMAL = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]{1,18}))?")
_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
"""Percent sign that begins no escape."""
_PREFIX = "SVC-Access"


@dataclass(frozen=True)
class Key:
    """API key. `secret` is the hex secret of an HMAC key, or the hex private key (32 bytes) of an Ed25519 key."""

    key_id: str
    secret: str = field(repr=False)
    environment: str
    algorithm: str = "hmac-sha256"

    def __post_init__(self) -> None:
        if self.algorithm not in ("hmac-sha256", "ed25519"):
            raise client_error(
                "VALIDATION_USAGE_INVALID", f"algorithm is {self.algorithm!r}; expected hmac-sha256 or ed25519"
            )

    def sign(self, text: str) -> str:
        """Signs a canonical request; returns lower-case hex."""
        if self.algorithm == "hmac-sha256":
            return hmac.new(bytes.fromhex(self.secret), text.encode(), hashlib.sha256).hexdigest()
        try:
            from Crypto.PublicKey import ECC
            from Crypto.Signature import eddsa
        except ImportError as error:
            raise missing_extra("trading", "pycryptodome") from error
        seed: Any = bytes.fromhex(self.secret)
        key = ECC.construct(curve="Ed25519", seed=seed)
        return eddsa.new(key, "rfc8032").sign(text.encode()).hex()


def _written(part: str) -> str:
    """Decodes and encodes a part again, so that one form is signed."""
    try:
        if _ESCAPE.search(part) is None:
            return quote(unquote(part, errors="strict"), safe="")
    except UnicodeError:
        pass
    raise client_error(
        "VALIDATION_REQUEST_MALFORMED", f"the address has {part!r}; expected UTF-8 with escapes of the form %XX"
    )


def canonical_request(method: str, target: str, body: bytes, timestamp_ms: int, nonce: str, key: Key) -> str:
    """Returns the nine lines that a request signature covers. `target`: path and query as sent."""
    path, _, query = target.partition("?")
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    encoded = sorted((_written(name.replace("+", " ")), _written(value.replace("+", " "))) for name, _, value in pairs)
    lines = {
        f"{_PREFIX}-Signature-Version": SIGNATURE_VERSION,
        "method": method.upper(),
        "path": "/".join(_written(segment) for segment in path.split("/")),
        "query": "&".join(f"{name}={value}" for name, value in encoded),
        "body_sha256": hashlib.sha256(body).hexdigest(),
        "timestamp": str(timestamp_ms),
        "nonce": nonce,
        "key_id": key.key_id,
        "environment": key.environment,
    }
    return "\n".join(f"{label}:{value}" for label, value in lines.items())


def bound_nonce(idempotency_key: str, random_hex: str) -> str:
    """Returns a nonce that names an Idempotency-Key. `random_hex`: 26 hex digits, new for each attempt."""
    return f"once-{hashlib.sha256(idempotency_key.encode()).hexdigest()[:32]}-{random_hex}"


def _new_nonce(idempotency_key: str | None) -> str:
    return secrets.token_urlsafe(24) if idempotency_key is None else bound_nonce(idempotency_key, secrets.token_hex(13))


_AHEAD_MS_MAX = 300_000
"""Greatest difference of two clocks that is corrected. Whoever answers could otherwise get signatures of a later time."""


def aligned_ms(server_time_ms: Any) -> int:
    """Returns the time of a service minus that of this machine; raises TidemarkError if they differ by too much."""
    now_ms = time.time_ns() // 1_000_000
    if isinstance(server_time_ms, int) and abs(server_time_ms - now_ms) <= _AHEAD_MS_MAX:
        return server_time_ms - now_ms
    clocks = f"the clock of this machine says {_clock(now_ms)}, the service {_clock(server_time_ms)}"
    raise client_error("AUTH_TIMESTAMP_OUT_OF_WINDOW", f"{clocks}; expected at most {_AHEAD_MS_MAX // 1000} s apart")


def _clock(time_ms: Any) -> str:
    try:
        return datetime.fromtimestamp(time_ms / 1000, timezone.utc).isoformat().replace("+00:00", "Z")
    except (TypeError, ValueError, OverflowError, OSError):
        return repr(time_ms)


def sign_request(
    method: str,
    target: str,
    body: bytes,
    key: Key,
    timestamp_ms: int,
    nonce: str | None = None,
    *,
    idempotency_key: str | None = None,
) -> dict[str, str]:
    """Returns the five headers of a signed request. Each call has a nonce of its own.

    `idempotency_key`: that of a write; the nonce names it, so that the signature covers it.
    """
    used = _new_nonce(idempotency_key) if nonce is None else nonce
    text = canonical_request(method, target, body, timestamp_ms, used, key)
    return {
        f"{_PREFIX}-Key": key.key_id,
        f"{_PREFIX}-Timestamp": str(timestamp_ms),
        f"{_PREFIX}-Nonce": used,
        f"{_PREFIX}-Signature": key.sign(text),
        f"{_PREFIX}-Signature-Version": SIGNATURE_VERSION,
    }


ORDER_TYPE = (
    "SvcOrder(string account,address signer,string market,string outcome,string side,uint128 limit_price_integer,"
    "uint8 limit_price_scale,uint128 quantity_integer,uint8 quantity_scale,string time_in_force,uint64 expiry,"
    "bool post_only,bool reduce_only,bool cancel_on_pause,string self_trade_prevention,bytes32 client_order_id_hash,"
    "uint256 nonce,uint128 maximum_fee_integer,uint8 maximum_fee_scale,uint128 maximum_notional_integer,"
    "uint8 maximum_notional_scale,string settlement_asset,string signature_version)"
)
"""Type string of a signed order."""

AUTHORIZATION_TYPE = (
    "SvcApiAuthorization(address owner,address signer,string account,string api_key_id,bytes32 scopes_hash,"
    "string environment,uint64 issued_at,uint64 expiry,uint256 nonce,string authorization_version)"
)
"""Type string of a signed authorization."""

_DOMAIN_TYPE = [
    {"name": "name", "type": "string"},
    {"name": "version", "type": "string"},
    {"name": "salt", "type": "bytes32"},
]


def _integer_and_scale(decimal: Any, name: str) -> tuple[int, int]:
    """Splits a decimal as it is written: its digits, and the number of digits behind the point."""
    match = _DECIMAL.fullmatch(decimal) if isinstance(decimal, str) else None
    if match is None:
        raise client_error(
            "VALIDATION_DECIMAL_INVALID", f"{name} is {decimal!r}; expected a decimal string such as '0.52'"
        )
    whole, fraction = match.group(1), match.group(2) or ""
    integer = int(whole + fraction)
    if integer >= 1 << 128:
        raise client_error("VALIDATION_DECIMAL_INVALID", f"{name} is {decimal}; expected less than 2^128")
    return integer, len(fraction)


def _seconds(instant: Any, name: str) -> int:
    if instant is None:
        return 0
    micros = parse_instant(instant, name)
    if micros % SECOND:
        raise client_error("VALIDATION_INSTANT_INVALID", f"{name} is {instant}; expected whole seconds")
    return micros // SECOND


def _typed_data(type_string: str, message: Mapping[str, Any], environment: str) -> dict[str, Any]:
    name, _, fields = type_string.rstrip(")").partition("(")
    members = [dict(zip(("type", "name"), item.split(" "), strict=True)) for item in fields.split(",")]
    return {
        "types": {"EIP712Domain": _DOMAIN_TYPE, name: members},
        "primaryType": name,
        "domain": {"name": name, "version": "1", "salt": _keccak(f"svc:{environment}".encode())},
        "message": dict(message),
    }


def order_typed_data(body: Mapping[str, Any], environment: str) -> dict[str, Any]:
    """Returns the typed data of an order body, whose decimals are signed as they are written."""
    decimals = ("limit_price", "quantity", "maximum_fee", "maximum_notional")
    pairs = {name: _integer_and_scale(body[name], name) for name in decimals}
    message = {
        "account": body["account_id"],
        "signer": body["signer"],
        "market": body["market_id"],
        "outcome": body["outcome_id"],
        "side": body["side"],
        "time_in_force": body["time_in_force"],
        "expiry": _seconds(body.get("expires_at"), "expires_at"),
        "post_only": body["post_only"],
        "reduce_only": body["reduce_only"],
        "cancel_on_pause": body["cancel_on_pause"],
        "self_trade_prevention": body["self_trade_prevention"],
        "client_order_id_hash": _keccak(body["client_order_id"].encode()),
        "nonce": int(body["order_nonce"]),
        "settlement_asset": body["settlement_asset_id"],
        "signature_version": body["signature_version"],
    }
    for name, (integer, scale) in pairs.items():
        message |= {f"{name}_integer": integer, f"{name}_scale": scale}
    return _typed_data(ORDER_TYPE, message, environment)


ORDER_DEFAULTS: Mapping[str, Any] = {
    "order_type": "limit",
    "time_in_force": "GTC",
    "expires_at": None,
    "post_only": False,
    "reduce_only": False,
    "cancel_on_pause": False,
    "self_trade_prevention": "cancel_taker",
    "settlement_asset_id": "asset_usd",
}
"""Terms of an order that its caller may leave out."""

_ORDER_REQUIRED = ("account_id", "market_id", "outcome_id", "side", "limit_price", "quantity", "maximum_fee")
_NEEDED = ", ".join(_ORDER_REQUIRED)


def sign_order(terms: Mapping[str, Any], private_key: str, environment: str) -> dict[str, Any]:
    """Returns the signed body of an order.

    Left out terms have ORDER_DEFAULTS. Without `maximum_notional` it is limit_price x quantity; without `order_nonce` and
    `client_order_id` they are random.
    """
    missing = [name for name in _ORDER_REQUIRED if terms.get(name) is None]
    if missing:
        raise client_error("VALIDATION_USAGE_INVALID", f"{', '.join(missing)} missing; an order needs {_NEEDED}")
    body: dict[str, Any] = {**ORDER_DEFAULTS, **terms}
    if "maximum_notional" not in body:
        body["maximum_notional"] = _product(body["limit_price"], body["quantity"])
    body.setdefault("client_order_id", secrets.token_hex(12))
    body.setdefault("order_nonce", str(secrets.randbits(128)))
    body |= {"signer": address_of(private_key), "signature_version": MESSAGE_VERSION, "signature_type": "eoa"}
    body["order_signature"] = _sign(order_typed_data(body, environment), private_key)
    return body


def _product(price: Any, quantity: Any) -> str:
    """Multiplies two decimals exactly."""
    left, right = _integer_and_scale(price, "limit_price"), _integer_and_scale(quantity, "quantity")
    scale = left[1] + right[1]
    digits = str(left[0] * right[0]).rjust(scale + 1, "0")
    text = f"{digits[: len(digits) - scale]}.{digits[len(digits) - scale :]}"
    return text.rstrip("0").rstrip(".")


def sign_authorization(
    owner_key: str,
    environment: str,
    *,
    account_id: str,
    key_id: str,
    scopes: Iterable[str],
    issued_at_s: int,
    signer: str | None = None,
    expiry_s: int = 0,
    nonce: str | None = None,
) -> dict[str, Any]:
    """Signs a permission for a key as the owner of an account. Returns the fields of a request that creates a key.

    `expiry_s` 0 means until revoked; the signer is the owner unless stated.
    """
    owner = address_of(owner_key).lower()
    authorization: dict[str, Any] = {
        "owner": owner,
        "signer": (signer or owner).lower(),
        "account": account_id,
        "api_key_id": key_id,
        "scopes_hash": "0x" + _keccak(" ".join(sorted(set(scopes))).encode()).hex(),
        "environment": environment,
        "issued_at": issued_at_s,
        "expiry": expiry_s,
        "nonce": str(secrets.randbits(128)) if nonce is None else nonce,
        "authorization_version": MESSAGE_VERSION,
    }
    signature = _sign(authorization_typed_data(authorization), owner_key)
    return {"authorization": authorization, "authorization_signature": signature, "signature_type": "eoa"}


def authorization_typed_data(authorization: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the typed data of an authorization as a body carries it."""
    scopes_hash = bytes.fromhex(str(authorization["scopes_hash"])[2:])
    if len(scopes_hash) != 32:
        raise client_error("VALIDATION_BODY_INVALID", f"scopes_hash has {len(scopes_hash)} bytes; expected 32")
    message = {**authorization, "nonce": int(authorization["nonce"]), "scopes_hash": scopes_hash}
    return _typed_data(AUTHORIZATION_TYPE, message, authorization["environment"])


def address_of(private_key: str) -> str:
    """Returns the address of a private key."""
    return str(_accounts().from_key(private_key).address)


def _sign(typed_data: dict[str, Any], private_key: str) -> str:
    accounts = _accounts()
    signed = accounts.sign_typed_data(private_key, full_message=typed_data)
    return "0x" + bytes(signed.signature).hex()


def _accounts() -> Any:
    try:
        from eth_account import Account
    except ImportError as error:
        raise missing_extra("trading", "eth-account") from error
    return Account


def _keccak(data: bytes) -> bytes:
    try:
        from eth_utils import keccak
    except ImportError as error:
        raise missing_extra("trading", "eth-account") from error
    return bytes(keccak(data))

"""Tries every private endpoint of a running service with two accounts, and compares what it answers with what was worked out by hand.

  python trading_checks.py READY_FILE MARKET YES NO

READY_FILE names the service and two funded accounts (`tidemark up --ready-file`); MARKET is an open market where nobody else trades,
with increments of 0.01, a taker fee of 0.02 x min(price, 1 - price) x quantity, and none for makers. Ends with 1 at a difference.
"""

import json
import secrets
import sys
import time
from decimal import Decimal

from trading_client import Client

ready = json.load(open(sys.argv[1]))
MARKET, YES, NO = sys.argv[2:5]
PATH = "/orders"
checks = 0
failures = []


def same(name, got, wanted):
    global checks
    checks += 1
    if got != wanted:
        failures.append(f"{name}: got {got!r}, wanted {wanted!r}")
        print(failures[-1], flush=True)


def refused(name, answer, status, code):
    same(name, (answer.status, answer.code), (status, code))
    same(f"{name}: request id", answer.body["error"]["request_id"], answer.headers["svc-request-id"])


def client_of(account, **changes):
    terms = {
        "base_url": ready["base_url"],
        "environment": ready["environment"],
        "account_id": account["account_id"],
        "key_id": account["key_id"],
        "secret": account["secret"],
        "private_key": account["owner_private_key"],
        "asset_id": account["asset_id"],
    }
    return Client(**{**terms, **changes})


# The last two: with the others something may have been traded before.
accounts = ready["sandbox_accounts"][-2:]
a, b = (client_of(account) for account in accounts)
on_yes = {"market_id": MARKET, "outcome_id": YES}


def place(client, side, price, quantity, **terms):
    return client.post(PATH, client.order(**on_yes, side=side, limit_price=price, quantity=quantity, **terms))


def balance(client):
    [found] = client.get("/balances", asset_id=client.asset_id).data
    return found


def available(client):
    return Decimal(balance(client)["available"])


def position(client):
    found = client.pages("/positions", market_id=MARKET, outcome_id=YES)
    return found[0] if found else None


def check_accounts():
    for client, account in zip((a, b), accounts):
        same("owner", client.address.lower(), account["owner_address"].lower())
        found = balance(client)
        same("balance of the ready file", Decimal(found["total"]), Decimal(account["balance"]))
        same("balance: account", found["account_id"], client.account_id)
    same("positions: none yet", a.pages("/positions", market_id=MARKET, nonzero_only="true"), [])
    policy = a.get("/account/policy")
    same("policy", (policy.status, policy.data["default_self_trade_prevention"]), (200, "cancel_taker"))
    same("an unknown filter", a.get("/balances", bogus="1").code, "VALIDATION_PARAMETER_UNKNOWN")
    refused("as_of to come", a.get("/balances", as_of="2099-01-01T00:00:00Z"), 400, "VALIDATION_AS_OF_IN_FUTURE")


def check_identity():
    refused("no such key", a.send("GET", PATH, key_id="key_0000000000000000"), 401, "AUTH_CREDENTIALS_INVALID")
    refused("another signature", a.send("GET", PATH, _signature="00" * 32), 401, "AUTH_CREDENTIALS_INVALID")
    refused("another path signed", a.send("GET", "/fills", _nonce="changed-nonce-1"), 401, "AUTH_CREDENTIALS_INVALID")
    late = str(int(time.time() * 1000) - 60_000)
    stale = a.send("GET", PATH, timestamp=late)
    refused("an old timestamp", stale, 401, "AUTH_TIMESTAMP_OUT_OF_WINDOW")
    same("server time is told", abs(stale.body["error"]["server_time_ms"] - time.time() * 1000) < 30_000, True)
    body = a.order(**on_yes, limit_price="0.10", quantity="1.00")
    nonce = secrets.token_hex(12)
    first = a.post(PATH, body, nonce=nonce)
    same("first use of a nonce", first.status, 201)
    refused("a nonce used twice", a.post(PATH, body, nonce=nonce), 409, "REPLAY_REQUEST_NONCE_REUSED")
    refused("no Idempotency-Key", a.post(PATH, body, idempotency_key=None), 400, "IDEMPOTENCY_KEY_REQUIRED")
    same("taken back", a.post(f"{PATH}/{first.data['order_id']}/cancel", {}).data["status"], "canceled")


def check_order_and_cancel():
    before = available(a)
    key = secrets.token_hex(8)
    body = a.order(**on_yes, limit_price="0.62", quantity="100.00")
    placed = a.post(PATH, body, idempotency_key=key)
    order = placed.data
    same("placed", (placed.status, order["status"], order["client_order_id"]), (201, "open", body["client_order_id"]))
    same("Location", placed.headers["location"], f"/v1/orders/{order['order_id']}")
    # T1: 0.62 x 100 and a fee buffer of 0.02 x 0.5 x 100.
    same("reserved", Decimal(order["reserved_amount"]), Decimal("63.000000"))
    same("available falls by it", before - available(a), Decimal("63.000000"))
    again = a.post(PATH, body, idempotency_key=key)
    same("the same again", (again.status, again.data), (201, order))
    same("is said to be", again.headers.get("svc-idempotent-replay"), "true")
    other = {**body, "labels": {"note": "another body"}}
    refused("another body under the key", a.post(PATH, other, idempotency_key=key), 409, "IDEMPOTENCY_CONFLICT")
    spent = a.order(**on_yes, limit_price="0.62", quantity="1.00", order_nonce=body["order_nonce"])
    refused("its order nonce again", a.post(PATH, spent), 409, "REPLAY_ORDER_NONCE_REUSED")
    fresh = a.order(**on_yes, limit_price="0.62", quantity="1.00", client_order_id=body["client_order_id"])
    refused("its client id again", a.post(PATH, fresh), 409, "ORDER_DUPLICATE_CLIENT_ID")
    path = f"{PATH}/{order['order_id']}"
    same("read", a.get(path).data["order_id"], order["order_id"])
    refused("another account's", b.get(path), 404, "ORDER_NOT_FOUND")
    refused("none", a.get(f"{PATH}/ord_{'0' * 32}"), 404, "ORDER_NOT_FOUND")
    found = a.pages(PATH, client_order_id=body["client_order_id"])
    same("listed by client id", [one["order_id"] for one in found], [order["order_id"]])
    same("listed by status", order["order_id"] in [one["order_id"] for one in a.pages(PATH, status="open", limit="1")], True)
    same("not as a sale", [one for one in a.pages(PATH, side="SELL", market_id=MARKET, status="open")], [])
    conflict = a.post(f"{path}/cancel", {"expected_order_version": order["version"] + 7})
    refused("a stale version", conflict, 409, "ORDER_VERSION_CONFLICT")
    same("with the latest projection", conflict.data["version"], order["version"])
    cancel = {"expected_order_version": order["version"], "client_cancel_id": "c-1", "reason": "tried"}
    key = secrets.token_hex(8)
    canceled = a.post(f"{path}/cancel", cancel, idempotency_key=key)
    same("canceled", (canceled.status, canceled.data["status"]), (200, "canceled"))
    same("the same cancel again", a.post(f"{path}/cancel", cancel, idempotency_key=key).data, canceled.data)
    same("everything is given back", available(a), before)
    ended = a.post(f"{path}/cancel", {})
    refused("canceled twice", ended, 409, "ORDER_NOT_CANCELABLE")
    same("with its projection", ended.data["terminal_reason"], "USER_CANCELED")


def check_signatures():
    terms = {**on_yes, "limit_price": "0.10", "quantity": "1.00"}
    changed = a.post(PATH, a.order(**terms, signed={"quantity_integer": 900}))
    refused("a quantity that was not signed", changed, 400, "SIGNATURE_ORDER_MISMATCH")
    refused("no signature", a.post(PATH, {**a.order(**terms), "order_signature": "0x12"}), 400, "SIGNATURE_INVALID")
    stranger = a.order(**terms, signer=b.address, sign_as=b.private_key)
    refused("a signer of another account", a.post(PATH, stranger), 400, "SIGNATURE_SIGNER_UNAUTHORIZED")
    past = a.order(**terms, time_in_force="GTD", expires_at="2020-01-01T00:00:00Z")
    refused("signed for the past", a.post(PATH, past), 400, "SIGNATURE_ORDER_EXPIRED")
    number = {**a.order(**terms), "limit_price": 0.1}
    refused("a number where a decimal belongs", a.post(PATH, number), 400, "VALIDATION_BODY_INVALID")
    refused("a field that is not known", a.post(PATH, {**a.order(**terms), "bogus": 1}), 400, "VALIDATION_BODY_INVALID")


def check_rejections():
    usual = {**on_yes, "limit_price": "0.10", "quantity": "1.00"}
    soon = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
    rejections = [
        ({"market_id": "mkt_none"}, "MARKET_NOT_FOUND"),
        ({"outcome_id": "out_none"}, "MARKET_OUTCOME_NOT_FOUND"),
        ({"limit_price": "0.105"}, "ORDER_TICK_SIZE_INVALID"),
        ({"quantity": "1.005"}, "ORDER_LOT_SIZE_INVALID"),
        ({"limit_price": "1.00"}, "ORDER_PRICE_OUT_OF_RANGE"),
        ({"time_in_force": "FOK", "post_only": True}, "ORDER_TIF_INCOMPATIBLE"),
        ({"time_in_force": "GTC", "expires_at": soon}, "ORDER_TIF_INCOMPATIBLE"),
        ({"maximum_notional": "0.09"}, "RISK_MAX_NOTIONAL_EXCEEDED"),
        ({"maximum_fee": "0.001"}, "RISK_MAX_FEE_EXCEEDED"),
        ({"reduce_only": True, "side": "SELL"}, "ORDER_REDUCE_ONLY_NO_POSITION"),
        ({"limit_price": "0.99", "quantity": "1000000.00", "maximum_fee": "99999.00"}, "BALANCE_INSUFFICIENT_COLLATERAL"),
    ]
    for change, code in rejections:
        answer = a.post(PATH, a.order(**{**usual, **change}))
        refused(f"{change}", answer, 422, code)
        data = answer.data or {}
        same(f"{code}: recorded", (data.get("status"), (data.get("rejection") or {}).get("code")), ("rejected", code))
    wrong_account = a.order(**usual, account_id=b.account_id)
    same("another account in the body", a.post(PATH, wrong_account).status in (400, 403, 404, 422), True)


def left(of):
    return Decimal(of["total"]) - Decimal(of["pending_settlement_debit"])


def coming(of):
    return Decimal(of["total"]) + Decimal(of["pending_settlement_credit"])


def check_match():
    """T1 and T2 of the rules: B sells short at 0.60, A buys with limit 0.62, 40 of 100 meet."""
    before_a, before_b = balance(a), balance(b)
    maker = place(b, "SELL", "0.60", "40.00").data
    same("short sale reserves", Decimal(maker["reserved_amount"]), Decimal("0.4") * 40 + Decimal("0.02") * Decimal("0.4") * 40)
    taker = place(a, "BUY", "0.62", "100.00").data
    same("partly filled", (taker["status"], taker["filled_quantity"]), ("partially_filled", "40.00"))
    same("at the resting price", taker["average_fill_price"], "0.6000000000")
    same("reserved for the rest", Decimal(taker["reserved_amount"]), Decimal("37.800000"))
    # Settled by itself, sooner or later than this: what is owed or paid, and due or received, is the same before and after.
    same("owed or paid", left(before_a) - left(balance(a)), Decimal("24.320000"))
    same("due or received", coming(balance(b)) - coming(before_b), 24)
    [fill] = a.pages("/fills", order_id=taker["order_id"])
    same("fill", (fill["price"], fill["quantity"], fill["liquidity_role"], fill["side"]), ("0.60", "40.00", "taker", "BUY"))
    same("fee", (Decimal(fill["fee"]["amount"]), fill["fee"]["asset_id"]), (Decimal("0.320000"), a.asset_id))
    same("notional", Decimal(fill["notional"]), 24)
    same("one fill", a.get(f"/fills/{fill['fill_id']}").data["fill_id"], fill["fill_id"])
    refused("another account's fill", b.get(f"/fills/{fill['fill_id']}"), 404, "FILL_NOT_FOUND")
    [other] = b.pages("/fills", order_id=maker["order_id"], liquidity_role="maker")
    same("one trade, two fills", (other["trade_id"], other["fill_id"] != fill["fill_id"]), (fill["trade_id"], True))
    same("the maker pays nothing", Decimal(other["fee"]["amount"]), 0)
    later = a.pages("/fills", engine_sequence_after=str(fill["engine_sequence"]))
    same("none after it", [one["fill_id"] for one in later if one["fill_id"] == fill["fill_id"]], [])
    same("by matched_after", fill["fill_id"] in [one["fill_id"] for one in a.pages("/fills", matched_after=fill["matched_at"])], True)
    same("by matched_before", fill["fill_id"] in [one["fill_id"] for one in a.pages("/fills", matched_before=fill["matched_at"])], False)
    order = a.get(f"{PATH}/{taker['order_id']}").data
    same("the order names its fill", order["fill_ids"], [fill["fill_id"]])
    held, short = position(a), position(b)
    same("long", (held["net_quantity"], held["average_entry_price"]), ("40.00", "0.6000000000"))
    same("short", (short["net_quantity"], short["available_to_sell"] is not None), ("-40.00", True))
    same("settled or not yet", Decimal(held["settled_quantity"]) + Decimal(held["unsettled_quantity"]), 40)
    same("what is not yet is named", fill["settlement_id"] in held["pending_settlement_ids"], held["unsettled_quantity"] == "40.00")
    of_market = a.get(f"/positions/{MARKET}")
    same("of one market", [one["outcome_id"] for one in of_market.data], [YES])
    check_past(held)
    same("the rest is canceled", a.post(f"{PATH}/{taker['order_id']}/cancel", {}).data["canceled_quantity"], "60.00")
    check_settlement(fill)


def check_settlement(fill):
    """The fill settles by itself; its record has every attempt and move, and nobody else sees it."""
    for _ in range(60):
        [settlement] = a.pages("/settlements", fill_id=fill["fill_id"])
        if settlement["state"] == "confirmed":
            break
        time.sleep(0.5)
    same("settled", (settlement["settlement_id"], settlement["state"]), (fill["settlement_id"], "confirmed"))
    same("what it moved", (Decimal(settlement["amount"]), Decimal(settlement["fee"]), Decimal(settlement["net_amount"])), (24, Decimal("0.32"), Decimal("-24.32")))
    same("moves", [one["state"] for one in settlement["transitions"]], ["pending", "submitted", "confirmed"])
    same("attempts", [one["state"] for one in settlement["attempts"]], ["confirmed"])
    same("by id", a.get(f"/settlements/{settlement['settlement_id']}").data, settlement)
    refused("another account's", b.get(f"/settlements/{settlement['settlement_id']}"), 404, "SETTLEMENT_NOT_FOUND")
    same("by state", settlement["settlement_id"] in [one["settlement_id"] for one in a.pages("/settlements", state="failed")], False)
    refused("redeem", a.post(f"/settlements/{settlement['settlement_id']}/redeem", {}), 404, "ROUTE_NOT_FOUND")
    same("the fill is as it was", {**a.get(f"/fills/{fill['fill_id']}").data, "settlement_state": fill["settlement_state"]}, fill)


def check_past(held):
    """As of an instant after the fill the same; as of one before it nothing, whatever happens since."""
    instant = a.get("/time").data["server_time"]
    later = a.pages("/positions", market_id=MARKET, as_of=instant)
    same("as of now", [one["net_quantity"] for one in later], [held["net_quantity"]])
    same("balances as of now", len(a.get("/balances", as_of=instant).data), 1)
    early = a.get("/positions", market_id=MARKET, as_of=started)
    same("as of the begin", [one for one in early.data if Decimal(one["net_quantity"]) != 0], [])


def check_terms():
    """FOK, FAK, GTD, post-only, reduce-only and the three self-trade modes, against 10 at 0.50 of B."""
    resting = place(b, "SELL", "0.50", "10.00").data
    fok = place(a, "BUY", "0.50", "11.00", time_in_force="FOK")
    same("FOK of too much", (fok.status, fok.data["status"], fok.data["terminal_reason"]), (201, "canceled", "FOK_NOT_FILLED"))
    dear = place(a, "BUY", "0.49", "1.00", time_in_force="FAK")
    same("FAK with nothing", (dear.data["status"], dear.data["terminal_reason"]), ("canceled", "FAK_NO_FILL"))
    refused("post-only that takes", place(a, "BUY", "0.50", "1.00", post_only=True), 422, "ORDER_POST_ONLY_WOULD_TAKE")
    part = place(a, "BUY", "0.50", "12.00", time_in_force="FAK").data
    same("FAK with some", (part["filled_quantity"], part["status"], part["canceled_quantity"]), ("10.00", "canceled", "2.00"))
    same("the resting one is filled", b.get(f"{PATH}/{resting['order_id']}").data["status"], "filled")
    soon = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
    timed = place(a, "BUY", "0.20", "1.00", time_in_force="GTD", expires_at=soon).data
    reduce = place(b, "BUY", "0.20", "500.00", reduce_only=True).data
    same("reduce-only is cut off at zero", Decimal(reduce["remaining_quantity"]), -Decimal(position(b)["net_quantity"]))
    b.post(f"{PATH}/{reduce['order_id']}/cancel", {})
    for mode, old, new in (
        ("cancel_taker", "open", "canceled"),
        ("cancel_maker", "canceled", "open"),
        ("cancel_both", "canceled", "canceled"),
    ):
        first = place(a, "BUY", "0.30", "5.00").data
        second = place(a, "SELL", "0.30", "5.00", self_trade_prevention=mode).data
        same(mode, (a.get(f"{PATH}/{first['order_id']}").data["status"], second["status"]), (old, new))
        a.post(f"{PATH}/cancel-all", {"account_id": a.account_id, "market_id": MARKET})
    deadline = time.time() + 10
    while a.get(f"{PATH}/{timed['order_id']}").data["status"] == "open" and time.time() < deadline:
        time.sleep(0.2)
    same("expired or canceled with the rest", a.get(f"{PATH}/{timed['order_id']}").data["status"] in ("expired", "canceled"), True)


def check_amend():
    order = place(a, "BUY", "0.25", "10.00").data
    path = f"{PATH}/{order['order_id']}/amend"
    terms = {**on_yes, "limit_price": "0.26", "quantity": "8.00"}
    stale = a.post(path, {**a.order(**terms), "expected_order_version": order["version"] + 3})
    refused("amend of a stale version", stale, 409, "ORDER_VERSION_CONFLICT")
    bad = a.post(path, {**a.order(**{**terms, "limit_price": "0.255"}), "expected_order_version": order["version"]})
    refused("amend to a wrong tick", bad, 422, "ORDER_TICK_SIZE_INVALID")
    same("leaves the old one", a.get(f"{PATH}/{order['order_id']}").data["status"], "open")
    good = a.post(path, {**a.order(**terms), "expected_order_version": order["version"]})
    same("amended", (good.status, good.data["status"], good.data["terminal_reason"]), (200, "canceled", "REPLACED"))
    replacement = good.data["replacement"]
    same("by a new one", (replacement["order_id"], replacement["status"]), (good.data["replaced_by_order_id"], "open"))
    a.post(f"{PATH}/{replacement['order_id']}/cancel", {})


def check_many():
    terms = {**on_yes, "limit_price": "0.15", "quantity": "1.00"}
    orders = [a.order(**terms), a.order(**{**terms, "limit_price": "0.155"}), a.order(**terms)]
    orders.append(orders[0])
    batch = a.post(f"{PATH}/batch", {"orders": orders})
    same("batch", batch.status in (200, 201), True)
    same("each for itself", [item["status"] for item in batch.data], ["accepted", "rejected", "accepted", "rejected"])
    same("by its place", [item["index"] for item in batch.data], [0, 1, 2, 3])
    same("why", batch.data[1]["error"]["code"], "ORDER_TICK_SIZE_INVALID")
    same("the first of two wins", batch.data[3]["error"]["code"] in ("REPLAY_ORDER_NONCE_REUSED", "ORDER_DUPLICATE_CLIENT_ID"), True)
    preview = a.post(f"{PATH}/preview", a.order(**terms))
    same("preview", preview.status, 200)
    same("preview of a good order", (preview.data["status"], preview.data["rejection"]), ("accepted", None))
    wrong = a.post(f"{PATH}/preview", a.order(**{**terms, "limit_price": "0.155"}))
    same("preview of a wrong tick", (wrong.status, wrong.data["rejection"]["code"]), (200, "ORDER_TICK_SIZE_INVALID"))
    working = {one["order_id"] for one in a.pages(PATH, status="open", market_id=MARKET)}
    same("a preview places nothing", working, {batch.data[0]["order_id"], batch.data[2]["order_id"]})
    refused("cancel-all without a scope", a.post(f"{PATH}/cancel-all", {"account_id": a.account_id}), 400, "VALIDATION_BODY_INVALID")
    swept = a.post(f"{PATH}/cancel-all", {"account_id": a.account_id, "market_id": MARKET})
    same("cancel-all", (swept.status, swept.data["targeted_count"]), (200, 2))
    same("its orders", {one["order_id"] for one in swept.data["orders"]}, working)
    same("none is left", a.pages(PATH, status="open", market_id=MARKET), [])


def check_switch():
    refused("too short", a.send("PUT", "/account/cancel-after", None, {"timeout_ms": 10}), 400, "VALIDATION_BODY_INVALID")
    order = place(a, "BUY", "0.11", "1.00").data
    armed = a.send("PUT", "/account/cancel-after", None, {"timeout_ms": 5000})
    same("armed", armed.status, 200)
    deadline = time.time() + 15
    while a.get(f"{PATH}/{order['order_id']}").data["status"] != "canceled" and time.time() < deadline:
        time.sleep(0.5)
    ended = a.get(f"{PATH}/{order['order_id']}").data
    same("nobody set it again", (ended["status"], ended["terminal_reason"]), ("canceled", "CANCEL_AFTER"))
    same("disarmed", a.send("PUT", "/account/cancel-after", None, {"timeout_ms": 0}).status, 200)


def check_keys():
    keys = "/account/api-keys"
    key_id = f"key_{secrets.token_hex(10)}"
    scopes = ["orders:read", "keys:write"]
    idempotency_key = secrets.token_hex(8)
    body = a.key_body(key_id, scopes)
    made = a.post(keys, body, idempotency_key=idempotency_key)
    same("key made", (made.status, made.data["key_id"], sorted(made.data["scopes"])), (201, key_id, sorted(scopes)))
    again = a.post(keys, body, idempotency_key=idempotency_key)
    same("its secret is shown once", (again.data.get("secret"), again.data["secret_already_returned"]), (None, True))
    refused("its id again", a.post(keys, a.key_body(key_id, scopes)), 409, "API_KEY_ID_TAKEN")
    forged = {**a.key_body(f"key_{secrets.token_hex(10)}", scopes), "scopes": ["orders:read", "orders:write"]}
    refused("scopes that were not signed", a.post(keys, forged), 400, "SIGNATURE_AUTHORIZATION_MISMATCH")
    small = client_of(accounts[0], key_id=key_id, secret=made.data["secret"])
    same("it reads orders", small.get(PATH).status, 200)
    refused("it reads no balances", small.get("/balances"), 403, "AUTH_SCOPE_INSUFFICIENT")
    order = small.order(**on_yes, limit_price="0.10", quantity="1.00")
    refused("it places no orders", small.post(PATH, order), 403, "AUTH_SCOPE_INSUFFICIENT")
    listed = {one["key_id"]: one for one in a.pages(keys)}
    same("listed", (listed[key_id]["status"], "secret" in listed[key_id]), ("active", False))
    alone = a.post(f"{keys}/{key_id}/rotate", {"overlap_seconds": 0})
    refused("rotated without the owner's consent", alone, 400, "VALIDATION_BODY_INVALID")
    turned = a.post(f"{keys}/{key_id}/rotate", {"overlap_seconds": 0, **a.consent(key_id, scopes)})
    same("rotated", (turned.status, turned.data["secret_version"]), (200, made.data["secret_version"] + 1))
    time.sleep(1.2)
    refused("the former secret", small.get(PATH), 401, "AUTH_CREDENTIALS_INVALID")
    small.secret = turned.data["secret"]
    same("the new secret", small.get(PATH).status, 200)
    gone = small.post(f"{keys}/{key_id}/revoke", {"reason": "tried"})
    same("revoked", (gone.status, gone.data["status"]), (200, "revoked"))
    time.sleep(1.2)
    refused("a revoked key", small.get(PATH), 401, "AUTH_CREDENTIALS_INVALID")
    actions = [one["action"] for one in a.pages(f"{keys}/{key_id}/audit-log")]
    same("audit log", len(actions) >= 3, True)
    check_public_key(keys)


def check_public_key(keys):
    from Crypto.PublicKey import ECC

    pair = ECC.generate(curve="Ed25519")
    key_id = f"key_{secrets.token_hex(10)}"
    public_key = pair.public_key().export_key(format="raw").hex()
    made = a.post(keys, a.key_body(key_id, ["orders:read"], algorithm="ed25519", public_key=public_key))
    same("a key of one's own", (made.status, made.data.get("secret")), (201, None))
    own = client_of(accounts[0], key_id=key_id, secret=pair.seed.hex(), algorithm="ed25519")
    same("opens", own.get(PATH).status, 200)
    revoked = a.post(f"{keys}/{key_id}/revoke", {"reason": "tried", **a.consent(key_id, ["orders:read"])})
    same("revoked with the owner's consent", revoked.status, 200)


started = a.get("/time").data["server_time"]
for check in (
    check_accounts,
    check_identity,
    check_order_and_cancel,
    check_signatures,
    check_rejections,
    check_match,
    check_terms,
    check_amend,
    check_many,
    check_switch,
    check_keys,
):
    try:
        check()
    except Exception as error:  # what follows is still worth trying
        failures.append(f"{check.__name__}: {type(error).__name__}: {error}")
        print(failures[-1], flush=True)
print(f"{checks - len(failures)} of {checks} checks agree")
sys.exit(1 if failures else 0)

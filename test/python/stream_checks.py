"""Tries the private stream of a running service with two accounts: who may hear what, that each of the six topics tells what REST
says, and the reconciliation procedure of docs/private-stream.md, with lines that break and a message that is lost.

  python stream_checks.py READY_FILE

READY_FILE names the service, its stream, two accounts and a market where nobody else trades. What only an operator can do is asked
for on standard output, a JSON line each, and answered with a line on standard input. Ends with 1 at a difference.
"""

import json
import secrets
import sys
import time

from reconciler import Reconciler, bare
from stream_client import TOPICS, Connection, Gap, Topic, auth_message, hear_all, subscribe
from trading_client import Client

ready = json.load(open(sys.argv[1]))
URL = ready["stream_url"]
ON_YES = {"market_id": ready["market_id"], "outcome_id": ready["outcome_id"]}
checks = 0
failures = []


def same(name, got, wanted):
    global checks
    checks += 1
    if got != wanted:
        failures.append(f"{name}: got {got!r}, wanted {wanted!r}")
        print(failures[-1][:2000], file=sys.stderr, flush=True)


def operator(act, **facts):
    print(json.dumps({"act": act, **facts}), flush=True)
    return json.loads(sys.stdin.readline())


def client_of(account, **changes):
    terms = {name: account[name] for name in ("account_id", "key_id", "secret", "private_key")}
    return Client(base_url=ready["base_url"], environment=ready["environment"], **{**terms, **changes})


a, b = (client_of(account) for account in ready["accounts"])


def place(client, side, price, quantity):
    answer = client.post("/orders", client.order(**ON_YES, side=side, limit_price=price, quantity=quantity))
    assert answer.status == 201, answer
    return answer.data


def trade(quantity="3.00", price="0.40"):
    place(b, "SELL", price, quantity)
    return place(a, "BUY", price, quantity)


def signed_in(client):
    connection = Connection(URL)
    answer = connection.sign_in(client)
    assert answer["type"] == "authenticated", answer
    return connection


def code(answer):
    return (answer.get("error") or {}).get("code")


def check_auth():
    connection = Connection(URL)
    same("welcome", (connection.welcome["protocol"], connection.welcome["heartbeat_ms"]), ("1", 15000))
    refused = connection.ask({"op": "subscribe", "id": "1", "topic": "account.order"})
    same("nobody hears an account", code(refused), "AUTH_CREDENTIALS_INVALID")
    same("a wrong signature", code(connection.ask({**auth_message(a), "signature": "0" * 64})), "AUTH_CREDENTIALS_INVALID")
    late = str(int(time.time() * 1000) - 60_000)
    same("an old timestamp", code(connection.ask(auth_message(a, timestamp=late))), "AUTH_TIMESTAMP_OUT_OF_WINDOW")
    message = auth_message(a)
    answer = connection.ask(message)
    same("signed in", (answer["type"], answer["account_id"], answer["key_id"]), ("authenticated", a.account_id, a.key_id))
    same("the same message again", code(Connection(URL).ask(message)), "REPLAY_REQUEST_NONCE_REUSED")
    other = connection.ask({"op": "subscribe", "id": "2", "topic": "account.order", "account_id": b.account_id})
    same("another account", code(other), "ACCOUNT_NOT_FOUND")
    same("a filter it has not", code(connection.ask({"op": "subscribe", "id": "3", "topic": "account.risk", "market_id": "mkt_a"})), "VALIDATION_MESSAGE_INVALID")


def rest_of(client):
    return {
        "account.order": bare(client.pages("/orders"), "order_id"),
        "account.fill": {**bare(client.pages("/fills"), "fill_id"), **bare(client.pages("/adjustments"), "adjustment_id")},
        "account.position": bare(client.pages("/positions"), "position_id"),
        "account.balance": bare(client.get("/balances").data, "balance_id"),
        "account.settlement": bare(client.pages("/settlements"), "settlement_id"),
        "account.risk": bare([client.get("/account/policy").data], "account_id"),
    }


def had_of(topic):
    found = {}
    for (field, _), row in topic.resources.items():
        found.update(bare([row], field))
    return found


def check_topics():
    connection = signed_in(a)
    topics = {name: Topic(name) for name in TOPICS}
    for topic in topics.values():
        same(f"{topic.name}: subscribed", subscribe(connection, topic)["type"], "subscribed")
    hear_all(connection, topics)
    same("snapshots are whole", [topic.complete for topic in topics.values()], [True] * 6)
    place(a, "BUY", "0.10", "5.00")
    order = place(a, "BUY", "0.11", "5.00")
    trade()
    a.post(f"/orders/{order['order_id']}/cancel", {})
    same("two attempts, the second one confirmed", operator("settle", account_id=a.account_id)["state"], "confirmed")
    fill = a.pages("/fills")[0]
    same("an adjustment", operator("bust", fill_id=fill["fill_id"])["ok"], True)
    same("blocked", operator("block", account_id=a.account_id, blocked=True)["ok"], True)
    same("and not", operator("block", account_id=a.account_id, blocked=False)["ok"], True)
    connection.drain()
    hear_all(connection, topics)
    rest = rest_of(a)
    for name, topic in topics.items():
        had, told = had_of(topic), rest[name]
        same(f"{name}: as REST", {key: had[key] for key in had}, {key: told[key] for key in had if key in told})
        same(f"{name}: nothing twice", (topic.repeated, len(set(topic.event_ids))), (0, len(topic.event_ids)))
    kinds = {name: set(topic.kinds) for name, topic in topics.items()}
    same("orders are told", {"open", "filled", "cancel_pending", "canceled"} <= kinds["account.order"], True)
    same("fills are told", kinds["account.fill"], {"fill", "adjustment"})
    same("settlements are told", kinds["account.settlement"], {"pending", "submitted", "failed", "confirmed"})
    same("risk is told", topics["account.risk"].kinds, ["updated", "updated"])
    foreign = [b.account_id, b.key_id, b.address.lower(), *(row["order_id"] for row in b.pages("/orders")), *(row["fill_id"] for row in b.pages("/fills"))]
    text = json.dumps(connection.said)
    same("nothing of the other account", [name for name in foreign if name in text], [])


def check_resume():
    connection = signed_in(a)
    topic = Topic("account.order")
    subscribe(connection, topic)
    hear_all(connection, {topic.name: topic})
    stayed = signed_in(a)
    other = Topic("account.order")
    subscribe(stayed, other)
    hear_all(stayed, {other.name: other})
    trade()
    connection.drain()
    hear_all(connection, {topic.name: topic})
    connection.cut()
    for _ in range(3):
        trade()
    connection = signed_in(a)
    same("goes on", subscribe(connection, topic)["mode"], "resumed")
    trade()
    for line, had in ((connection, topic), (stayed, other)):
        line.drain()
        hear_all(line, {had.name: had})
    same("the same messages as who stayed", topic.event_ids, other.event_ids)
    same("a foreign epoch begins anew", gap_of(connection, {"epoch": "other", "after_seq": 1}), "epoch_changed")


def gap_of(connection, resume):
    connection.ask({"op": "unsubscribe", "id": "u", "sid": f"account.order:{a.account_id}"})
    connection.send({"op": "subscribe", "id": "again", "topic": "account.order", "resume": resume})
    return connection.until(lambda said: said["type"] == "gap")["reason"]


def check_reconciliation():
    reconciler = Reconciler(a, URL)
    reconciler.start()
    reconciler.catch_up()
    same("equal from the beginning", reconciler.differences(), [])
    for turn in range(3):
        trade()
        reconciler.connection.cut()
        trade()
        operator("settle", account_id=a.account_id)
        reconciler.connect()
        reconciler.catch_up()
        same(f"equal after break {turn}", reconciler.differences(), [])
    same("without beginning anew", reconciler.fresh_starts, 1)
    # A planted gap: one message never arrives, and the next one of its topic tells.
    trade()
    trade()
    reconciler.connection.drain()
    balances = [said for said in reconciler.connection.said if said.get("topic") == "account.balance" and said["type"] == "event"]
    lost = balances[-2]["seq"]
    reconciler.catch_up(lose=lambda said: said.get("seq") == lost and said["type"] == "event")
    same("the gap was found, and all was read anew", reconciler.fresh_starts, 2)
    same("equal after it", reconciler.differences(), [])
    # Told a second time, nothing changes.
    for topic in reconciler.topics.values():
        topic.position = max(0, topic.position - 40)
    reconciler.connection.cut()
    reconciler.connect()
    reconciler.catch_up()
    same("repetitions change nothing", reconciler.differences(), [])


def check_revocation():
    key_id = f"key_{secrets.token_hex(10)}"
    scopes = ["orders:read"]
    made = a.post("/account/api-keys", a.key_body(key_id, scopes))
    same("a key", made.status, 201)
    other = client_of(ready["accounts"][0], key_id=key_id, secret=made.data["secret"])
    connection = signed_in(other)
    topic = Topic("account.order")
    same("its scope", subscribe(connection, topic)["type"], "subscribed")
    same("another scope", code(connection.ask({"op": "subscribe", "id": "b", "topic": "account.balance"})), "AUTH_SCOPE_INSUFFICIENT")
    same("revoked", a.post(f"/account/api-keys/{key_id}/revoke", {"reason": "tried", **a.consent(key_id, scopes)}).status, 200)
    ended, reason, took = connection.closed(5)
    same("its connection ends", (ended, reason), (1008, "the key was revoked"))
    same("within a second", took < 1, True)
    same("it is told before", connection.said[-1]["type"], "closing")
    same("and cannot sign in", code(Connection(URL).sign_in(other)), "AUTH_CREDENTIALS_INVALID")


for check in (check_auth, check_topics, check_resume, check_reconciliation, check_revocation):
    try:
        check()
    except (Gap, AssertionError, TimeoutError, KeyError) as error:
        failures.append(f"{check.__name__}: {type(error).__name__} {error}")
        print(failures[-1][:2000], file=sys.stderr, flush=True)
agreed = checks - len(failures)
print(f"{agreed} of {checks} checks agree", file=sys.stderr)
sys.exit(1 if failures else 0)

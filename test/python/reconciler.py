"""The reconciliation procedure of docs/private-stream.md, as a client does it: what is, from REST; what came after it; then the
private streams from the cursor on, of which only increasing projection versions count; on a gap everything anew."""

from stream_client import Connection, Gap, Topic, hear_all, subscribe

FOLLOWED = ("account.position", "account.balance", "account.fill", "account.settlement")
# What moves without a message: the clock, marks, and how the settlement of a fill goes on, which account.settlement tells.
UNTOLD = {
    "as_of",
    "mark_price",
    "mark_observation_id",
    "pricing_method",
    "market_value",
    "unrealized_pnl",
    "settlement_state",
    "adjustment_ids",
}


def bare(rows, field):
    return {row[field]: {name: value for name, value in row.items() if name not in UNTOLD} for row in rows if field in row}


class Reconciler:
    def __init__(self, client, stream_url):
        self.client = client
        self.stream_url = stream_url
        self.connection = None
        self.topics = {}
        self.fresh_starts = 0
        self.fills_after = 0

    def start(self):
        """Discards what is had, and begins with what REST says."""
        self.fresh_starts += 1
        if self.connection is not None:
            self.connection.cut()
        positions = self.client.get("/positions", limit="1000")
        balances = self.client.get("/balances")
        cursor = positions.body["meta"]["stream_cursor"]
        for row in positions.data:
            assert row["projection_version"] >= 0 and row["as_of"], row
        for row in balances.data:
            assert row["ledger_sequence"] >= 0, row
        self.fills_after = max([row["source_fill_sequence"] for row in positions.data], default=0)
        self.topics = {name: Topic(name, cursor["epoch"], cursor["seq"]) for name in FOLLOWED}
        self.take("account.position", positions.data)
        self.take("account.balance", balances.data)
        self.take("account.fill", self.client.pages("/fills", engine_sequence_after=self.fills_after))
        self.take("account.fill", self.client.pages("/adjustments", engine_sequence_after=self.fills_after))
        self.take("account.settlement", self.client.pages("/settlements"))
        self.connect()

    def take(self, name, rows):
        for row in rows:
            self.topics[name].put(row, row.get("projection_version", 1))

    def connect(self):
        """Signs in and goes on where each topic was."""
        self.connection = Connection(self.stream_url)
        answer = self.connection.sign_in(self.client)
        assert answer["type"] == "authenticated", answer
        for topic in self.topics.values():
            # A message of another topic may come between: it is taken in with the rest.
            answer = subscribe(self.connection, topic)
            assert answer["type"] == "subscribed", answer

    def catch_up(self, lose=None):
        """Takes in what was told. @param lose a message that never arrives: a planted gap"""
        self.connection.drain()
        if lose is not None:
            self.connection.said = [said for said in self.connection.said if not lose(said)]
        try:
            hear_all(self.connection, self.topics)
        except Gap:
            self.start()
            self.connection.drain()
            hear_all(self.connection, self.topics)

    def differences(self):
        """What is had otherwise than REST has it."""
        had = {name: list(topic.resources.values()) for name, topic in self.topics.items()}
        # Older ones may be told again; they were never kept.
        had["account.fill"] = [row for row in had["account.fill"] if row["engine_sequence"] > self.fills_after]
        fills = self.client.pages("/fills", engine_sequence_after=self.fills_after)
        adjustments = self.client.pages("/adjustments", engine_sequence_after=self.fills_after)
        pairs = {
            "position_id": (had["account.position"], self.client.pages("/positions")),
            "balance_id": (had["account.balance"], self.client.get("/balances").data),
            "settlement_id": (had["account.settlement"], self.client.pages("/settlements")),
            "fill_id": ([row for row in had["account.fill"] if "adjustment_id" not in row], fills),
            "adjustment_id": ([row for row in had["account.fill"] if "adjustment_id" in row], adjustments),
        }
        found = []
        for field, (ours, theirs) in pairs.items():
            mine, told = bare(ours, field), bare(theirs, field)
            found += [(field, name) for name in {*mine, *told} if mine.get(name) != told.get(name)]
        return found

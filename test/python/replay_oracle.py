"""An independent replay of indexes over an archive of reported probabilities, in Python's decimal.

It reads the archive's CSV and a definition as JSON, follows the methodology from its text alone (admission, M0, M5r, M6, M7,
freshness, levels, links, quality states) and gives one line a tick. The product's own replay must give the same.

usage: replay_oracle.py ARCHIVE_DIR JOBS.json, where JOBS is a list of {definition, from, to, known_at}; prints a list of lists of lines
"""
import csv
import gzip
import json
import sys
from datetime import datetime, timedelta, timezone
from decimal import ROUND_HALF_EVEN, Decimal, getcontext

getcontext().prec = 34
getcontext().rounding = ROUND_HALF_EVEN
D = Decimal
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def micros(text):
    return (datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH) // timedelta(microseconds=1)


def instant(value):
    return (EPOCH + timedelta(microseconds=value)).strftime("%Y-%m-%dT%H:%M:%SZ")


def duration(text):
    days, _, time = text[1:].partition("T")
    seconds = int(days[:-1]) * 86400 if days else 0
    units = {"H": 3600, "M": 60, "S": 1}
    number = ""
    for char in time:
        if char.isdigit():
            number += char
        else:
            seconds += int(number) * units[char]
            number = ""
    return seconds * 1_000_000


def fixed(value, places):
    text = format(value.quantize(D(1).scaleb(-places), rounding=ROUND_HALF_EVEN), "f")
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text


def read_rows(folder):
    chains = {}
    with gzip.open(f"{folder}/market_values_bitemporal.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            key = (row["source"], row["question_set"], row["market_id"])
            entry = (
                micros(row["resolution_date"] + "T00:00:00Z"),
                micros(row["published_at"]),
                D(row["value"]).quantize(D("1e-9"), rounding=ROUND_HALF_EVEN),
                row["resolved"] == "True",
            )
            chains.setdefault(key, []).append(entry)
    return chains


class Leg:
    def __init__(self, rows, is_no):
        self.rows = sorted(rows, key=lambda r: (r[0], r[1]))
        self.is_no = is_no
        self.previous = None  # value, confirmed_at

    def admitted(self, cutoff, grace, known):
        heads = {}
        for source, received, value, final in self.rows:
            if source <= cutoff and received <= cutoff + grace and received <= known:
                heads[source] = (received, value, final)
        return heads

    def mark(self, cutoff, p, known):
        """-> (rule, value, c_rule, confirmed_at) or None"""
        heads = self.admitted(cutoff, p["grace"], known)
        finals = [source for source, head in heads.items() if head[2]]
        if finals:
            source = max(finals)
            payout = heads[source][1]
            payout = D(1) - payout if self.is_no else payout
            return ("M0", fixed(payout, 6), D(1), source)
        if heads:
            source = max(heads)
            if cutoff - source <= p["max_carry"]:
                value = D(fixed(heads[source][1], 6))
                found = ("M6", fixed(D(1) - value, 6), D("0.45"), source) if self.is_no else ("M5r", fixed(value, 6), D("0.5"), source)
                self.previous = found
                return found
        if self.previous and cutoff - self.previous[3] <= p["max_carry"]:
            return ("M7", self.previous[1], D("0.25"), self.previous[3])
        return None


def evaluate(version, legs, cutoff, p, known):
    out = []
    for c in version["constituents"]:
        mark = legs[leg_key(c)].mark(cutoff, p, known)
        w = D(c["target_weight"])
        if mark is None:
            out.append((c["constituent_id"], w, None, "missing", D(0), None))
            continue
        rule, text, c_rule, confirmed = mark
        x = D(text)
        if c.get("normalization") == "inverse":
            x = D(1) - x
        age = cutoff - confirmed
        if rule == "M0":
            state, confidence = "settled", D(1)
        else:
            state = "fresh" if age <= p["stale_after"] else "stale"
            confidence = c_rule * max(D(0), D(1) - D(age) / D(p["max_carry"]))
        out.append((c["constituent_id"], w, x, state, confidence, rule))
    return out


def leg_key(c):
    return (c["venue_id"], c["source_series_id"], c["source_market_id"], c.get("outcome", "YES"))


def level_s(inputs):
    used = [i for i in inputs if i[2] is not None]
    total = sum((i[1] for i in used), D(0))
    return None if not used else sum((i[1] * i[2] for i in used), D(0)) / total


def quality(inputs, minimum, p):
    total = sum((i[1] for i in inputs), D(0))
    share = lambda test: sum((i[1] for i in inputs if test(i)), D(0)) / total
    usable, coverage = share(lambda i: i[2] is not None), share(lambda i: i[3] in ("settled", "fresh"))
    confidence = sum((i[1] * i[4] for i in inputs), D(0)) / total
    fallback = share(lambda i: i[5] in ("M5", "M6", "M7", "frozen"))
    missing = [i[0] for i in inputs if i[2] is None]
    if usable < p["usable_min"]:
        state = "suspended"
    elif not any(i[3] in ("settled", "fresh") for i in inputs):
        state = "stale"
    elif coverage < minimum or missing or fallback > p["max_fallback"]:
        state = "degraded"
    elif confidence < p["min_confidence"]:
        state = "indicative"
    else:
        state = "valid"
    return state, coverage, confidence, missing


def replay(chains, doc, start, end, known_at):
    lines = []
    known = micros(known_at or "2199-01-01T00:00:00Z")
    q = {"mode": "gauge", "admission.grace": "PT5S", "fresh.stale_after": "PT15M", "fresh.max_carry": "PT24H"}
    q |= {"link.min_s": "0.05", "quality.usable_min": "0.50", "quality.min_confidence": "0.60", "quality.max_fallback_weight": "0.40"}
    q |= doc["methodology"]["parameters"]
    p = {"grace": duration(q["admission.grace"]), "stale_after": duration(q["fresh.stale_after"]), "max_carry": duration(q["fresh.max_carry"])}
    p |= {"usable_min": D(q["quality.usable_min"]), "min_confidence": D(q["quality.min_confidence"]), "max_fallback": D(q["quality.max_fallback_weight"])}
    versions = sorted(doc["versions"], key=lambda v: micros(v["effective_from"]))
    legs = {leg_key(c): Leg(chains.get(leg_key(c)[:3], []), leg_key(c)[3] == "NO") for v in versions for c in v["constituents"]}
    for version in versions:
        version["constituents"].sort(key=lambda c: c["constituent_id"])
    base_value, gauge = D(doc["index"]["base_value"]), q["mode"] == "gauge"
    k, last, from_, to = (D(100) if gauge else None), None, micros(start), micros(end)
    for n, version in enumerate(versions):
        begin = micros(version["effective_from"])
        finish = micros(versions[n + 1]["effective_from"]) if n + 1 < len(versions) else to
        minimum = D(version.get("minimum_coverage_ratio", "0.80"))
        if begin >= to:
            break
        if not gauge and k is not None:
            s_old, s_new = (level_s(evaluate(v, legs, begin, p, known)) for v in (versions[n - 1], version))
            if s_old is None or s_new is None or min(s_old, s_new) < D(q["link.min_s"]):
                return lines + ["INDEX_LINK_UNSTABLE"]
            k = D(fixed(k * s_old / s_new, 12))
        elif not gauge:
            at = micros(doc["index"]["base_date"]) if n == 0 else begin
            inputs = evaluate(version, legs, at, p, known)
            if quality(inputs, minimum, p)[0] not in ("suspended", "stale"):
                k = D(fixed(base_value / level_s(inputs), 12))
        step = duration(version["calculation_frequency"])
        tick = -(-begin // step) * step
        while tick < min(finish, to) and tick <= known:
            inputs = evaluate(version, legs, tick, p, known)
            state, coverage, confidence, missing = quality(inputs, minimum, p)
            if k is None and state not in ("suspended", "stale"):
                k = D(fixed(base_value / level_s(inputs), 12))
            if state == "suspended":
                level, cutoff = None, instant(tick)
            elif state == "stale":
                level, cutoff = last if last else (None, None)
            else:
                level, cutoff = fixed(k * level_s(inputs), 4), instant(tick)
                last = (level, cutoff)
            if tick >= from_:
                line = {"tick_at": instant(tick), "source_cutoff_at": cutoff, "level": level, "quality_state": state}
                line |= {"coverage_ratio": fixed(coverage, 6), "confidence": fixed(confidence, 4)}
                line |= {"missing_constituent_ids": missing, "index_version": version["version"]}
                lines.append(line)
            tick += step
    return lines


def main():
    folder, jobs = sys.argv[1:3]
    chains = read_rows(folder)
    with open(jobs) as file:
        print(json.dumps([replay(chains, job["definition"], job["from"], job["to"], job["known_at"]) for job in json.load(file)]))


main()

"""Reads the vectors of the log named on the command line and prints one JSON object a line: {"name", "accepted", "why"}."""

import json
import sys

from tidemark.verify.log import (
    Rejected,
    VerifierKey,
    bundle_entries,
    check_consistency,
    check_inclusion,
    check_proof,
    check_seals,
    check_tiles,
    cosigned_at,
    leaf,
    need,
    open_checkpoint,
    tree_root,
    unbase64,
)


def vector_entry(n):
    return f"tidemark log vector {n}".encode()


def check(case, keys, leaves):
    kind = case["kind"]
    hashes = [unbase64(text, 32) for text in case.get("hashes", [])]
    root = unbase64(case["root"], 32) if "root" in case else None
    if kind == "root":
        need(tree_root(leaves[: case["size"]]) == root, "another root")
    elif kind == "inclusion":
        check_inclusion(leaf(case["entry"].encode()), case["index"], case["size"], hashes, root)
    elif kind == "consistency":
        check_consistency(case["old_size"], unbase64(case["old_root"], 32), case["size"], root, hashes)
    elif kind == "tiles":
        check_tiles(case["size"], root, case["tiles"])
    elif kind == "bundle":
        expected = [vector_entry(case["first"] + n) for n in range(case["count"])]
        need(bundle_entries(unbase64(case["bytes"])) == expected, "other entries")
    elif kind == "checkpoint":
        size, found, _, _ = open_checkpoint(case["note"], keys["log"])
        need(size == case["size"] and found == root, "another head")
    elif kind == "cosignature":
        need(cosigned_at(case["note"], keys["log"], keys["witness"]) == case["time_s"], "another time")
    elif kind == "proof":
        need(check_proof(case["text"], keys["log"])["record_id"] == "iob_example", "another record")
    elif kind == "seals":
        check_seals(case["entries"])
    else:
        raise ValueError(f"unknown kind {kind}")


def main(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    keys = {name: VerifierKey(f"{text}\n") for name, text in vectors["keys"].items()}
    largest = max(case["size"] for case in vectors["cases"] if case["kind"] == "root")
    leaves = [leaf(vector_entry(n)) for n in range(largest)]
    for case in vectors["cases"]:
        try:
            check(case, keys, leaves)
            answer = {"name": case["name"], "accepted": True, "why": None}
        except Rejected as rejected:
            answer = {"name": case["name"], "accepted": False, "why": str(rejected)}
        print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1])

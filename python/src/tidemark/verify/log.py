"""Verifier of the log, written from docs/log-format.md alone. Signatures need the extra [log]."""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._canonical import canonical_json
from .._instants import Micros, parse_instant
from .._strict_json import parse_strict
from ..errors import missing_extra

STATEMENT = "tidemark.log/v1"


class Rejected(Exception):
    """Proof, note or log that is not what it claims to be."""


def need(condition: bool, why: str) -> None:
    """Rejects where a condition does not hold."""
    if not condition:
        raise Rejected(why)


def leaf(entry: bytes) -> bytes:
    """Returns the hash of an entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Returns the hash of two hashes."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def unbase64(text: str, length: int | None = None) -> bytes:
    """Decodes base64 in its one form."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        raise Rejected("not base64") from None
    need(base64.b64encode(raw).decode() == text, "base64 is not canonical")
    need(length is None or len(raw) == length, "wrong length")
    return raw


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """Returns the root by its recursive definition: the tree of n > 1 leaves splits at the largest power of two below n."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return node(tree_root(leaves[:split]), tree_root(leaves[split:]))


def check_inclusion(leaf_hash: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Checks that an entry is in a tree."""
    need(0 <= index < size, "the index is not in the tree")
    at, last, found = index, size - 1, leaf_hash
    for sibling in proof:
        need(last > 0, "the proof is too long")
        if at % 2 == 1 or at == last:
            found = node(sibling, found)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            found = node(found, sibling)
        at, last = at // 2, last // 2
    need(last == 0, "the proof is too short")
    need(found == root, "the proof leads to another root")


def check_consistency(old_size: int, old_root: bytes | None, size: int, root: bytes, proof: list[bytes]) -> None:
    """Checks that a tree begins with all entries of an older one."""
    need(0 <= old_size <= size, "the log was rolled back")
    if old_size == size or old_size == 0:
        need(proof == [], "the proof is too long")
        need(old_size == 0 or old_root == root, "two roots of one size")
        return
    if old_size & (old_size - 1) == 0:
        need(old_root is not None, "the old root is missing")
        proof = [old_root or b"", *proof]
    need(proof != [], "the proof is empty")
    at, last = old_size - 1, size - 1
    while at % 2 == 1:
        at, last = at // 2, last // 2
    old_found = found = proof[0]
    for sibling in proof[1:]:
        need(last > 0, "the proof is too long")
        if at % 2 == 1 or at == last:
            old_found, found = node(sibling, old_found), node(sibling, found)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            found = node(found, sibling)
        at, last = at // 2, last // 2
    need(last == 0, "the proof is too short")
    need(old_found == old_root, "the proof leads to another old root")
    need(found == root, "the proof leads to another root")


def tile_path(level: int, index: int, width: int) -> str:
    """Returns the path of a tile."""
    groups = [f"{index % 1000:03d}"]
    while index >= 1000:
        index //= 1000
        groups.insert(0, f"x{index % 1000:03d}")
    return f"tile/{level}/{'/'.join(groups)}" + ("" if width == 256 else f".p/{width}")


def check_tiles(size: int, root: bytes, tiles: Mapping[str, str]) -> None:
    """Checks that the last tiles lead to a root: folds the complete subtrees of each partial tile, highest level first."""
    subtrees: list[bytes] = []
    level, count = 0, size
    while count > 0:
        width = count % 256
        if width > 0:
            path = tile_path(level, count // 256, width)
            need(path in tiles, f"{path} is missing")
            raw = unbase64(tiles[path], 32 * width)
            hashes = [raw[32 * n : 32 * n + 32] for n in range(width)]
            parts: list[bytes] = []
            first = 0
            for bit in (128, 64, 32, 16, 8, 4, 2, 1):
                if width & bit:
                    parts.append(tree_root(hashes[first : first + bit]))
                    first += bit
            subtrees = parts + subtrees
        level, count = level + 1, count // 256
    found = subtrees.pop() if subtrees else hashlib.sha256(b"").digest()
    while subtrees:
        found = node(subtrees.pop(), found)
    need(found == root, "the tiles lead to another root")


def bundle_entries(raw: bytes) -> list[bytes]:
    """Returns the entries of a bundle."""
    at = 0
    entries: list[bytes] = []
    while at < len(raw):
        need(at + 2 <= len(raw), "a length is cut off")
        length = int.from_bytes(raw[at : at + 2], "big")
        need(at + 2 + length <= len(raw), "an entry is cut off")
        entries.append(raw[at + 2 : at + 2 + length])
        at += 2 + length
    return entries


class VerifierKey:
    """Key of a log or of a witness, written `<name>+<key id>+<base64>`."""

    def __init__(self, text: str) -> None:
        parts = text.strip().split("+", 2)
        need(len(parts) == 3, "not a key: expected <name>+<key id>+<base64>")
        self.name, key_id, material = parts
        raw = unbase64(material)
        self.type, self.public = raw[0], raw[1:]
        need(len(self.public) == 32, "not an Ed25519 key")
        self.id = hashlib.sha256(self.name.encode() + b"\n" + raw).digest()[:4]
        need(self.id.hex() == key_id, "the key id is another one")

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Tests a signature."""
        try:
            from Crypto.Signature import eddsa
        except ImportError as error:
            raise missing_extra("log", "pycryptodome") from error
        try:
            key = eddsa.import_public_key(self.public)
            eddsa.new(key, "rfc8032").verify(message, signature)
            return True
        except ValueError:
            return False


Lines = list[tuple[str, bytes, bytes]]
"""Signature lines of a note: name, key id, signature."""


def open_note(note: str) -> tuple[str, Lines]:
    """Splits a signed note into its text and its signatures."""
    need(note.endswith("\n") and "\n\n" in note, "not a signed note")
    need(all(c >= " " or c == "\n" for c in note), "a control character")
    text, _, rest = note.rpartition("\n\n")
    lines: Lines = []
    for line in rest[:-1].split("\n"):
        dash, _, named = line.partition(" ")
        name, _, material = named.partition(" ")
        need(dash == "\u2014" and name != "", "not a signature line")
        raw = unbase64(material)
        need(len(raw) > 4, "a signature is too short")
        lines.append((name, raw[:4], raw[4:]))
    return text + "\n", lines


def signatures_of(lines: Lines, key: VerifierKey) -> list[bytes]:
    """Returns the signatures of a key."""
    return [raw for name, key_id, raw in lines if name == key.name and key_id == key.id]


def open_checkpoint(note: str, key: VerifierKey) -> tuple[int, bytes, str, Lines]:
    """Returns size and root of a checkpoint that the log has signed, its text and its signatures."""
    text, lines = open_note(note)
    parts = text.split("\n")
    need(len(parts) == 4 and parts[0] == key.name, "not a checkpoint of this log")
    need(parts[1].isascii() and parts[1].isdigit() and str(int(parts[1])) == parts[1], "not a size")
    found = signatures_of(lines, key)
    need(found != [], "not signed by the log")
    need(all(key.verifies(text.encode(), raw) for raw in found), "a signature does not verify")
    return int(parts[1]), unbase64(parts[2], 32), text, lines


def cosigned_at(note: str, log_key: VerifierKey, witness: VerifierKey) -> int:
    """Returns when a witness signed a checkpoint, in seconds."""
    _, _, text, lines = open_checkpoint(note, log_key)
    found = signatures_of(lines, witness)
    need(found != [], "not cosigned")
    need(len(found[0]) == 72, "a cosignature of another length")
    time_s = int.from_bytes(found[0][:8], "big")
    message = f"cosignature/v1\ntime {time_s}\n{text}".encode()
    need(witness.verifies(message, found[0][8:]), "the cosignature does not verify")
    return time_s


def _parsed(text: str | bytes, name: str) -> Any:
    try:
        return parse_strict(text)
    except ValueError as error:
        raise Rejected(f"{name}: {error}") from None


def check_proof(text: str, key: VerifierKey) -> dict[str, Any]:
    """Checks an offline proof of a record, and returns the record's entry in the log.

    It proves neither that no newer record was published, nor that the stated `published_at` is true.
    """
    head, _, checkpoint = text.partition("\n\n")
    lines = head.split("\n")
    need(lines.pop(0) == "c2sp.org/tlog-proof@v1", "not a proof")
    extra = _parsed(unbase64(lines.pop(0).removeprefix("extra ")), "the extra data")
    index = lines.pop(0)
    need(index.startswith("index ") and index[6:].isdigit(), "not an index")
    size, root, _, _ = open_checkpoint(checkpoint, key)
    entry = unbase64(extra["entry"])
    check_inclusion(leaf(entry), int(index[6:]), size, [unbase64(line, 32) for line in lines], root)
    _parsed(extra["record_text"], "the record text")
    stated: dict[str, Any] = _parsed(entry, "the entry")
    need(hashlib.sha256(extra["record_text"].encode()).hexdigest() == stated["row_sha256"], "another record text")
    return stated


def check_seals(entries: Iterable[str]) -> None:
    """Checks the entries of a whole log: their hashes, and that no seal left one out."""
    counts: dict[str, int] = {}
    through: dict[str, Micros] = {}
    seal: Any = None
    seal_at: int | None = None
    ordinal = 0
    for index, text in enumerate(entries):
        entry = _parsed(text, "an entry")
        need(entry["statement"] == STATEMENT and canonical_json(entry) == text, "not an entry")
        record = entry.get("record")
        if record is not None:
            digest = hashlib.sha256(canonical_json(record).encode()).hexdigest()
            need(digest == entry["row_sha256"], "the record has another hash")
        kind = entry["kind"]
        if kind != "seal":
            need(
                kind not in through or parse_instant(entry["published_at"]) > through[kind],
                "an earlier seal left it out",
            )
            counts[kind] = counts.get(kind, 0) + 1
            continue
        ordinal += 1
        need(entry["record_id"] == f"seal_{ordinal}", "a seal is missing")
        need(record["previous_seal"] == seal_at, "another previous seal")
        need(record["counts"] == counts, "other counts than the batch has")
        tables = record["tables"]
        through = {}
        for table in tables.values():
            for sealed_kind in table["kinds"]:
                at = parse_instant(table["sealed_through"])
                through[sealed_kind] = min(at, through.get(sealed_kind, at))
        need(all(counted in through for counted in counts), "a kind of no table")
        need(parse_instant(record["sealed_through"]) == min(through.values()), "not the earliest instant")
        for name, before in seal["tables"].items() if seal else ():
            need(name in tables, "a table is missing")
            need(tables[name]["version"] >= before["version"], "a table goes back")
            need(
                parse_instant(tables[name]["sealed_through"]) >= parse_instant(before["sealed_through"]),
                "a seal goes back",
            )
        counts, seal, seal_at = {}, record, index
    need(seal is not None, "no seal")

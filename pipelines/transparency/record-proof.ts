import { isObject } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { openCheckpoint, type VerifiedCheckpoint } from './checkpoint.ts'
import { type LogEntry, parseEntry } from './log-entry.ts'
import { proofInvalid } from './proof-invalid.ts'
import { parseProofJson } from './proof-json.ts'
import type { NoteKey } from './signed-note.ts'
import { parseHashes, parseTlogProof } from './tlog-proof.ts'
import { leafHash, sameHash } from './tree-hash.ts'
import { rootOfInclusion } from './verify-tree.ts'

/** Proof that an entry is in a log, as the API serves it. */
export type EntryProof = {
  /** Base64 of the entry's bytes. */
  readonly entry: string
  readonly index: number
  /** Base64 of the hashes from the leaf's sibling to a child of the root. */
  readonly hashes: readonly string[]
  /** Signed checkpoint that covers the entry. */
  readonly checkpoint: string
}

/** The same with the text of the record that the entry is about. */
export type RecordProof = EntryProof & { readonly record_text: string }

/** Facts that a proof has shown. */
export type ProvenEntry = { readonly entry: LogEntry; readonly index: number; readonly checkpoint: VerifiedCheckpoint }

/**
 * Verifies that an entry is in the log of a key. Needs no server: the key is all that is trusted.
 * @throws {ServiceError} PROOF_INVALID names what does not verify
 */
export function verifyEntryProof(proof: EntryProof, key: NoteKey): ProvenEntry {
  const checkpoint = openCheckpoint(proof.checkpoint, key)
  const bytes = Buffer.from(proof.entry, 'base64')
  if (bytes.toString('base64') !== proof.entry)
    throw proofInvalid('entry of the proof', proof.entry.slice(-40), 'base64 and nothing else')
  const place = { index: proof.index, size: checkpoint.size }
  const root = rootOfInclusion(leafHash(bytes), place, parseHashes(proof.hashes))
  if (root === null || !sameHash(root, checkpoint.root)) {
    const allowed = `hashes that lead from the entry to the root of ${checkpoint.size} entries`
    throw proofInvalid('inclusion proof', `index ${proof.index}, ${proof.hashes.length} hashes`, allowed)
  }
  return { entry: parseEntry(bytes), index: proof.index, checkpoint }
}

/**
 * Verifies that the text of a record is what its entry in the log says.
 * @throws {ServiceError} PROOF_INVALID
 */
export function verifyRecordProof(proof: RecordProof, key: NoteKey): ProvenEntry {
  const proven = verifyEntryProof(proof, key)
  const row_sha256 = sha256Hex(proof.record_text)
  if (row_sha256 === proven.entry.row_sha256) {
    parseProofJson(proof.record_text, 'record_text')
    return proven
  }
  throw proofInvalid('SHA-256 of record_text', row_sha256, `${proven.entry.row_sha256}, as the entry says`)
}

/** Extra data of the offline form: entry and text of the record, which tlog-proof itself does not have. */
type Extra = { readonly entry: string; readonly record_text: string }

/** Parses the offline form of a record's proof. @throws {ServiceError} PROOF_INVALID */
export function parseRecordProof(text: string): RecordProof {
  const { extra, index, hashes, checkpoint } = parseTlogProof(text)
  const { entry, record_text } = parseExtra(extra)
  return { entry, record_text, index, hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')), checkpoint }
}

/** Returns the extra data of the offline form of a record's proof. */
export function extraOf({ entry, record_text }: Extra): Uint8Array {
  return Buffer.from(JSON.stringify({ entry, record_text }))
}

function parseExtra(extra: Uint8Array | null): Extra {
  const allowed = 'base64 of {"entry", "record_text"}'
  if (extra === null) throw proofInvalid('extra line', 'absent', allowed)
  const parts = parseProofJson(Buffer.from(extra).toString('utf8'), 'extra line')
  const { entry, record_text } = isObject(parts) ? parts : {}
  if (typeof entry === 'string' && typeof record_text === 'string') return { entry, record_text }
  throw proofInvalid('extra line', 'another text', allowed)
}

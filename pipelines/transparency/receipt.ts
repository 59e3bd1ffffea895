import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { toMicros } from '../../primitives/instants.ts'
import { proofInvalid } from './proof-invalid.ts'
import {
  type EntryProof,
  type ProvenEntry,
  type RecordProof,
  verifyEntryProof,
  verifyRecordProof,
} from './record-proof.ts'
import { SEAL_KIND, sealedThrough, sealOf } from './seal.ts'
import type { NoteKey } from './signed-note.ts'

type Placed<P extends EntryProof> = Omit<P, 'checkpoint'>

/**
 * Receipt of an answer as of an instant: the seal under which nothing can be published at or before the instant any more, and the proof
 * of the record that the answer shows; null: the answer shows none.
 */
export type Receipt = {
  /** Kind of the record. */
  readonly kind: string
  readonly sealed_through: string
  readonly seal: Placed<EntryProof>
  readonly record: Placed<RecordProof> | null
  /** Signed checkpoint that covers both. */
  readonly checkpoint: string
}

/** Facts that a receipt has shown. */
export type ProvenReceipt = { readonly as_of: string; readonly seal: ProvenEntry; readonly record: ProvenEntry | null }

/** Fields of an answer that say what was known of a record at the instant, not what was published. */
const KNOWN_AT: Readonly<Record<string, readonly string[]>> = {
  index_observation: ['quality_state', 'reason_codes'],
  index_version: ['effective_to', 'link_factor', 'link_at', 'level_at_link'],
}

/** Values of fields that a kind got later: records from before state them by not having them. */
const WITHOUT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { index_version: { governance: 'none' } }

/**
 * Verifies an answer with its receipt, as it was saved. Needs no server.
 * @throws {ServiceError} PROOF_INVALID names what does not verify
 */
export function verifyReceipt(answer: unknown, key: NoteKey): ProvenReceipt {
  const { data, as_of, receipt } = partsOf(answer)
  const seal = verifyEntryProof({ ...receipt.seal, checkpoint: receipt.checkpoint }, key)
  if (seal.entry.kind !== SEAL_KIND) throw proofInvalid('kind of the seal', seal.entry.kind, SEAL_KIND)
  const through = sealedThrough(sealOf(seal.entry), receipt.kind)
  if (through === null || through < toMicros(as_of, 'as_of')) {
    throw proofInvalid('as_of', as_of, `at most ${sealOf(seal.entry).sealed_through}, through which the seal reaches`)
  }
  if (receipt.record === null) return { as_of, seal, record: null }
  const record = verifyRecordProof({ ...receipt.record, checkpoint: receipt.checkpoint }, key)
  refuseOther(record, { data, as_of, seal, record_text: receipt.record.record_text, kind: receipt.kind })
  return { as_of, seal, record }
}

type Compared = {
  readonly data: Readonly<Record<string, unknown>>
  readonly as_of: string
  readonly seal: ProvenEntry
  readonly record_text: string
  readonly kind: string
}

function refuseOther({ entry, index }: ProvenEntry, { data, as_of, seal, record_text, kind }: Compared): void {
  if (entry.kind !== kind) throw proofInvalid('kind of the record', entry.kind, kind)
  if (index >= seal.index)
    throw proofInvalid('index of the record', String(index), `below ${seal.index}, that of the seal`)
  if (toMicros(entry.published_at) > toMicros(as_of)) {
    throw proofInvalid('published_at of the record', entry.published_at, `at or before ${as_of}`)
  }
  const record = JSON.parse(record_text) as Readonly<Record<string, unknown>>
  const known_at = KNOWN_AT[kind] ?? []
  const fields = Object.keys(data).filter((field) => !known_at.includes(field))
  const stated = (field: string): unknown => record[field] ?? WITHOUT[kind]?.[field] ?? null
  const differing = fields.find((field) => canonicalJson(data[field] ?? null) !== canonicalJson(stated(field)))
  if (differing === undefined) return
  throw proofInvalid(`${differing} of the answer`, canonicalJson(data[differing]), canonicalJson(stated(differing)))
}

function partsOf(answer: unknown): { data: Readonly<Record<string, unknown>>; as_of: string; receipt: Receipt } {
  const { data, meta } = isObject(answer) ? answer : {}
  const { as_of, receipt } = isObject(meta) ? meta : {}
  const { seal, record, kind, checkpoint } = isObject(receipt) ? receipt : {}
  const is_whole =
    isObject(data) &&
    typeof as_of === 'string' &&
    typeof kind === 'string' &&
    typeof checkpoint === 'string' &&
    isProof(seal) &&
    (record === null || (isProof(record) && typeof record.record_text === 'string'))
  if (is_whole) return { data, as_of, receipt: receipt as unknown as Receipt }
  throw proofInvalid(
    'receipt',
    isObject(receipt) ? 'incomplete' : 'absent',
    'an answer that was asked for with receipt=true',
  )
}

function isProof(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  return typeof value.entry === 'string' && Number.isSafeInteger(value.index) && isTexts(value.hashes)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

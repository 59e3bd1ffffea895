import { isObject } from '../../primitives/canonical-json.ts'
import { formatMicros, microsOf, toMicros } from '../../primitives/instants.ts'
import { type Comparison, compareAnswer, compareParts } from './compare-answer.ts'
import { envelopeFields } from './envelope-fields.ts'
import { proofInvalid } from './proof-invalid.ts'
import {
  type EntryProof,
  type ProvenEntry,
  type RecordProof,
  verifyEntryProof,
  verifyRecordProof,
} from './record-proof.ts'
import { SEAL_KIND, sealedThrough, sealOf } from './seal.ts'
import { type NoteKey, signaturesOf } from './signed-note.ts'

type Placed<P extends EntryProof> = Omit<P, 'checkpoint'>

/**
 * Receipt of an answer as of an instant: the seal under which nothing can be published at or before the instant any more, and the
 * proofs of the records that the answer shows.
 */
export type Receipt = {
  /** Kind of the record of a single answer. */
  readonly kind?: string
  /** Kinds of the records of a list; empty: the log has none of them. */
  readonly kinds?: readonly string[]
  readonly sealed_through: string
  readonly seal: Placed<EntryProof>
  /** Record of a single answer, or the one that a whole list is; null: there is none. */
  readonly record: Placed<RecordProof> | null
  /** Records of a list, in its order. */
  readonly records?: readonly Placed<RecordProof>[]
  /** Signed checkpoint that covers all. */
  readonly checkpoint: string
}

/** Facts that a receipt has shown, and what it leaves open. */
export type ProvenReceipt = {
  readonly as_of: string
  readonly seal: ProvenEntry
  readonly record: ProvenEntry | null
  readonly records: readonly ProvenEntry[]
  /** Sentences about what the file does not prove. */
  readonly unproven: readonly string[]
  /** Fields of the answer that it does not prove. */
  readonly unproven_fields: readonly string[]
}

/**
 * Verifies an answer with its receipt, as it was saved. Needs no server.
 * @throws {ServiceError} PROOF_INVALID names what does not verify
 */
export function verifyReceipt(answer: unknown, key: NoteKey): ProvenReceipt {
  const parts = partsOf(answer)
  const { as_of, receipt } = parts
  const seal = provenSeal(receipt, as_of, key)
  const { record, records, unproven, unproven_fields } = provenContent({ key, as_of, seal, receipt }, parts)
  refuseEarlier(answer, as_of)
  const { unlogged, unknown } = envelopeFields(answer)
  const around = [
    ...(unlogged.length === 0 ? [] : [`${unlogged.join(', ')}: no record of the log says them`]),
    ...(unknown.length === 0 ? [] : [`${unknown.join(', ')}: this release knows no such field`]),
    ...otherSignatures(seal, key),
    ...unusedKinds(receipt, record, records),
  ]
  return {
    ...{ as_of, seal, record, records },
    unproven: [...unproven, ...around, ...(record === null && records.length === 0 ? [] : [NO_TIME]), NO_NEWER],
    unproven_fields: sorted([...unproven_fields, ...unknown]),
  }
}

/** Signatures of other keys, such as those of witnesses, are not what the key of the log vouches for. */
function otherSignatures({ checkpoint }: ProvenEntry, key: NoteKey): readonly string[] {
  const others = checkpoint.note.signatures.length - signaturesOf(checkpoint.note, key).length
  return others === 0
    ? []
    : [`signatures of other keys in meta.receipt.checkpoint (${others}): only that of the log counts`]
}

/** Kinds that no record of the answer is of: the log closed the instant for them, and nothing shows that they were asked for. */
function unusedKinds(receipt: Receipt, record: ProvenEntry | null, records: readonly ProvenEntry[]): readonly string[] {
  const used = [...records, ...(record === null ? [] : [record])].map(({ entry }) => entry.kind)
  const unused = kindsOf(receipt).filter((kind) => !used.includes(kind))
  return unused.length === 0 ? [] : [`kinds of meta.receipt without a record in the answer: ${unused.join(', ')}`]
}

/** Limit of every receipt: it proves the records that an answer shows, not that the answer left out none. */
const NO_NEWER = 'that no newer record was published by as_of: only the whole log shows it (tidemark verify everything)'

/** Limit of every proof: the log binds an instant to a record, and has no clock of somebody else. */
export const NO_TIME =
  'when a record was published: published_at is what the publisher states; a witness, or a checkpoint that you saved, shows that a record existed by a time'

function provenContent(context: Context, { data, has_more }: Parts): Omit<ProvenReceipt, 'as_of' | 'seal'> {
  const { receipt } = context
  if (receipt.record !== null) {
    const { entry, text } = provenRecord(context, receipt.record)
    const left = Array.isArray(data)
      ? compareParts(data, text, entry.entry.kind)
      : compareAnswer(data, text, entry.entry.kind)
    return { record: entry, records: [], ...unprovenOf(left) }
  }
  const { records } = receipt
  if (!Array.isArray(data) || records === undefined) {
    const left = Array.isArray(data)
      ? [`the ${data.length} records: the log has none of this kind`, ...OF_LISTS(has_more)]
      : ['every field: the receipt has no record of the log']
    return { record: null, records: [], unproven: left, unproven_fields: fieldsOf(data) }
  }
  return { record: null, ...provenList(context, data, records, has_more) }
}

type Context = {
  readonly key: NoteKey
  readonly as_of: string
  readonly seal: ProvenEntry
  readonly receipt: Receipt
}

/** Verifies the seal, and that it reaches the instant for every kind of the answer. */
function provenSeal(receipt: Receipt, as_of: string, key: NoteKey): ProvenEntry {
  const proven = verifyEntryProof({ ...receipt.seal, checkpoint: receipt.checkpoint }, key)
  if (proven.entry.kind !== SEAL_KIND) throw proofInvalid('kind of the seal', proven.entry.kind, SEAL_KIND)
  const seal = sealOf(proven.entry)
  const through = kindsOf(receipt).map((kind) => sealedThrough(seal, kind) ?? -1)
  const earliest = through.length === 0 ? toMicros(seal.sealed_through) : Math.min(...through)
  const stated = toMicros(receipt.sealed_through, 'sealed_through')
  // The seal states two instants: that of these kinds, and the earliest of all.
  if (stated !== earliest && stated !== toMicros(seal.sealed_through)) {
    throw proofInvalid(
      'sealed_through of the receipt',
      receipt.sealed_through,
      `${formatMicros(earliest)}, as in the seal`,
    )
  }
  if (earliest >= toMicros(as_of, 'as_of')) return proven
  throw proofInvalid('as_of', as_of, `at most ${seal.sealed_through}, through which the seal reaches`)
}

function kindsOf({ kind, kinds }: Receipt): readonly string[] {
  return kinds ?? [kind!]
}

/** Verifies a record: it is in the log before the seal, and was published by the instant. */
function provenRecord({ key, as_of, seal, receipt }: Context, proof: Placed<RecordProof>) {
  const entry = verifyRecordProof({ ...proof, checkpoint: receipt.checkpoint }, key)
  const { kind, published_at } = entry.entry
  const kinds = kindsOf(receipt)
  if (!kinds.includes(kind)) throw proofInvalid('kind of the record', kind, kinds.join(', '))
  if (entry.index >= seal.index) {
    throw proofInvalid('index of the record', String(entry.index), `below ${seal.index}, that of the seal`)
  }
  if (toMicros(published_at) > toMicros(as_of)) {
    throw proofInvalid('published_at of the record', published_at, `at or before ${as_of}`)
  }
  return { entry, text: JSON.parse(proof.record_text) as unknown }
}

function provenList(
  context: Context,
  data: readonly unknown[],
  proofs: readonly Placed<RecordProof>[],
  has_more: boolean,
): Pick<ProvenReceipt, 'records' | 'unproven' | 'unproven_fields'> {
  if (proofs.length !== data.length) {
    throw proofInvalid('records of the receipt', String(proofs.length), `${data.length}, as the answer has`)
  }
  const proven = proofs.map((proof) => provenRecord(context, proof))
  const twice = proven.find(({ entry }, n) => proven.findIndex((other) => other.entry.index === entry.index) !== n)
  if (twice !== undefined) throw proofInvalid('records of the receipt', twice.entry.entry.record_id, 'each record once')
  const left = proven.map(({ entry, text }, n) => compareAnswer(data[n], text, entry.entry.kind))
  const all = { known_at: left.flatMap(({ known_at }) => known_at), added: left.flatMap(({ added }) => added) }
  const { unproven, unproven_fields } = unprovenOf(all)
  return { records: proven.map(({ entry }) => entry), unproven: [...unproven, ...OF_LISTS(has_more)], unproven_fields }
}

/** Returns the fields of an answer, or of the items of a list. */
function fieldsOf(data: unknown): string[] {
  const items = (Array.isArray(data) ? data : [data]) as readonly unknown[]
  return sorted(items.flatMap((item) => (isObject(item) ? Object.keys(item) : [])))
}

function sorted(fields: readonly string[]): string[] {
  return [...new Set(fields)].sort()
}

const OF_LISTS = (has_more: boolean): readonly string[] => [
  'that the list leaves no record out: only the whole log shows it (tidemark verify everything)',
  ...(has_more ? ['further pages: each has a receipt of its own'] : []),
]

function unprovenOf({ known_at, added }: Comparison): Pick<ProvenReceipt, 'unproven' | 'unproven_fields'> {
  const listed = (fields: readonly string[]) => sorted(fields).join(', ')
  const unproven = [
    ...(known_at.length === 0
      ? []
      : [`${listed(known_at)}: they say what was known as of the instant, which no record says`]),
    ...(added.length === 0 ? [] : [`${listed(added)}: the text in the log has none of these fields`]),
  ]
  return { unproven, unproven_fields: sorted([...known_at, ...added]) }
}

type Parts = {
  readonly data: unknown
  readonly as_of: string
  readonly has_more: boolean
  readonly receipt: Receipt
}

const ASKED_WITH_RECEIPT = 'an answer that was asked for with receipt=true'

function partsOf(answer: unknown): Parts {
  const { data, meta, page, error } = isObject(answer) ? answer : {}
  if (isObject(error) && typeof error.code === 'string') {
    throw proofInvalid('answer', `the error ${error.code}`, ASKED_WITH_RECEIPT)
  }
  const { as_of, receipt } = isObject(meta) ? meta : {}
  const { seal, record, records, kind, kinds, checkpoint, sealed_through } = isObject(receipt) ? receipt : {}
  const is_list = Array.isArray(data)
  const is_whole =
    (isObject(data) || is_list) &&
    typeof as_of === 'string' &&
    (kinds === undefined ? typeof kind === 'string' : kind === undefined && is_list && isTexts(kinds)) &&
    typeof sealed_through === 'string' &&
    typeof checkpoint === 'string' &&
    isProof(seal) &&
    (record === null || isRecordProof(record)) &&
    (records === undefined || (is_list && record === null && Array.isArray(records) && records.every(isRecordProof)))
  const has_more = isObject(page) && page.has_more === true
  if (is_whole) return { data, as_of, has_more, receipt: receipt as unknown as Receipt }
  throw proofInvalid('receipt', isObject(receipt) ? 'incomplete' : 'absent', ASKED_WITH_RECEIPT)
}

/** Refuses an answer that says it was given before the instant that it is as of. */
function refuseEarlier(answer: unknown, as_of: string): void {
  const { published_at } = (answer as { readonly meta: Readonly<Record<string, unknown>> }).meta
  const at = typeof published_at === 'string' ? microsOf(published_at) : null
  if (at === null || at >= toMicros(as_of, 'as_of')) return
  throw proofInvalid('published_at of meta', String(published_at), `${as_of} or later: the answer is as of it`)
}

function isRecordProof(value: unknown): boolean {
  return isProof(value) && typeof value.record_text === 'string'
}

function isProof(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false
  return typeof value.entry === 'string' && Number.isSafeInteger(value.index) && isTexts(value.hashes)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

import type { Static } from 'typebox'
import { parseStrictText } from '../../primitives/strict-json.ts'
import type { Proof as ProofSchema } from '../../protocol/resources/proof.ts'
import { fromBase64, isSame, sha256Hex } from './bytes.ts'
import { readKey } from './known-key.ts'
import type { LogFiles } from './log-files.ts'
import { leafHash, rootOfInclusion } from './merkle-tree.ts'
import { CannotCheck, ProofFault, requireCryptography } from './proof-fault.ts'
import { parsedOf } from './seals.ts'
import type { SeenLogs } from './seen-logs.ts'
import { type Checkpoint, checkSignature, parseCheckpoint } from './signed-note.ts'
import { type Verdict, verdictOf } from './verdict.ts'

type Proof = Static<typeof ProofSchema>

/** Record that the page shows. */
export type ShownRecord = {
  readonly record: object
  /** Fields that may have got another value since publication, such as the end of a version that has a successor. */
  readonly later?: readonly string[]
}

export type RecordPorts = {
  readonly files: LogFiles
  readonly seen: SeenLogs
  readonly signal: AbortSignal
  /** @throws {ApiError} PROOF_PENDING */
  readonly proof: () => Promise<Proof>
}

const FAILURE =
  'The record on this page is not proven: it is not what the signed log says. Do not rely on it, and keep this page.'

/** First member of every entry, which tells it from signed texts of another kind. */
const STATEMENT = 'tidemark.log/v1'

type Entry = {
  readonly kind: string
  readonly record_id: string
  readonly published_at: string
  readonly row_sha256: string
}

/** Verifies that the log has a record, and that it is the record that the page shows. */
export function verifyRecord(ports: RecordPorts, shown: ShownRecord): Promise<Verdict> {
  return verdictOf(async (step) => {
    requireCryptography()
    const key = await step('Key', () => readKey(ports.files, ports.seen, ports.signal))
    const proof = await ports.proof()
    const checkpoint = await step('Checkpoint', async () => {
      const read = parseCheckpoint(proof.checkpoint)
      await checkSignature(read, key)
      return { detail: `The key signed ${read.size} entries under one root.`, value: read }
    })
    const entry = await step('Inclusion', async () => {
      const value = await includedEntry(proof, checkpoint)
      return { detail: `Entry ${proof.index} leads to that root through ${proof.hashes.length} hashes.`, value }
    })
    await step('Text', async () => {
      if ((await sha256Hex(proof.record_text)) !== entry.row_sha256)
        throw new ProofFault('The text of the record has another SHA-256 than its entry.')
      return { detail: `The text has the SHA-256 of the entry: ${entry.row_sha256}`, value: null }
    })
    await step('Page', async () => ({ detail: comparedPage(proof.record_text, shown), value: null }))
    return `The log has this record as ${entry.kind} ${entry.record_id}, published ${entry.published_at}. It cannot be changed or removed without a trace.`
  }, FAILURE)
}

async function includedEntry({ entry, index, hashes }: Proof, { size, root }: Checkpoint): Promise<Entry> {
  const bytes = fromBase64(entry)
  const proof = hashes.map(fromBase64)
  const is_whole = bytes !== null && proof.every((hash) => hash?.length === root.length)
  const leads_to = is_whole
    ? await rootOfInclusion(await leafHash(bytes), { index, size }, proof as Uint8Array[])
    : null
  if (leads_to === null || !isSame(leads_to, root))
    throw new ProofFault(`The proof of entry ${index} does not lead to the root that was signed.`)
  const parsed = parsedOf(bytes!)
  if (parsed?.statement !== STATEMENT) throw new ProofFault(`Entry ${index} is not an entry of ${STATEMENT}.`)
  return parsed as unknown as Entry
}

function publishedOf(record_text: string): Readonly<Record<string, unknown>> {
  try {
    return parseStrictText(record_text) as Readonly<Record<string, unknown>>
  } catch (error) {
    throw new ProofFault(`The text of the record ${(error as Error).message}.`)
  }
}

/** Compares each field of the published text with the record that the page shows. */
function comparedPage(record_text: string, { record, later = [] }: ShownRecord): string {
  const published = publishedOf(record_text)
  const fields = record as Record<string, unknown>
  if (published.published_at !== fields.published_at)
    throw new CannotCheck(
      `The proof is of the revision published ${published.published_at}; the page shows that of ${fields.published_at}.`,
    )
  const differing = Object.keys(published).filter((name) => !isShown(published[name], fields[name]))
  const wrong = differing.find((name) => !later.includes(name))
  if (wrong !== undefined)
    throw new ProofFault(
      `The page has ${wrong} ${shortText(fields[wrong])}; the log has ${shortText(published[wrong])}.`,
    )
  const count = Object.keys(published).length - differing.length
  const rest = differing.length === 0 ? '' : ` Otherwise known now: ${differing.join(', ')}.`
  return `${count} fields on this page are those that were published.${rest}`
}

/** Whether a value shows a published one: a part may have more members, which the record got later. */
function isShown(published: unknown, shown: unknown): boolean {
  if (Array.isArray(published) && Array.isArray(shown) && published.length === shown.length)
    return published.every((item, place) => isShown(item, shown[place]))
  if (isMembers(published) && isMembers(shown))
    return Object.keys(published).every((name) => isShown(published[name], shown[name]))
  return sortedJson(published) === sortedJson(shown)
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function shortText(value: unknown): string {
  const text = value === undefined ? 'no value' : sortedJson(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Returns the JSON text of a value, its members sorted, so that equal values have equal texts. */
function sortedJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) =>
      member !== null && typeof member === 'object' && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ) ?? 'no value'
  )
}

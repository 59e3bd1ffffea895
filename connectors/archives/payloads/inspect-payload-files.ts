import type { IgnoreRule } from '../../../pipelines/venues/outcomes.ts'
import { parseRecord, type QuarantineItem } from '../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { type ArchiveFile, compressionOf, readArchiveFile } from '../archive-file.ts'
import { readLines } from '../lines.ts'
import { readFileShape } from './file-shape.ts'
import type { DocumentForm, LineForm, PayloadForm, Recorded, TimedFile } from './payload-form.ts'
import { PAYLOAD_BYTES_MAX, quarantinedAt } from './payload-item.ts'
import { lineItem, type PayloadFile, readWhole, textOf } from './read-payload-file.ts'

export type InspectedFiles = {
  /** Files of payloads by first receipt, documents before lines. */
  readonly files: readonly PayloadFile[]
  /** One item per file of unknown form. */
  readonly quarantine: readonly QuarantineItem[]
  /** Files without content. */
  readonly ignored: readonly IgnoredFile[]
}

/** A file that gives no payload, and the rule by which it does not. */
export type IgnoredFile = { readonly file: string; readonly rule: IgnoreRule }

/** Returns the form in which a file of a shape holds payloads. */
export type FormOf = (file: ArchiveFile, shape: 'document' | 'lines') => PayloadForm

/**
 * Reads every file of an archive once before anything is stored, so that a cut or corrupt compressed file ends the import here.
 * Finds each file's first receipt, by which payloads are merged in the order of receipt.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID
 */
export async function inspectPayloadFiles(
  files: readonly ArchiveFile[],
  formOf: FormOf,
  now: Micros,
): Promise<InspectedFiles> {
  const known: Inspected[] = []
  const quarantine: QuarantineItem[] = []
  const ignored: IgnoredFile[] = []
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE).map((file) => inspectFile(file, formOf, now))
    // All of them finish before the first failure ends the import, as if they were read one after the other.
    await Promise.allSettled(some)
    for (const inspected of await Promise.all(some)) {
      if ('reason' in inspected) quarantine.push(inspected)
      else if ('rule' in inspected) ignored.push(inspected)
      else known.push(inspected)
    }
  }
  return { files: inOrder(known), quarantine, ignored }
}

/** Files read at once; each is unpacked by its own thread. */
const AT_ONCE = 2

async function inspectFile(
  file: ArchiveFile,
  formOf: FormOf,
  now: Micros,
): Promise<Inspected | QuarantineItem | IgnoredFile> {
  const shape = await readFileShape(file)
  if (typeof shape === 'object' || shape === 'empty') {
    await drain(file)
    return shape === 'empty' ? { file: file.name, rule: 'EMPTY_FILE' } : quarantinedAt(file.name, shape)
  }
  const form = formOf(file, shape)
  return form.kind === 'lines' ? inspectLines(file, form, now) : inspectDocument(file, form)
}

type Inspected = PayloadFile & {
  /** The receipt is only the earliest possible one. */
  readonly is_earliest?: boolean
  /** A document without a receipt of its own. */
  readonly untimed?: { readonly form: DocumentForm; readonly recorded: Recorded }
}

async function drain(file: ArchiveFile): Promise<void> {
  if (compressionOf(file) === null) return
  for await (const _chunk of readArchiveFile(file));
}

/** Finds the first line with a payload; of a compressed file all bytes are read. */
async function inspectLines(file: ArchiveFile, form: LineForm, now: Micros): Promise<Inspected> {
  let first: Micros | null = null
  for await (const lines of readLines(readArchiveFile(file), PAYLOAD_BYTES_MAX)) {
    for (const line of lines) {
      const item = lineItem(line, file.name, form, now)
      if ('quarantined' in item) continue
      first = item.payload.received_at
      break
    }
    if (first !== null) break
  }
  if (first !== null) await drain(file)
  return { file, form, first_received_at: first }
}

async function inspectDocument(file: ArchiveFile, form: DocumentForm): Promise<Inspected> {
  const whole = await readWhole(file)
  const parsed = parseRecord(() => form.read(textOf(whole), file.name))
  if ('reason' in parsed) return { file, form, first_received_at: null }
  const { record } = parsed
  const recorded = 'endpoint' in record ? [record] : record.filter((element) => 'endpoint' in element)
  const timed = recorded.find(({ received_at }) => received_at !== null)
  if (timed !== undefined) {
    const is_earliest = recorded.every((one) => one.is_earliest === true)
    return { file, form, first_received_at: timed.received_at, ...(is_earliest && { is_earliest }) }
  }
  const [first] = recorded
  const untimed = first && { form, recorded: { ...first, text: first.text.slice(0, HEAD_LENGTH) } }
  return { file, form, first_received_at: null, ...(untimed && { untimed }) }
}

/** Characters of a document without a time that are kept to find one. */
const HEAD_LENGTH = 4096

/** Dates files by those beside them; a file that is dated so comes after the others of its instant. */
function inOrder(files: readonly Inspected[]): PayloadFile[] {
  const beside: TimedFile[] = files.flatMap(({ file, first_received_at, is_earliest }) =>
    first_received_at === null || is_earliest === true ? [] : [{ name: file.name, first_received_at }],
  )
  const dated = files.map(({ untimed, is_earliest, ...file }) => {
    if (is_earliest !== true && untimed === undefined) return file
    const near = nearest(file.file.name, beside)
    const latest = () => Math.max(file.first_received_at ?? 0, ...near.map((one) => one.first_received_at))
    if (is_earliest === true) return { ...file, first_received_at: latest() }
    return { ...file, first_received_at: untimed!.form.untimed(untimed!.recorded, near) ?? file.first_received_at }
  })
  const is_late = new Set(files.filter(({ is_earliest }) => is_earliest === true).map(({ file }) => file.name))
  const lateness = ({ file }: PayloadFile) => Number(is_late.has(file.name))
  const byTime = (a: PayloadFile, b: PayloadFile) => (a.first_received_at ?? 0) - (b.first_received_at ?? 0)
  return dated.sort((a, b) => byTime(a, b) || lateness(a) - lateness(b) || inOrderOfReceipt(a, b))
}

/** Returns the files of the folder of a file; if none of them is dated, those below the folder above it, and so on. */
function nearest(name: string, beside: readonly TimedFile[]): readonly TimedFile[] {
  for (let end = name.lastIndexOf('/'); end >= 0; end = name.lastIndexOf('/', end - 1)) {
    const near = beside.filter((one) => one.name.startsWith(name.slice(0, end + 1)))
    if (near.length > 0) return near
    if (end === 0) break
  }
  return beside
}

/** Orders files by receipt; one without any payload comes first, as it gives only quarantined items. */
function inOrderOfReceipt(a: PayloadFile, b: PayloadFile): number {
  const by_time = (a.first_received_at ?? 0) - (b.first_received_at ?? 0)
  if (by_time !== 0) return by_time
  if (a.form.kind !== b.form.kind) return a.form.kind === 'document' ? -1 : 1
  return a.file.name < b.file.name ? -1 : 1
}

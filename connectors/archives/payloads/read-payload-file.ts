import { isUtf8 } from 'node:buffer'
import { parseRecord, Quarantined, type Refusal } from '../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { type ArchiveFile, readArchiveFile } from '../archive-file.ts'
import { type Line, readLines, withoutMark } from '../lines.ts'
import { isMarkup } from './json-document.ts'
import type { DocumentForm, LineForm, PayloadForm, Recorded } from './payload-form.ts'
import { PAYLOAD_BYTES_MAX, type PayloadItem, payloadItem, quarantinedAt } from './payload-item.ts'

/** A file of payloads: its form and the receipt of its first payload; null if no payload can be read. */
export type PayloadFile = {
  readonly file: ArchiveFile
  readonly form: PayloadForm
  readonly first_received_at: Micros | null
}

/**
 * Reads the payloads of one file in its order, in batches.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_ARCHIVE_INVALID
 */
export async function* readPayloadFile(source: PayloadFile, now: Micros): AsyncGenerator<PayloadItem[]> {
  const { file, form } = source
  if (form.kind === 'document') {
    yield documentItems(await readWhole(file), form, source, now)
    return
  }
  // Lines before the first one with a time came with it at the latest.
  let previous = source.first_received_at
  for await (const lines of readLines(readArchiveFile(file), PAYLOAD_BYTES_MAX)) {
    yield lines.map((line) => {
      const item = lineItem(line, file.name, form, now, previous)
      if ('payload' in item) previous = item.payload.received_at
      return item
    })
  }
}

/** Reads one line as a payload. @param previous receipt of the payload before it in the file */
export function lineItem(
  line: Line,
  name: string,
  form: LineForm,
  now: Micros,
  previous: Micros | null = null,
): PayloadItem {
  const origin = `${name}:${line.line}`
  if ('reason' in line) return { quarantined: quarantinedAt(origin, line) }
  return payloadItem(() => form.read(line.text, previous, name), origin, now)
}

/** Reads a document; in a list of payloads each element is named like a line, by its ordinal. */
function documentItems(text: WholeText, form: DocumentForm, source: PayloadFile, now: Micros): PayloadItem[] {
  const { name } = source.file
  const timed = (recorded: Recorded) => {
    const { first_received_at } = source
    const received_at = recorded.is_earliest === true ? first_received_at : (recorded.received_at ?? first_received_at)
    return { ...recorded, received_at }
  }
  const parsed = parseRecord(() => form.read(textOf(text), name))
  if ('reason' in parsed) return [{ quarantined: quarantinedAt(name, parsed) }]
  const { record } = parsed
  if (!isList(record)) return [payloadItem(() => timed(record), name, now)]
  return record.map((element, n) => {
    const place = `${name}:${n + 1}`
    if ('reason' in element) return { quarantined: quarantinedAt(place, element) }
    return payloadItem(() => timed(element), place, now)
  })
}

function isList(read: ReturnType<DocumentForm['read']>): read is readonly (Recorded | Refusal)[] {
  return Array.isArray(read)
}

/** The text of a whole file, or the reason it was rejected. */
export type WholeText = { readonly text: string } | { readonly reason: 'BAD_ENCODING' | 'LINE_TOO_LONG' }

/** Reads a file of at most PAYLOAD_BYTES_MAX; a longer one is read to its end too, so that its compression is checked. */
export async function readWhole(file: ArchiveFile): Promise<WholeText> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of readArchiveFile(file)) {
    size += chunk.length
    if (size <= PAYLOAD_BYTES_MAX) chunks.push(chunk)
  }
  if (size > PAYLOAD_BYTES_MAX) return { reason: 'LINE_TOO_LONG' }
  const bytes = Buffer.concat(chunks)
  return isUtf8(bytes) ? { text: documentText(bytes) } : { reason: 'BAD_ENCODING' }
}

/** Drops a byte order mark, as of a line; XML keeps it. */
function documentText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return isMarkup(text) ? text : withoutMark(text)
}

/** Returns the text. @throws Quarantined the reason it was rejected */
export function textOf(whole: WholeText): string {
  if ('reason' in whole) throw new Quarantined(whole.reason)
  return whole.text
}

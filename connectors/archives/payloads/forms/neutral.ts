import { isUtf8 } from 'node:buffer'
import { readWord } from '../../../../pipelines/text/fields.ts'
import { idField, instantField, optionalText } from '../../../../pipelines/text/json-fields.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import type { VenuePayload } from '../../../../pipelines/venues/record.ts'
import { formatMicros, type Micros, microsOf } from '../../../../primitives/instants.ts'
import { jsonDocument, jsonObject } from '../json-document.ts'
import type { LineForm, Recorded } from '../payload-form.ts'
import type { UnreadablePayload } from '../payload-item.ts'

/**
 * Our own form of recorded payloads, `*.payloads.jsonl`: one `{venue_id, endpoint, request, received_at, body}` per line, in
 * the order of receipt. `body` is the text that the venue sent, `request` the path and query or null. Bytes that are not UTF-8
 * are in `body_base64` instead.
 * @param venues the venues whose payloads the file may contain
 */
export function neutralForm(venues: readonly string[]): LineForm {
  const [heads, tried]: [Head[], Set<string>] = [[], new Set()]
  return {
    kind: 'lines',
    name: 'our own form',
    read(line) {
      for (let n = 0; n < heads.length; n += 1) {
        const recorded = heads[n]!.begins.test(line) ? readAfter(heads[n]!, line) : null
        if (recorded !== null) return recorded
      }
      const recorded = readNeutralLine(line, venues)
      if (recorded.request === null && tried.size < HEADS_MAX) {
        const about = `${recorded.venue_id} ${recorded.endpoint}`
        if (!tried.has(about)) rememberHead(heads, recorded, line)
        tried.add(about)
      }
      return recorded
    },
  }
}

/** The start of one endpoint's lines, already parsed: lines of a stream differ in receipt and body alone. */
type Head = Pick<Recorded, 'venue_id' | 'endpoint' | 'request'> & {
  /** Matches a line up to its body, with a receipt to the microsecond. A pattern compares many characters at once. */
  readonly begins: RegExp
  /** Character offset of the receipt in a line. */
  readonly length: number
}

/** Number of starts to keep; a stream has a handful of endpoints. */
const HEADS_MAX = 16
const RECEIPT_LENGTH = '2026-01-17T00:00:00.000000Z'.length
const BODY = '","body":'
const OBJECT_END = 125
const REST = `.{${RECEIPT_LENGTH}}${BODY}"`

function rememberHead(heads: Head[], { venue_id, endpoint, request }: Recorded, line: string): void {
  const text = `${JSON.stringify({ venue_id, endpoint, request }).slice(0, -1)},"received_at":"`
  const begins = new RegExp(`^${text.replaceAll(/[^\w ",:]/g, '\\$&')}${REST}`)
  if (begins.test(line)) heads.push({ venue_id, endpoint, request, begins, length: text.length })
}

/** Reads the rest of a line with a known start; null if its receipt or body is not in the usual form. */
function readAfter({ venue_id, endpoint, request, length }: Head, line: string): Recorded | null {
  if (line.charCodeAt(line.length - 1) !== OBJECT_END) return null
  const end = length + RECEIPT_LENGTH
  const received_at = microsOf(line.slice(length, end))
  const text = stringOf(line.slice(end + BODY.length, -1))
  return received_at === null || text === null ? null : { venue_id, endpoint, request, received_at, text }
}

function stringOf(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

function readNeutralLine(line: string, venues: readonly string[]): Recorded {
  const object = jsonObject(jsonDocument(line))
  return {
    venue_id: readWord(idField(object, 'venue_id'), venues),
    endpoint: idField(object, 'endpoint'),
    request: optionalText(object, 'request'),
    received_at: instantField(object, 'received_at'),
    text: bodyOf(object),
  }
}

function bodyOf({ body, body_base64 }: ReturnType<typeof jsonObject>): string {
  const text = body ?? body_base64
  if (text === undefined || text === null) throw new Quarantined('MISSING_FIELD')
  if (typeof text !== 'string') throw new Quarantined('BAD_TEXT')
  if (text === body) return text
  const bytes = Buffer.from(text, 'base64')
  if (!isUtf8(bytes)) throw new Quarantined('BAD_ENCODING', NOT_TEXT)
  return bytes.toString('utf8')
}

const NOT_TEXT = 'the venue sent bytes that are no text in UTF-8: nothing can be read from this answer'

/** Returns the line of a payload, without its line end. */
export function neutralLine({ venue_id, endpoint, request, received_at, text }: VenuePayload): string {
  return JSON.stringify({ venue_id, endpoint, request, received_at: formatMicros(received_at), body: text })
}

/** Returns the line of an answer that is not UTF-8, without its line end. */
export function unreadableLine({ venue_id, endpoint, request, received_at, bytes }: UnreadablePayload): string {
  const body_base64 = bytes.toString('base64')
  return JSON.stringify({ venue_id, endpoint, request, received_at: formatMicros(received_at), body_base64 })
}

/** Returns the receipt that a line states, whatever its body is. @throws Quarantined */
export function receiptOfLine(line: string): Micros {
  return instantField(jsonObject(jsonDocument(line)), 'received_at')
}

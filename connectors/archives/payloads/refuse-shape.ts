import { Quarantined } from '../../../pipelines/venues/quarantine.ts'
import { isJsonObject, isMarkup } from './json-document.ts'
import { either, endpointOfShape, object, type Recogniser } from './recogniser.ts'

/** Fields in which servers write what went wrong. */
const ERROR_FIELDS = ['error', 'errors', 'message', 'msg', 'detail', 'reason', 'errorCode', 'faultstring'] as const
/** Fields that stand beside those; an object with any other field is more than an error. */
const BESIDE_ERROR = new Set<string>([
  ...ERROR_FIELDS,
  ...['code', 'status', 'statusCode', 'status_code', 'type', 'title', 'name', 'details', 'success', 'ok', 'faultcode'],
  ...['instance', 'path', 'method', 'request_id', 'requestId', 'trace_id', 'timestamp', 'ts', 'service'],
])
const HTML = /^\ufeff?\s*<(?:!doctype\s+html|html|head|body)\b/i
const FIELDS_NAMED = 8
const QUOTED_MAX = 80
const ROWS = 'rows of a table are imported as CSV or Parquet with `quotes --mapping FILE`'

/**
 * Returns why a JSON value or XML text of no known shape is refused, and what to do with it.
 * @param known the recognisers that were asked
 * @param all those of every venue
 */
export function refuseShape(value: unknown, known: readonly Recogniser[], all: readonly Recogniser[]): Quarantined {
  if (typeof value === 'string' && isMarkup(value)) return refuseMarkup(value)
  const error = errorIn(value)
  if (error !== null) {
    return new Quarantined('ERROR_ANSWER', `the error ${quoted(error)} instead of data: request it again`)
  }
  for (const other of all) {
    const endpoint = known.includes(other) ? null : endpointOfShape(other, value)
    if (endpoint === null) continue
    const { venue_id } = other
    const advice = `\`${endpoint}\` of ${venue_id}: import it as \`${venue_id}\`, or the folder as \`payloads\``
    return new Quarantined('OTHER_VENUE', advice)
  }
  const foreign = FOREIGN.find(({ is }) => is(value))
  return new Quarantined('UNKNOWN_SHAPE', foreign?.advice ?? adviceOnShape(value, known))
}

const hasAlert = object(({ properties }) => object((stated) => 'alertlevel' in stated)(properties))

/** Answers of known sources that are not read, and what to do instead. */
const FOREIGN: readonly { readonly is: (value: unknown) => boolean; readonly advice: string }[] = [
  {
    is: either(hasAlert, (value) => object(({ features }) => Array.isArray(features) && hasAlert(features[0]))(value)),
    advice: 'GeoJSON of GDACS, which is not read: import its RSS feed (xml/rss.xml) as `gdacs`',
  },
  {
    is: object(({ results }) => Array.isArray(results)),
    advice: `a page of \`results\`, which is no answer of a venue that is read; ${ROWS}`,
  },
]

function refuseMarkup(text: string): Quarantined {
  if (HTML.test(text)) return new Quarantined('WEB_PAGE')
  if (/<rss[\s>]/.test(text) && !text.includes('</rss>')) {
    return new Quarantined('UNKNOWN_SHAPE', 'an RSS feed that ends before </rss>: get it again')
  }
  const seen = quoted(text.trimStart())
  return new Quarantined('UNKNOWN_SHAPE', `text that begins with ${seen}: of XML, feeds of \`gdacs\` alone are read`)
}

/** Returns what an answer that is nothing but an error says; null for any other value. */
function errorIn(value: unknown): string | null {
  if (!isJsonObject(value) || Object.keys(value).some((field) => !BESIDE_ERROR.has(field))) return null
  const said = ERROR_FIELDS.map((field) => value[field]).find((found) => (found ?? '') !== '')
  if (said === undefined) return null
  const { message } = isJsonObject(said) ? said : { message: said }
  return typeof message === 'string' ? message : JSON.stringify(said)
}

function adviceOnShape(value: unknown, known: readonly Recogniser[]): string {
  const of_venue = known.length === 1 ? known[0]!.venue_id : 'any venue'
  if (!isJsonObject(value)) {
    return `${Array.isArray(value) ? 'the list' : 'the value'} ${quoted(JSON.stringify(value))}: answers and messages have named fields; ${ROWS}`
  }
  const fields = Object.keys(value)
  const named = fields.slice(0, FIELDS_NAMED).join(', ') + (fields.length > FIELDS_NAMED ? ', …' : '')
  const seen = fields.length === 0 ? 'an object without fields' : `an object with the fields ${quoted(named)}`
  const nearest = nearestShape(new Set(fields), known)
  const accepted = nearest === null ? '' : `; nearest is \`${nearest.endpoint}\`, known by ${nearest.known_by}`
  return `${seen}, which is no answer of ${of_venue}${accepted}: import answers as they were received; ${ROWS}`
}

/** Returns the shape whose description names most of these fields; null if none names any. */
function nearestShape(fields: ReadonlySet<string>, known: readonly Recogniser[]) {
  const shapes = known.flatMap((one) => one.shapes)
  const shared = shapes.map(
    ({ known_by }) => [...known_by.matchAll(/`(\w+)`/g)].filter(([, word]) => fields.has(word!)).length,
  )
  const most = Math.max(0, ...shared)
  return most === 0 ? null : shapes[shared.indexOf(most)]!
}

/** Quotes the beginning of a text of a file, in one line and without quotation marks of its own. */
export function quoted(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll('"', "'")
  return `"${line.length > QUOTED_MAX ? `${line.slice(0, QUOTED_MAX)}…` : line}"`
}

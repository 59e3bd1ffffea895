import { remembering } from '../../../pipelines/text/remembering.ts'
import type { PayloadVenue } from '../../../pipelines/venues/payload-venues.ts'
import { parseRecord, Quarantined, type Refusal } from '../../../pipelines/venues/quarantine.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { withoutMark } from '../lines.ts'
import { endpointOfRequest } from './endpoint-of-request.ts'
import { BETFAIR } from './forms/betfair.ts'
import { GDACS } from './forms/gdacs.ts'
import { KALSHI } from './forms/kalshi.ts'
import { MANIFOLD } from './forms/manifold.ts'
import { POLYMARKET } from './forms/polymarket.ts'
import { PREDICTIT } from './forms/predictit.ts'
import { USGS } from './forms/usgs.ts'
import { type HarPayload, harPayloads } from './har.ts'
import { isJsonObject, isMarkup, jsonDocument } from './json-document.ts'
import type { DocumentForm, LineForm, Recorded, TimedFile } from './payload-form.ts'
import type { PayloadKind } from './payload-kinds.ts'
import { rawField } from './raw-field.ts'
import { rawItems } from './raw-items.ts'
import { timeInName } from './receive-time.ts'
import { endpointOfShape, type Recogniser } from './recogniser.ts'
import { quoted, refuseShape } from './refuse-shape.ts'
import { type Around, besideAnswer, timedLine, unwrap } from './wrapper.ts'

/**
 * Every endpoint that is known, by venue, with its features; docs/archives.md is made from it. In an archive of several venues
 * the first that knows a shape has it.
 */
export const ACCEPTED: Readonly<Record<PayloadVenue, Recogniser>> = {
  polymarket: POLYMARKET,
  betfair: BETFAIR,
  usgs: USGS,
  kalshi: KALSHI,
  manifold: MANIFOLD,
  predictit: PREDICTIT,
  gdacs: GDACS,
}

/** Nobody wraps a payload more often. */
const WRAPPERS_MAX = 3
const NOTHING: Around = { received_at: null, request: null, market: null }
/** A message that only keeps a connection open. */
const KEEPALIVE = /^\s*P[IO]NG\s*$/

/** Returns the form of a file with one recorded payload per line, wrapped or not. */
export function recordedLines(kind: PayloadKind): LineForm {
  const known = recognisersOf(kind)
  const marketOf = remembering((name: string) => marketInName(name, known), 1)
  return {
    kind: 'lines',
    name: 'JSON line by line',
    read: (line, previous, name) => {
      const timed = timedLine(line)
      const around = { ...NOTHING, received_at: timed?.received_at ?? null, market: marketOf(name) }
      const recorded = readOne(timed?.text ?? line, around, known, WRAPPERS_MAX)
      return { ...recorded, received_at: recorded.received_at ?? previous }
    },
  }
}

/** Returns the form of a file that is one recorded answer or feed, or a list of payloads. */
export function recordedDocument(kind: PayloadKind): DocumentForm {
  const known = recognisersOf(kind)
  return {
    kind: 'document',
    name: 'one document',
    read: (text, name) => (isMarkup(text) ? readOne(text, NOTHING, known, 0) : readDocument(text, name, known)),
    untimed: (recorded, beside) => {
      const { untimed = latestBeside } = known.find(({ venue_id }) => venue_id === recorded.venue_id) ?? {}
      return untimed(recorded, beside)
    },
  }
}

function recognisersOf(kind: PayloadKind): readonly Recogniser[] {
  return kind === 'payloads' ? Object.values(ACCEPTED) : [ACCEPTED[kind]]
}

function latestBeside(_recorded: Recorded, beside: readonly TimedFile[]): Micros | null {
  return beside.length === 0 ? null : Math.max(...beside.map(({ first_received_at }) => first_received_at))
}

/** Reads a document as one payload, or as a list of them: of a stream, or in a recorder's own order. */
function readDocument(text: string, name: string, known: readonly Recogniser[]) {
  const named = { ...NOTHING, market: marketInName(name, known) }
  const parsed = parseRecord(() => readOne(text, named, known, WRAPPERS_MAX))
  const value = jsonDocument(text)
  const is_list = Array.isArray(value)
  const isMessages = (recorded: Recorded) => is_list && recorded.text === text && isStream(recorded, known)
  if ('record' in parsed && !isMessages(parsed.record)) return inNamedTime(parsed.record, name)
  const har = harPayloads(value)
  if (har !== null) return har.map((payload) => parsedOf(() => readHarPayload(payload, known)))
  if (is_list) return readItems(rawItems(withoutMark(text)), named, known)
  const items = readItems(listWithin(value, withoutMark(text)), named, known)
  if (items.some((item) => 'endpoint' in item)) return items
  const refusal: Refusal = 'reason' in parsed ? parsed : { reason: 'UNKNOWN_SHAPE' }
  throw new Quarantined(refusal.reason, refusal.advice)
}

function readItems(items: readonly string[], around: Around, known: readonly Recogniser[]): (Recorded | Refusal)[] {
  let previous: Micros | null = null
  return items.map((item) => {
    const found = parsedOf(() => readOne(item, around, known, WRAPPERS_MAX))
    if ('reason' in found) return found
    previous = found.received_at ?? previous
    return { ...found, received_at: previous }
  })
}

function parsedOf(read: () => Recorded): Recorded | Refusal {
  const parsed = parseRecord(read)
  return 'record' in parsed ? parsed.record : parsed
}

/** Returns the items of the one list that an object of a recorder holds; none if it holds several lists. */
function listWithin(value: unknown, text: string): readonly string[] {
  if (!isJsonObject(value)) return []
  const [field, ...more] = Object.keys(value).filter((name) => Array.isArray(value[name]))
  return field === undefined || more.length > 0 ? [] : rawItems(rawField(text, field)!)
}

/** Reads one answer or message of a HAR file. Most entries of such files are parts of web pages; those are refused. */
function readHarPayload(payload: HarPayload, known: readonly Recogniser[]): Recorded {
  const { text, mime_type } = payload
  const is_readable = /^\ufeff?\s*[{[<]/.test(text) || KEEPALIVE.test(text)
  if (is_readable) return readOne(text, payload, known, WRAPPERS_MAX)
  throw new Quarantined(
    'UNKNOWN_SHAPE',
    `an answer of a browser's record (HAR) that is ${quoted(mime_type)}: leave it out`,
  )
}

/** A file named after an instant was received then, unless its payload is about a later one. */
function inNamedTime(recorded: Recorded, name: string): Recorded {
  const named = timeInName(name)
  const { received_at } = recorded
  return named === null || (received_at !== null && received_at >= named)
    ? recorded
    : { ...recorded, received_at: named, is_earliest: false }
}

function isStream({ venue_id, endpoint }: Recorded, known: readonly Recogniser[]): boolean {
  return known.some((one) => one.venue_id === venue_id && one.isStream(endpoint))
}

function marketInName(name: string, known: readonly Recogniser[]): string | null {
  for (const { marketInName: find } of known) {
    const market = find?.(name) ?? null
    if (market !== null) return market
  }
  return null
}

/** Reads one payload, in wrappers or not. @throws Quarantined */
function readOne(text: string, around: Around, known: readonly Recogniser[], wrappers: number): Recorded {
  const stream = known.find(({ isStream: is, endpoints }) => endpoints.some(is))
  if (KEEPALIVE.test(text) && stream !== undefined) {
    const endpoint = stream.endpoints.find(stream.isStream)!
    return { venue_id: stream.venue_id, endpoint, request: null, received_at: around.received_at, text }
  }
  const value = isMarkup(text) ? text : jsonDocument(text)
  for (const one of known) {
    const recorded = one.enveloped?.(value, text) ?? recognised(value, text, around, one)
    if (recorded !== null) return recorded
  }
  const is_wrapper = wrappers > 0 && !isMarkup(text)
  const wrapped = is_wrapper ? unwrap(value, withoutMark(text), around) : null
  if (wrapped === null) throw refuseShape(value, known, Object.values(ACCEPTED))
  return readOne(wrapped.text, wrapped, known, wrappers - 1)
}

function recognised(value: unknown, text: string, around: Around, one: Recogniser): Recorded | null {
  const endpoint = endpointOfShape(one, value) ?? emptyAnswer(value, around, one)
  if (endpoint === null) return null
  const asked = endpointOfRequest(around.request, one.endpoints)
  const beside = besideAnswer(value, withoutMark(text))
  const received_at = around.received_at ?? one.clockOf(text, endpoint) ?? beside.received_at
  const market = beside.market ?? around.market
  const request = around.request ?? (market === null ? null : (one.requestOf?.(endpoint, market) ?? null))
  // A request names the answer more exactly than its shape, unless it asked for something else that is wrapped here.
  const is_same = asked !== null && !one.isStream(endpoint) && sameAnswer(asked, endpoint)
  const found = { venue_id: one.venue_id, endpoint: is_same ? asked : endpoint, request, received_at, text }
  const is_earliest = around.received_at === null && one.isAboutPast?.(endpoint) === true
  return is_earliest ? { ...found, is_earliest } : found
}

/** An answer without records has no shape; only its request says what it is. */
function emptyAnswer(value: unknown, { request }: Around, one: Recogniser): string | null {
  return Array.isArray(value) && value.length === 0 ? endpointOfRequest(request, one.endpoints) : null
}

/** Whether two endpoints are of one resource: `/historical/markets` and `/markets`. */
function sameAnswer(asked: string, shown: string): boolean {
  const last = (endpoint: string) =>
    endpoint
      .split('/')
      .at(-1)!
      .replace(/^\{.*\}$/, '{}')
  return last(asked) === last(shown)
}

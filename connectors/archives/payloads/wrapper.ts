import type { Micros } from '../../../primitives/instants.ts'
import { isJsonObject } from './json-document.ts'
import { rawField } from './raw-field.ts'
import { rawItems } from './raw-items.ts'
import { receiveTime } from './receive-time.ts'

/** Fields in which recorders write the receipt of what they wrap, the most certain first. */
export const TIME_FIELDS = [
  'received_at',
  'receivedAt',
  'recv_ts',
  'recv_time',
  'received',
  'recorded_at',
  'recordedAt',
  'captured_at',
  'capturedAt',
  'fetched_at',
  'fetchedAt',
  'collected_at',
  'ingested_at',
  'saved_at',
  'logged_at',
  'local_timestamp',
  'local_ts',
  'ts_wall_ns',
  'ts_recv',
  'server_ts',
  'ts_utc',
  'timestamp_utc',
  'time_utc',
  '_received_at',
  '_timestamp',
  '_ts',
  'ts_ms',
  'ts_ns',
  'ts',
  'timestamp',
  'time',
  'at',
  't',
] as const

/** Number of them that can only be a receipt: all before `ts_ms`. */
const CERTAIN_COUNT = TIME_FIELDS.indexOf('ts_ms')

/** Fields in which they put the answer or message, as JSON or as its text. */
export const CONTENT_FIELDS = [
  'raw',
  'body',
  'payload',
  'message',
  'msg',
  'response',
  'frame',
  'data',
  'event',
  'content',
  'text',
  'json',
  'result',
] as const

/** Fields in which they put the request, as a path or an address. */
export const REQUEST_FIELDS = ['request', 'url', 'uri', 'path', 'endpoint', 'route'] as const

/** Fields that name the market where neither request nor answer does. */
const MARKET_FIELDS = ['ticker', 'market_ticker', 'token_id', 'asset_id', 'market_id'] as const

/** Other names of a receipt: `recv_ns`, `captureTime`, `scraped_ts` ... */
const RECEIPT_NAME =
  /^_?(?:recv|rcvd?|receiv|captur|fetch|collect|record|ingest|log|sav|stor|local|arriv|scrap|poll|retriev|snapshot|read)[a-z]*_?(?:at|ts|ns|us|ms|time|timestamp|date|utc)(?:_?(?:ns|us|ms|utc))?$/i

/** Facts around a payload: what the recorder wrote beside it. */
export type Around = {
  readonly received_at: Micros | null
  readonly request: string | null
  /** Market that the recorder names beside the payload. */
  readonly market: string | null
}

/** A payload in a wrapper, cut out of its text. */
export type Wrapped = Around & { readonly text: string }

/**
 * Takes a payload out of a recorder's wrapper: a text that holds JSON, a pair of a time and a payload, or an object with a content
 * field that states a time or a request, itself or around it; null for any other.
 */
export function unwrap(value: unknown, text: string, outer: Around): Wrapped | null {
  if (typeof value === 'string' && HOLDS_PAYLOAD.test(value)) return { ...outer, text: value }
  if (Array.isArray(value)) return unwrapPair(value, text, outer)
  if (!isJsonObject(value)) return null
  const content = CONTENT_FIELDS.map((field) => contentOf(value[field], field, text)).find((found) => found !== null)
  if (content === undefined) return null
  const times = timesIn(value)
  const request = requestIn(value)
  const is_within = outer.received_at !== null || outer.request !== null
  if (times.length === 0 && request === null && !is_within) return null
  const instants = times.map((field) => instantOf(value[field], field, text)).filter((micros) => micros !== null)
  return {
    text: content,
    received_at: instants[0] ?? outer.received_at,
    request: request ?? outer.request,
    market: textOf(value, MARKET_FIELDS) ?? outer.market,
  }
}

function unwrapPair([time, content, ...more]: readonly unknown[], text: string, outer: Around): Wrapped | null {
  const [stamp, raw] = rawItems(text)
  const held = typeof content === 'string' && HOLDS_PAYLOAD.test(content) ? content : null
  const inner = typeof content === 'object' && content !== null ? raw! : held
  if (inner === null || more.length > 0) return null
  const received_at = receiveTime(typeof time === 'string' ? time : (stamp ?? ''))
  return received_at === null ? null : { ...outer, received_at, text: inner }
}

/** Returns what a recorder wrote into the object of an answer itself: its receipt and its market. */
export function besideAnswer(value: unknown, text: string): Omit<Around, 'request'> {
  if (!isJsonObject(value)) return { received_at: null, market: null }
  const instants = timesIn(value).map((field) => instantOf(value[field], field, text))
  return { received_at: instants.find((micros) => micros !== null) ?? null, market: textOf(value, MARKET_FIELDS) }
}

/**
 * Takes the receipt off the front of a line: `2026-01-17T00:00:05.1Z {…}`, `1768608000.1<tab>[…]`, `2026-01-17T00:00:05,1Z INFO {…}`;
 * null if there is none.
 */
export function timedLine(line: string): { readonly received_at: Micros; readonly text: string } | null {
  const [, opened, stamp, closed, text] = TIMED_LINE.exec(line) ?? []
  if (stamp === undefined || text === undefined || (opened === '') !== (closed === '')) return null
  const received_at = receiveTime(stamp)
  return received_at === null ? null : { received_at, text }
}

const TIMED_LINE =
  /^\s*([[("']?)(\d[\dTZ:.,+ -]{7,34}?)([\])"']?)[\s,;|]+(?:\[[A-Za-z]+\][\s:-]*)?(?:[A-Za-z][^{["]{0,80}?)?([{["].*|P[IO]NG\s*)$/s

/** Names of the fields in which a recorder may have written the receipt, the most certain first. */
function timesIn(value: Readonly<Record<string, unknown>>): readonly string[] {
  const isStated = (field: string) => value[field] !== undefined && value[field] !== null
  const others = Object.keys(value).filter((field) => RECEIPT_NAME.test(field))
  return [...TIME_FIELDS.slice(0, CERTAIN_COUNT), ...others, ...TIME_FIELDS.slice(CERTAIN_COUNT)].filter(isStated)
}

/** A text that is JSON, XML or a keep-alive. */
const HOLDS_PAYLOAD = /^\s*[{[<]|^P[IO]NG$/

/** The request, or the address in an object that states the request in parts. */
function requestIn(value: Readonly<Record<string, unknown>>): string | null {
  const { request } = value
  return textOf(value, REQUEST_FIELDS) ?? (isJsonObject(request) ? textOf(request, REQUEST_FIELDS) : null)
}

/** The source text of a value, or the text inside a string that holds JSON or a keep-alive. */
function contentOf(value: unknown, field: string, text: string): string | null {
  if (typeof value === 'string') return HOLDS_PAYLOAD.test(value) ? value : null
  return typeof value === 'object' && value !== null ? rawField(text, field) : null
}

function instantOf(value: unknown, field: string, text: string): Micros | null {
  if (typeof value === 'string') return receiveTime(value, /utc/i.test(field))
  return typeof value === 'number' ? receiveTime(rawField(text, field) ?? '') : null
}

function textOf(value: Readonly<Record<string, unknown>>, fields: readonly string[]): string | null {
  for (const field of fields) {
    const found = value[field]
    if (typeof found === 'string' && found !== '') return found
  }
  return null
}

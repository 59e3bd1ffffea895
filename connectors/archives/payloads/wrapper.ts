import type { Micros } from '../../../primitives/instants.ts'
import { isJsonObject } from './json-document.ts'
import { rawField } from './raw-field.ts'
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

/** Facts around a payload: what the recorder wrote beside it. */
export type Around = {
  readonly received_at: Micros | null
  readonly request: string | null
  /** Market that the recorder names beside the payload. */
  readonly market: string | null
}

/** A payload in a wrapper, cut out of its text. */
export type Wrapped = Around & { readonly text: string }

/** Takes a payload out of a recorder's wrapper: an object with a content field, and a time or a request; null for any other. */
export function unwrap(value: unknown, text: string, outer: Around): Wrapped | null {
  if (!isJsonObject(value)) return null
  const content = CONTENT_FIELDS.map((field) => contentOf(value[field], field, text)).find((found) => found !== null)
  if (content === undefined) return null
  const times = TIME_FIELDS.filter((field) => value[field] !== undefined && value[field] !== null)
  const request = textOf(value, REQUEST_FIELDS)
  if (times.length === 0 && request === null) return null
  const instants = times.map((field) => instantOf(value[field], field, text)).filter((micros) => micros !== null)
  return {
    text: content,
    received_at: instants[0] ?? outer.received_at,
    request: request ?? outer.request,
    market: textOf(value, MARKET_FIELDS) ?? outer.market,
  }
}

/** The source text of a value, or the text inside a string that holds JSON or a keep-alive. */
function contentOf(value: unknown, field: string, text: string): string | null {
  if (typeof value === 'string') return /^\s*[{[<]|^P[IO]NG$/.test(value) ? value : null
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

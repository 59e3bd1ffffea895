import { sha256Hex } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { type Parsed, parseRecord, type QuarantineReason } from './quarantine.ts'
import type {
  BookRecord,
  HazardRecord,
  MetricRecord,
  Origin,
  QuoteRecord,
  ReferenceRecord,
  ResolutionRecord,
  TradeRecord,
  VenuePayload,
  VenueRecords,
} from './record.ts'

/** Where the records of one payload are gathered while it is read. */
export type PayloadRecords = Readonly<Lists>

type Lists = {
  quotes: QuoteRecord[]
  trades: TradeRecord[]
  resolutions: ResolutionRecord[]
  references: ReferenceRecord[]
  metrics: MetricRecord[]
  books: BookRecord[]
  hazards: HazardRecord[]
  quarantine: (Origin & { readonly reason: QuarantineReason })[]
}

/**
 * Runs a reader over one payload. Whatever the reader refuses outside of `readPart` refuses the payload: one item at `$`,
 * and none of its records. A payload from the future is refused before it is read.
 * @param now the wall clock
 */
export function readPayload(payload: VenuePayload, now: Micros, read: (out: PayloadRecords) => void): VenueRecords {
  if (payload.received_at > now) return refusedPayload(payload, 'RECEIVED_IN_FUTURE')
  const out = spare ?? noRecords()
  spare = null
  const result = parseRecord(() => read(out))
  if ('reason' in result) return refusedPayload(payload, result.reason)
  const found = takeFilled(out)
  spare = out
  return found
}

/** Empty lists for the next payload: a stream's messages are many and each fills one list or two. */
let spare: Lists | null = null

function refusedPayload({ file }: VenuePayload, reason: QuarantineReason): VenueRecords {
  return { quarantine: [{ file, line: 1, path: '$', reason }] }
}

/** Where a record stands in a payload. Records list its fields one by one: spreading it first makes them five times slower to build. */
export type PayloadOrigin = Required<Origin>

/** Runs the reader of one part; where it is refused the part is quarantined and the other parts are read. */
export function readPart<T>(out: PayloadRecords, origin: Origin, read: () => T): Parsed<T> {
  const result = parseRecord(read)
  if ('reason' in result) out.quarantine.push({ ...origin, reason: result.reason })
  return result
}

const HASHES = new WeakMap<VenuePayload, string>()

/** What names the payload as evidence. Made once, for a thousand markets of one response all rest on it. */
export function payloadHash(payload: VenuePayload): string {
  const hash = HASHES.get(payload) ?? `sha256:${sha256Hex(payload.text)}`
  HASHES.set(payload, hash)
  return hash
}

function noRecords(): Lists {
  return {
    quotes: [],
    trades: [],
    resolutions: [],
    references: [],
    metrics: [],
    books: [],
    hazards: [],
    quarantine: [],
  }
}

/** The lists that have something in them; others take their places. Written out, as it is done once a message. */
function takeFilled(out: Lists): VenueRecords {
  const found: { -readonly [K in keyof VenueRecords]: VenueRecords[K] } = {}
  if (out.quotes.length > 0) {
    found.quotes = out.quotes
    out.quotes = []
  }
  if (out.trades.length > 0) {
    found.trades = out.trades
    out.trades = []
  }
  if (out.resolutions.length > 0) {
    found.resolutions = out.resolutions
    out.resolutions = []
  }
  if (out.references.length > 0) {
    found.references = out.references
    out.references = []
  }
  if (out.metrics.length > 0) {
    found.metrics = out.metrics
    out.metrics = []
  }
  if (out.books.length > 0) {
    found.books = out.books
    out.books = []
  }
  if (out.hazards.length > 0) {
    found.hazards = out.hazards
    out.hazards = []
  }
  if (out.quarantine.length > 0) {
    found.quarantine = out.quarantine
    out.quarantine = []
  }
  return found
}

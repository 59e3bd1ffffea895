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

/** Lists that collect the records of one payload while it is read. */
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
 * Creates the function that reads one reader's payloads. If the reader rejects anything outside of `readPart`, the payload is
 * rejected: one item at `$`, and none of its records. A payload from the future is rejected before it is read.
 * @param now the wall clock
 */
export function payloadReader(now: Micros): ReadPayload {
  // Empty lists for the next payload: a stream has many messages, and each fills one list or two.
  let spare: Lists | null = null
  return (payload, read) => {
    if (payload.received_at > now) return refusedPayload(payload, 'RECEIVED_IN_FUTURE')
    const out = spare ?? noRecords()
    spare = null
    const result = parseRecord(() => read(out))
    if ('reason' in result) return refusedPayload(payload, result.reason)
    const found = takeFilled(out)
    spare = out
    return found
  }
}

type ReadPayload = (payload: VenuePayload, read: (out: PayloadRecords) => void) => VenueRecords

function refusedPayload({ file }: VenuePayload, reason: QuarantineReason): VenueRecords {
  return { quarantine: [{ file, line: 1, path: '$', reason }] }
}

/**
 * Origin of a record in a payload. Records list its fields one by one: spreading it first makes them five times slower to
 * build.
 */
export type PayloadOrigin = Required<Origin>

/** Runs the reader of one part; a rejected part is quarantined and the other parts are read. */
export function readPart<T>(out: PayloadRecords, origin: Origin, read: () => T): Parsed<T> {
  const result = parseRecord(read)
  if ('reason' in result) out.quarantine.push({ ...origin, reason: result.reason })
  return result
}

const HASHES = new WeakMap<VenuePayload, string>()

/** Returns the payload's hash as evidence, computed once: a thousand markets of one response rest on it. */
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

/** Takes the lists that are not empty and replaces them. Written out, because this runs once per message. */
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

import { sha256Hex } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import { isAccountData } from './account-data.ts'
import type { Outcome } from './outcomes.ts'
import { type Parsed, parseRecord, type Refusal } from './quarantine.ts'
import type {
  BookRecord,
  ChangedOutcome,
  HazardRecord,
  MetricRecord,
  Origin,
  QuoteRecord,
  ReferenceRecord,
  ResolutionRecord,
  TradeRecord,
  VenuePayload,
  VenueRecords,
  ZeroValue,
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
  quarantine: (Origin & Refusal)[]
  /** One per record of the payload, in its order; records name theirs by `line`, from 1. */
  outcomes: Outcome[]
  changed: ChangedOutcome[]
  zeros: ZeroValue[]
}

/**
 * Creates the function that reads one reader's payloads. If the reader rejects anything outside of `readPart`, the payload is
 * rejected: one item at `$`, and none of its records. A payload from the future is rejected before it is read. Every payload has
 * at least one outcome, so that none can be read without being counted.
 * @param now the wall clock
 */
export function payloadReader(now: Micros): ReadPayload {
  // Empty lists for the next payload: a stream has many messages, and each fills one list or two.
  let spare: Lists | null = null
  return (payload, read) => {
    if (payload.received_at > now) return refusedPayload(payload, { reason: 'RECEIVED_IN_FUTURE' })
    if (payload.text === '' && isAccountData(payload)) return REDACTED
    const out = spare ?? noRecords()
    spare = null
    const result = parseRecord(() => read(out))
    if ('reason' in result) return refusedPayload(payload, result)
    const found = takeFilled(out)
    spare = out
    return found
  }
}

const REDACTED: VenueRecords = { outcomes: ['redacted'] }

type ReadPayload = (payload: VenuePayload, read: (out: PayloadRecords) => void) => VenueRecords

function refusedPayload({ file }: VenuePayload, refusal: Refusal): VenueRecords {
  return { quarantine: [{ file, line: 1, path: '$', ...refusal }], outcomes: ['quarantined'] }
}

/** Returns the records of a payload after those that earlier payloads gave, whose minute is over. */
export function afterEnded(ended: EndedMinutes | null, records: VenueRecords): VenueRecords {
  if (ended === null) return records
  const { books = [], quotes = [], changed = [] } = records
  return {
    ...records,
    books: [...ended.books, ...books],
    quotes: [...ended.quotes, ...quotes],
    changed: [...ended.changed, ...changed],
  }
}

/** Records of states whose minute is over. */
export type EndedMinutes = Pick<PayloadRecords, 'books' | 'quotes'> & { readonly changed: ChangedOutcome[] }

/** Collects the records of moments; null: there is none, which is so before nearly every payload. */
export function endedMinutes<T>(
  moments: readonly T[],
  push: (out: EndedMinutes, moment: T) => void,
): EndedMinutes | null {
  if (moments.length === 0) return null
  const out: EndedMinutes = { books: [], quotes: [], changed: [] }
  for (const moment of moments) push(out, moment)
  return out
}

/**
 * Origin of a record in a payload. Records list its fields one by one: spreading it first makes them five times slower to
 * build.
 */
export type PayloadOrigin = Required<Origin>

/** Runs the reader of one part; a rejected part is quarantined and the other parts are read. */
export function readPart<T>(out: PayloadRecords, origin: Origin, read: () => T): Parsed<T> {
  const result = parseRecord(read)
  if ('reason' in result) out.quarantine.push({ ...origin, ...result })
  return result
}

/**
 * Reads one record of a payload and counts its one outcome. Parts of it that are rejected make it quarantined, whatever else of
 * it is stored.
 */
export function readItem(
  out: PayloadRecords,
  file: string,
  path: string,
  read: (origin: PayloadOrigin) => Outcome,
): void {
  const origin = { file, line: out.outcomes.length + 1, path }
  const rejected = out.quarantine.length
  const result = readPart(out, origin, () => read(origin))
  out.outcomes.push('reason' in result || out.quarantine.length > rejected ? 'quarantined' : result.record)
}

/**
 * Reads a record that holds other records, which are counted by themselves. One that cannot be read, or that holds none, is
 * counted as one record.
 * @param empty the outcome of one without records
 */
export function readGroup(out: PayloadRecords, file: string, path: string, empty: Outcome, read: () => void): void {
  const before = out.outcomes.length
  const result = readPart(out, { file, line: before + 1, path }, read)
  if ('reason' in result) out.outcomes.push('quarantined')
  else if (out.outcomes.length === before) out.outcomes.push(empty)
}

/** Returns how many records a payload has given so far. */
export function countRecords(out: PayloadRecords): number {
  const { quotes, trades, resolutions, references, metrics, books, hazards } = out
  return (
    quotes.length +
    trades.length +
    resolutions.length +
    references.length +
    metrics.length +
    books.length +
    hazards.length
  )
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
    outcomes: [],
    changed: [],
    zeros: [],
  }
}

/** Lists of one outcome, which most messages have: they are shared. */
const SINGLE = new Map<Outcome, readonly [Outcome]>()

function takeOutcomes(out: Lists): readonly Outcome[] {
  const { outcomes } = out
  if (outcomes.length > 1) {
    out.outcomes = []
    return outcomes
  }
  const outcome = outcomes.pop() ?? 'NO_RECORDS'
  const known = SINGLE.get(outcome)
  if (known !== undefined) return known
  const single = [outcome] as const
  SINGLE.set(outcome, single)
  return single
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
  if (out.changed.length > 0) {
    found.changed = out.changed
    out.changed = []
  }
  if (out.zeros.length > 0) {
    found.zeros = out.zeros
    out.zeros = []
  }
  found.outcomes = takeOutcomes(out)
  return found
}

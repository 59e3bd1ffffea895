import { notAllowed, ServiceError } from '../../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { WOULD_FILL } from '../../../protocol/limits.ts'
import type { FeeSchedule } from '../../ledger/fees.ts'
import type { MarketTerms } from '../../market/market-terms.ts'
import { isRejection, orderErrors, type Rejection } from '../../order/order-errors.ts'
import type { PublicOutcome } from '../../public-market/public-market.ts'
import { type AskedOrder, beginWalk } from '../../would-fill/begin-walk.ts'
import type { PastResult } from '../../would-fill/past-preview.ts'
import type { Walk } from '../../would-fill/walk.ts'
import { wouldFillOf } from '../../would-fill/would-fill.ts'
import type { PublicMarketRead } from './public-reads.ts'
import type { TapeRange, TapeReads } from './tape-reads.ts'

/** Fate of an order that joined a past book, with the terms and fees of its market. */
type PastPreview = {
  readonly terms: MarketTerms
  readonly fees: FeeSchedule | null
  readonly result: PastResult
}

/**
 * Tells what would have become of an order that joined a past book. Nothing after `until` is read, and a correction counts from its own
 * instant. Both instants are final: no later batch is stamped at or before them.
 * @throws {ServiceError} MARKET_NOT_FOUND, MARKET_OUTCOME_NOT_FOUND, VALIDATION_AS_OF_UNAVAILABLE, VALIDATION_RANGE_INVALID,
 *   SERVICE_UNAVAILABLE
 */
export async function previewPast(
  reads: TapeReads,
  asked: AskedOrder,
  { as_of, until }: { readonly as_of: Micros; readonly until: Micros },
  events_max: number = WOULD_FILL.events_max,
): Promise<PastPreview> {
  const listing = await listingOf(reads, asked)
  const { terms } = listing
  const [begin, end, fees] = await Promise.all([
    reads.headAt(as_of),
    reads.headAt(until),
    reads.feesAt(asked.market_id, as_of),
  ])
  const outcome = await pastOutcome(reads, listing, asked, { as_of, after: begin.engine_sequence })
  const { book } = outcome
  const walk = beginWalk(asked, outcome, { terms, fees }, as_of)
  if (isRejection(walk)) return { terms, fees, result: walk }
  await follow(reads, outcome, walk, { after: begin.engine_sequence, through: end.engine_sequence, until, events_max })
  return { terms, fees, result: { walk, would_fill: wouldFillOf({ walk, book, terms, fees, until }) } }
}

/** Returns the market of an order. @throws {ServiceError} MARKET_NOT_FOUND, MARKET_OUTCOME_NOT_FOUND */
export async function listingOf(
  reads: TapeReads,
  { market_id, outcome_id }: Pick<AskedOrder, 'market_id' | 'outcome_id'>,
): Promise<PublicMarketRead> {
  const [listing] = await reads.markets([market_id])
  if (listing === undefined) throw asServiceError(orderErrors.market_unknown(market_id))
  if (!listing.outcomes.some((outcome) => outcome.outcome_id === outcome_id))
    throw asServiceError(orderErrors.outcome_unknown(outcome_id, market_id))
  return listing
}

/** Returns an outcome as it was after an event. @throws {ServiceError} VALIDATION_AS_OF_UNAVAILABLE: it was not listed yet */
export async function pastOutcome(
  reads: TapeReads,
  listing: PublicMarketRead,
  { market_id, outcome_id }: Pick<AskedOrder, 'market_id' | 'outcome_id'>,
  { as_of, after }: { readonly as_of: Micros; readonly after: number },
): Promise<PublicOutcome> {
  const market = await reads.market(listing, after)
  const outcome = market?.outcomes.find((one) => one.outcome_id === outcome_id)
  if (outcome !== undefined) return outcome
  const [asked, listed] = [formatMicros(as_of), formatMicros(listing.created_at)]
  const allowed = `an instant from the listing of ${market_id} on, ${listed}`
  throw notAllowed('VALIDATION_AS_OF_UNAVAILABLE', 'as_of', asked, allowed)
}

async function follow(
  reads: TapeReads,
  outcome: PublicOutcome,
  walk: Walk,
  { after, through, until, events_max }: TapeRange & { readonly until: Micros; readonly events_max: number },
): Promise<void> {
  if (walk.has_ended) return
  let events = 0
  for await (const batch of reads.batches(outcome, { after, through })) {
    events += batch.levels.length + batch.trades.length
    if (events > events_max) throw tooManyEvents(batch.at, until, events_max)
    walk.step(batch)
    if (!walk.has_ended) continue
    await correct(reads, outcome, walk, { after: batch.last_sequence, through })
    return
  }
}

/** Applies what was corrected after the walk had ended. */
async function correct(reads: TapeReads, outcome: PublicOutcome, walk: Walk, range: TapeRange): Promise<void> {
  for await (const batch of reads.corrections(outcome, range)) walk.step(batch)
}

function tooManyEvents(reached: Micros, until: Micros, events_max: number): ServiceError {
  const allowed = `an instant before ${formatMicros(reached)}, by which the market has more than ${events_max} book changes and trades`
  return notAllowed('VALIDATION_RANGE_INVALID', 'until', formatMicros(until), allowed)
}

function asServiceError({ code, message }: Rejection): ServiceError {
  return new ServiceError(code, message)
}

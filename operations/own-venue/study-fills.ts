import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { FeeSchedule } from '../../trading/ledger/fees.ts'
import type { MarketTerms } from '../../trading/market/market-terms.ts'
import { isRejection, type Rejection } from '../../trading/order/order-errors.ts'
import { levelOf } from '../../trading/public-market/fold-book.ts'
import type { PublicBook, PublicOutcome } from '../../trading/public-market/public-market.ts'
import { setLevel } from '../../trading/public-market/set-level.ts'
import type { TapeReads } from '../../trading/store/read/tape-reads.ts'
import { listingOf, pastOutcome } from '../../trading/store/read/walk-past.ts'
import { type AskedOrder, beginWalk } from '../../trading/would-fill/begin-walk.ts'
import { type FillRow, fillRowOf, rejectedRow } from '../../trading/would-fill/fill-row.ts'
import type { TapeBatch } from '../../trading/would-fill/tape.ts'
import type { Walk } from '../../trading/would-fill/walk.ts'
import { wouldFillOf } from '../../trading/would-fill/would-fill.ts'

/** One order, asked about at every start in [from, to). */
export type FillStudy = {
  /** The asset is that of the market. */
  readonly order: Omit<AskedOrder, 'settlement_asset_id'>
  readonly from: Micros
  readonly to: Micros
  readonly every: Micros
  /** Time that each walk takes at most. */
  readonly horizon: Micros
}

/** Most walks at once: what memory holds, whatever the range is. */
const WALKS_MAX = 10_000

type Begun = {
  readonly as_of: Micros
  readonly until: Micros
  readonly walk: Walk | Rejection
  readonly book: PublicBook
  readonly fees: FeeSchedule | null
}

/**
 * Yields what would have become of an order at each start, oldest first, in one pass over the public record. Each row equals a preview as
 * of that start until its end.
 * @throws {ServiceError} as `previewPast`; VALIDATION_RANGE_INVALID: an empty range, one after the last batch, or too many walks at once
 */
export async function* studyFills(reads: TapeReads, study: FillStudy): AsyncGenerator<FillRow> {
  const { order, from, to, horizon } = study
  const head = await reads.head()
  checkRange(study, head.at)
  const listing = await listingOf(reads, order)
  const [begin, end] = await Promise.all([reads.headAt(from), reads.headAt(Math.min(head.at, to + horizon))])
  const after = begin.engine_sequence
  const outcome = await pastOutcome(reads, listing, order, { as_of: from, after })
  const walks = new Walks(reads, outcome, listing.terms, study, head.at)
  for await (const batch of reads.batches(outcome, { after, through: end.engine_sequence })) {
    yield* walks.advance(batch.at)
    walks.step(batch)
  }
  yield* walks.advance(Number.POSITIVE_INFINITY)
}

function checkRange({ from, to, every, horizon }: FillStudy, head: Micros): void {
  const last = formatMicros(head)
  if (to <= from) throw notAllowed('VALIDATION_RANGE_INVALID', '--to', formatMicros(to), `after ${formatMicros(from)}`)
  if (to > head + 1) {
    const allowed = `up to ${last}, the last batch of the engine`
    throw notAllowed('VALIDATION_RANGE_INVALID', '--to', formatMicros(to), allowed)
  }
  if (every <= 0) throw notAllowed('VALIDATION_RANGE_INVALID', '--every', `${every} microseconds`, 'above 0')
  const most = Math.floor((every * WALKS_MAX) / 1_000_000)
  if (horizon <= 0 || horizon / every > WALKS_MAX) {
    const allowed = `above 0 and up to ${most}s, ${WALKS_MAX} times --every`
    throw notAllowed('VALIDATION_RANGE_INVALID', '--horizon', `${horizon / 1_000_000}s`, allowed)
  }
}

/** Walks that are running, and the state that the next one begins from. */
class Walks {
  readonly #reads: TapeReads
  readonly #outcome: PublicOutcome
  readonly #terms: MarketTerms
  readonly #study: FillStudy
  readonly #head: Micros
  /** Oldest first: all take the same time. */
  #running: Begun[] = []
  #next: Micros

  constructor(reads: TapeReads, outcome: PublicOutcome, terms: MarketTerms, study: FillStudy, head: Micros) {
    this.#reads = reads
    this.#outcome = outcome
    this.#terms = terms
    this.#study = study
    this.#head = head
    this.#next = study.from
  }

  /** Begins the walks whose start is before the next batch, and yields those that end before it. */
  async *advance(before: Micros): AsyncGenerator<FillRow> {
    for (; this.#next < Math.min(before, this.#study.to); this.#next += this.#study.every) {
      this.#running.push(await this.#begin(this.#next))
      yield* this.#ended(before)
    }
    yield* this.#ended(before)
  }

  step(batch: TapeBatch): void {
    for (const { walk } of this.#running) if (!isRejection(walk)) walk.step(batch)
    const { book, market } = this.#outcome
    for (const level of batch.levels) setLevel(book, level.side, levelOf(level))
    if (batch.status !== null) market.status = batch.status
  }

  async #begin(as_of: Micros): Promise<Begun> {
    const { order, horizon } = this.#study
    const { settlement_asset_id } = this.#terms
    const { book } = this.#outcome
    const fees = await this.#reads.feesAt(order.market_id, as_of)
    const walk = beginWalk({ ...order, settlement_asset_id }, this.#outcome, { terms: this.#terms, fees }, as_of)
    const tops = { ...book, bids: book.bids.slice(0, 1), asks: book.asks.slice(0, 1) }
    return { as_of, until: Math.min(as_of + horizon, this.#head), walk, book: tops, fees }
  }

  *#ended(before: Micros): Generator<FillRow> {
    let count = 0
    for (const begun of this.#running) {
      if (begun.until >= before) break
      count += 1
      yield this.#rowOf(begun)
    }
    if (count > 0) this.#running = this.#running.slice(count)
  }

  #rowOf({ as_of, until, walk, book, fees }: Begun): FillRow {
    const terms = this.#terms
    if (isRejection(walk)) return rejectedRow(walk, { as_of: formatMicros(as_of), until: formatMicros(until) })
    return fillRowOf(wouldFillOf({ walk, book, terms, fees, until }), formatMicros(as_of))
  }
}

import { isStale } from '../../pipelines/market/freshness.ts'
import { COMPLEMENT_RULE } from '../../pipelines/market/mark.ts'
import { markDerivationRule } from '../../pipelines/market/mark-derivation.ts'
import { type BookPrices, bookPrices, MIDPOINT_RULE, SPREAD_RULE } from '../../pipelines/market/price-view.ts'
import { qualityOf } from '../../pipelines/market/quality.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import type { Row, RowValue } from '../../warehouse/schema.ts'
import { textOrNull, textsOf } from './pick.ts'
import { PRICE_BOUND, type StandingPrices } from './standing-prices.ts'

/** A value of a price view that was computed from others, with its rule and sources. */
type Derivation = {
  readonly field: string
  readonly derivation_rule: string
  readonly source_observation_ids: readonly string[]
}

/** Prices of one outcome that stand, its newest mark, and the status of its market at an instant. */
export type OutcomeFacts = {
  readonly outcome_id: RowValue
  readonly prices: StandingPrices
  /** Newest row of market_mark; null: none. */
  readonly mark: Row | null
  /** Newest marks of every outcome. */
  readonly marks: readonly Row[]
  readonly market_status: string | null
  readonly at: Micros
}

/** Whether an outcome has any price. */
export function hasPrice({ prices: { touch }, mark }: OutcomeFacts): boolean {
  return [touch.best_bid, touch.best_ask, touch.last_trade, mark?.mark ?? null].some((price) => price !== null)
}

/** Returns the latest instant at which an outcome's prices were known to stand: those of its mark where it has no others. */
export function outcomeConfirmedAt({ prices, mark }: OutcomeFacts): Micros | null {
  const of_mark = mark?.confirmed_at ?? mark?.tick_at
  return prices.confirmed_at ?? (of_mark == null ? null : toMicros(of_mark))
}

/** Returns the quality label of one outcome's prices. */
export function outcomeQuality(facts: OutcomeFacts): QualityState {
  const { prices, mark, market_status, at } = facts
  const confirmed_at = outcomeConfirmedAt(facts)
  return qualityOf({
    has_value: hasPrice(facts),
    is_stale: confirmed_at !== null && isStale(confirmed_at, at, PRICE_BOUND),
    status: market_status,
    stated: prices.confirmed_at === null ? textOrNull(mark?.quality_state) : prices.stated,
  })
}

/** Returns the prices of one outcome as the resource. */
export function outcomePriceOf(facts: OutcomeFacts): Row {
  const { outcome_id, prices, mark, market_status } = facts
  const { touch, is_complement } = prices
  const confirmed_at = outcomeConfirmedAt(facts)
  const book = bookPrices(touch.best_bid, touch.best_ask, market_status === 'paused')
  const is_derived = is_complement || markRule(mark) === COMPLEMENT_RULE
  return {
    outcome_id,
    ...touch,
    last_trade_at: prices.last_trade_at,
    midpoint: book.midpoint,
    mark: mark?.mark ?? null,
    implied_probability: mark?.implied_probability ?? null,
    spread: book.spread,
    book_reason: book.reason,
    book_sequence: prices.book_sequence,
    derived: is_derived,
    derivation_rule: is_derived ? COMPLEMENT_RULE : null,
    source_observation_ids: [...new Set([...prices.source_ids, ...textsOf(mark?.source_observation_ids)])].sort(),
    derivations: derivationsOf(facts, book) as unknown as RowValue,
    mark_rule: mark?.mark_rule ?? null,
    mark_at: mark?.tick_at ?? null,
    mark_observation_id: mark === null ? null : `${mark.mark_id}.mark`,
    confirmed_at: confirmed_at === null ? null : formatMicros(confirmed_at),
    quality_state: outcomeQuality(facts),
  }
}

function markRule(mark: Row | null): string | null {
  if (mark?.mark == null) return null
  return markDerivationRule(
    textOrNull(mark.origin_rule) ?? textOrNull(mark.mark_rule),
    textOrNull(mark.derivation_rule),
  )
}

/** Returns every value that was computed, in the order in which the resource shows them. */
function derivationsOf({ prices, mark, marks }: OutcomeFacts, book: BookPrices): Derivation[] {
  const { touch, is_complement, bid_source, ask_source } = prices
  const of = (field: string, derivation_rule: string, ...ids: readonly (string | null)[]): Derivation => {
    return { field, derivation_rule, source_observation_ids: [...new Set(ids.filter((id) => id !== null))] }
  }
  const derivations: Derivation[] = []
  if (is_complement && touch.best_bid !== null) derivations.push(of('best_bid', COMPLEMENT_RULE, bid_source))
  if (is_complement && touch.best_ask !== null) derivations.push(of('best_ask', COMPLEMENT_RULE, ask_source))
  if (book.midpoint !== null) derivations.push(of('midpoint', MIDPOINT_RULE, bid_source, ask_source))
  const rule = markRule(mark)
  if (rule !== null) derivations.push(of('mark', rule, ...textsOf(mark?.source_observation_ids)))
  if (mark?.implied_probability != null) derivations.push(of('implied_probability', ...impliedFrom(mark, marks)))
  if (book.spread !== null) derivations.push(of('spread', SPREAD_RULE, bid_source, ask_source))
  return derivations
}

/** Returns rule and sources of an implied probability: the mark itself with two outcomes, else its share of all marks. */
function impliedFrom(mark: Row, marks: readonly Row[]): [rule: string, ...ids: string[]] {
  if (marks.length <= 2) return ['mark', `${mark.mark_id}.mark`]
  return ['mark divided by the sum of marks', ...marks.map(({ mark_id }) => `${mark_id}.mark`)]
}

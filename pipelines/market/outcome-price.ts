import type { DecimalString } from '../../primitives/decimal.ts'
import { formatMicros, type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import type { BookReason, ImpliedReason } from '../../vocabulary/market.ts'
import { isStale } from './freshness.ts'
import { COMPLEMENT_RULE } from './mark.ts'
import { impliedReason, impliedRule, markDerivationRule } from './mark-derivation.ts'
import { type BookPrices, bookPrices, MIDPOINT_RULE, SPREAD_RULE, type Touch } from './price-view.ts'
import { qualityOf } from './quality-label.ts'
import type { StandingPrices } from './standing-prices.ts'
import type { StoredMark } from './stored-records.ts'

/** A value of a price view that was computed from others, with its rule and sources. */
type Derivation = {
  readonly field: string
  readonly derivation_rule: string
  readonly source_observation_ids: readonly string[]
}

/** Prices of one outcome that stand, its newest mark, and the status of its market at an instant. */
export type OutcomeFacts = {
  readonly outcome_id: string
  readonly prices: StandingPrices
  /** null: none. */
  readonly mark: StoredMark | null
  /** Newest marks of every outcome. */
  readonly marks: readonly StoredMark[]
  readonly are_all_marked: boolean
  readonly market_status: string | null
  readonly at: Micros
  /** Age bound of a price, in microseconds. */
  readonly bound: Micros
}

/** Prices of one outcome as the view shows them; null is missing. */
export type OutcomePrice = Touch & {
  readonly outcome_id: string
  readonly last_trade_at: Instant | null
  readonly midpoint: DecimalString | null
  readonly mark: DecimalString | null
  readonly implied_probability: DecimalString | null
  readonly implied_reason: ImpliedReason | null
  readonly spread: DecimalString | null
  readonly book_reason: BookReason | null
  readonly book_sequence: number | null
  readonly derived: boolean
  readonly derivation_rule: string | null
  readonly source_observation_ids: readonly string[]
  readonly derivations: readonly Derivation[]
  readonly mark_rule: string | null
  readonly mark_at: Instant | null
  readonly mark_observation_id: string | null
  readonly confirmed_at: Instant | null
  readonly quality_state: QualityState
}

/** Whether an outcome has any price. */
export function hasPrice({ prices: { touch }, mark }: OutcomeFacts): boolean {
  return [touch.best_bid, touch.best_ask, touch.last_trade, mark?.mark ?? null].some((price) => price !== null)
}

/**
 * Returns the latest instant at which an outcome's prices were known to stand: those of its mark where it has no others, the one
 * of its last trade where it has no mark either.
 */
export function outcomeConfirmedAt({ prices, mark }: OutcomeFacts): Micros | null {
  const without_quote = mark?.confirmed_at ?? mark?.tick_at ?? prices.last_trade_at
  return prices.confirmed_at ?? (without_quote === null ? null : toMicros(without_quote))
}

/** Returns the quality label of one outcome's prices. */
function outcomeQuality(facts: OutcomeFacts): QualityState {
  const { prices, mark, market_status, at, bound } = facts
  const confirmed_at = outcomeConfirmedAt(facts)
  return qualityOf({
    has_value: hasPrice(facts),
    is_stale: confirmed_at !== null && isStale(confirmed_at, at, bound),
    status: market_status,
    stated: prices.confirmed_at === null ? null : prices.stated,
    of_mark: mark?.mark == null ? null : (mark.quality_state ?? null),
  })
}

/** Returns the prices of one outcome with what is computed from them: midpoint, spread, rules, sources and label. */
export function outcomePriceOf(facts: OutcomeFacts): OutcomePrice {
  const { outcome_id, prices, mark, are_all_marked, market_status } = facts
  const { touch, derivation } = prices
  const confirmed_at = outcomeConfirmedAt(facts)
  const book = bookPrices(touch.best_bid, touch.best_ask, market_status === 'paused')
  const rule = derivation?.rule ?? (markRule(mark) === COMPLEMENT_RULE ? COMPLEMENT_RULE : null)
  return {
    outcome_id,
    ...touch,
    last_trade_at: prices.last_trade_at,
    midpoint: book.midpoint,
    mark: mark?.mark ?? null,
    implied_probability: mark?.implied_probability ?? null,
    implied_reason: impliedReason(mark, are_all_marked),
    spread: book.spread,
    book_reason: book.reason,
    book_sequence: prices.book_sequence,
    derived: rule !== null,
    derivation_rule: rule,
    source_observation_ids: [...new Set([...prices.source_ids, ...(mark?.source_observation_ids ?? [])])].sort(),
    derivations: derivationsOf(facts, book),
    mark_rule: mark?.mark_rule ?? null,
    mark_at: mark?.tick_at ?? null,
    mark_observation_id: mark === null ? null : `${mark.mark_id}.mark`,
    confirmed_at: confirmed_at === null ? null : formatMicros(confirmed_at),
    quality_state: outcomeQuality(facts),
  }
}

function markRule(mark: StoredMark | null): string | null {
  if (mark?.mark == null) return null
  return markDerivationRule(mark.origin_rule ?? mark.mark_rule ?? null, mark.derivation_rule ?? null)
}

/** Returns every value that was computed, in the order in which the resource shows them. */
function derivationsOf({ prices, mark, marks }: OutcomeFacts, book: BookPrices): Derivation[] {
  const { touch, derivation, bid_source, ask_source } = prices
  const of = (field: string, derivation_rule: string, ids: readonly (string | null)[]): Derivation => {
    return { field, derivation_rule, source_observation_ids: [...new Set(ids.filter((id) => id !== null))] }
  }
  const derivations: Derivation[] = []
  const top = derivation ?? { rule: null, bid_source, ask_source }
  if (top.rule !== null && touch.best_bid !== null) derivations.push(of('best_bid', top.rule, [top.bid_source]))
  if (top.rule !== null && touch.best_ask !== null) derivations.push(of('best_ask', top.rule, [top.ask_source]))
  if (book.midpoint !== null) derivations.push(of('midpoint', MIDPOINT_RULE, [bid_source, ask_source]))
  const rule = markRule(mark)
  if (rule !== null) derivations.push(of('mark', rule, mark?.source_observation_ids ?? []))
  if (mark?.implied_probability != null) {
    const { derivation_rule, sources } = impliedRule(mark, marks)
    derivations.push(of('implied_probability', derivation_rule, sources))
  }
  if (book.spread !== null) derivations.push(of('spread', SPREAD_RULE, [bid_source, ask_source]))
  return derivations
}

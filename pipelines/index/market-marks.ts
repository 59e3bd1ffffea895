import { type Decimal, formatDecimal, roundDecimal, SCALE, sumDecimals } from '../../primitives/decimal.ts'
import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import { formatMark, isKept, type Mark } from '../market/mark.ts'
import { isOwnProbability, markDerivationRule } from '../market/mark-derivation.ts'
import { bookPrices } from '../market/price-view.ts'
import { qualityOf } from '../market/quality-label.ts'
import type { OutcomeInput, Quote } from '../market/quote.ts'
import { evaluateLeg, type LegEvaluation, type LegState, NO_LEG_STATE } from './evaluate-leg.ts'
import { trimHistory } from './leg-history.ts'
import { sumToOne } from './normalize.ts'
import type { Parameters } from './parameters.ts'
import { isSameState, nextAgeing } from './quiet-ticks.ts'

/** An outcome of a market in one source series of its venue. */
export type MarkedOutcome = {
  readonly venue_id: string
  readonly source_series_id: string | null
  readonly source_market_id: string
  readonly market_id: string
  readonly outcome_id: string
}

/** Published record of one outcome at one tick: a row of market_mark without its clocks and methodology. */
export type MarkRecord = ReturnType<typeof markRecord>

/** Memory of one outcome between ticks. */
export type MarkMemory = {
  readonly state: LegState
  /** Last published content; null before the first mark. */
  readonly said: string | null
}

type Track = {
  readonly outcome: MarkedOutcome
  state: LegState
  /** Last published content, with which each tick compares its own; null before the first mark. */
  content: Said | null
  /** The last tick, and the memory before it. */
  last: { readonly tick_at: Micros; readonly before: LegState; readonly input: OutcomeInput } | null
}
type Evaluated = { readonly track: Track; readonly input: OutcomeInput; readonly evaluation: LegEvaluation }

/**
 * Computes the marks of all outcomes of one market and series, tick by tick, like a leg of an index (methodology
 * index-1, 3 to 7). A tick depends on the ticks before it.
 */
export class MarketMarker {
  readonly #tracks: readonly Track[]
  readonly #p: Parameters

  /**
   * @param outcomes all outcomes of the market, in its own order
   * @param memory   of each outcome, to continue from; null: start without memory
   */
  constructor(outcomes: readonly MarkedOutcome[], p: Parameters, memory: readonly MarkMemory[] | null = null) {
    this.#tracks = outcomes.map((outcome, ordinal) => {
      const { state, said } = memory?.[ordinal] ?? { state: NO_LEG_STATE, said: null }
      return { outcome, state, content: said === null ? null : (JSON.parse(said) as Said), last: null }
    })
    this.#p = p
  }

  /** Returns the memory of each outcome, in their order. */
  memory(): readonly MarkMemory[] {
    return this.#tracks.map(({ state, content }) => ({
      state,
      said: content === null ? null : JSON.stringify(content),
    }))
  }

  /** First instant after the last tick at which some outcome can change although no record becomes admissible. */
  quietUntil(): Micros {
    return Math.min(...this.#tracks.map((track) => quietUntil(track, this.#p)))
  }

  /** Drops the marks of an outcome that none of these instants, which can freeze it, can need. */
  trim(ordinal: number, freeze_instants: readonly Micros[]): void {
    const track = this.#tracks[ordinal]!
    const history = trimHistory(track.state.history, freeze_instants)
    if (history !== track.state.history) track.state = { ...track.state, history }
  }

  /**
   * Returns records of the outcomes whose value, rule, sources or freshness changed since the previous tick.
   * @param tick_at  cutoff; ticks ascend
   * @param inputs   admitted inputs of each outcome at the cutoff, in their order
   * @param restates true: unchanged outcomes too, because the previous ticks were not published
   */
  tick(tick_at: Micros, inputs: readonly OutcomeInput[], restates = false): MarkRecord[] {
    const evaluated = this.#tracks.map((track, ordinal) => evaluate(track, inputs[ordinal]!, tick_at, this.#p))
    const probabilities = impliedProbabilities(evaluated, this.#p)
    return evaluated.flatMap((item, ordinal) => changed(item, probabilities[ordinal]!, tick_at, restates))
  }
}

function evaluate(track: Track, input: OutcomeInput, tick_at: Micros, p: Parameters): Evaluated {
  const evaluation = evaluateLeg(input, track.state, tick_at, p, [])
  track.last = { tick_at, before: track.state, input }
  track.state = evaluation.state
  return { track, input, evaluation }
}

/** Until a tick has left the memory as it was, the next tick may differ. */
function quietUntil({ state, last }: Track, p: Parameters): Micros {
  if (last === null || !isSameState(last.before, state)) return Number.NEGATIVE_INFINITY
  return nextAgeing(state, last.input, last.tick_at, p)
}

/** Returns x_j = m_j / sum m over all outcomes; with two outcomes each mark is its own probability. */
function impliedProbabilities(evaluated: readonly Evaluated[], p: Parameters): readonly (string | null)[] {
  const marks = evaluated.map(({ evaluation }) => evaluation.mark?.value ?? null)
  const text = (value: Decimal) => formatDecimal(value, SCALE.mark)
  if (isOwnProbability(marks)) return marks.map((mark) => (mark === null ? null : text(mark)))
  if (marks.some((mark) => mark === null) || sumDecimals(marks as Decimal[]).isZero()) return marks.map(() => null)
  return marks.map((_, own) => {
    const result = sumToOne(marks as Decimal[], own, p.max_overround)
    return result === null ? null : text(result.x)
  })
}

/** Returns the record of an outcome whose published content changed, or is restated; nothing before its first mark. */
function changed(item: Evaluated, probability: string | null, tick_at: Micros, restates: boolean): MarkRecord[] {
  const { track, evaluation } = item
  if (track.content === null && evaluation.mark === null) return []
  const content = sayingOf(item, probability)
  if (track.content !== null && isSameContent(content, track.content) && !restates) return []
  track.content = content
  return [markRecord(item, content, tick_at)]
}

function isSameContent(a: Said, b: Said): boolean {
  for (const key in a) {
    const field = key as keyof Said
    if (a[field] !== b[field] && field !== 'source_observation_ids') return false
  }
  const [ids, known] = [a.source_observation_ids, b.source_observation_ids]
  return ids.length === known.length && ids.every((id, n) => id === known[n])
}

function markRecord(item: Evaluated, content: ReturnType<typeof sayingOf>, tick_at: Micros) {
  const { outcome } = item.track
  const { mark } = item.evaluation
  const tick = formatMicros(tick_at)
  return {
    ...content,
    mark_id: deriveId('mrk', outcome.venue_id, outcome.source_series_id, outcome.outcome_id, tick),
    tick_at: tick,
    midpoint_observation_ids: midpointSources(item),
    confirmed_at: mark === null ? null : formatMicros(mark.confirmed_at),
  }
}

/** Returns the content of a record, without the fields that depend on the tick alone: most ticks have no record. */
function sayingOf(item: Evaluated, probability: string | null) {
  const { track, input, evaluation } = item
  const { mark, freshness } = evaluation
  const sources = sourcesOf(item)
  return {
    mark_id: null,
    ...track.outcome,
    tick_at: null,
    mark: mark === null ? null : formatMark(mark),
    mark_rule: mark?.rule ?? null,
    origin_rule: mark?.origin_rule ?? null,
    midpoint: midpointOf(item),
    midpoint_observation_ids: null,
    implied_probability: probability,
    derived: sources.derivation_rule !== null,
    ...sources,
    freshness_class: freshness,
    quality_state: labelOf(item),
    source_at: mark === null ? null : formatMicros(mark.source_at),
    confirmed_at: null,
    received_at: receivedOf(input, mark, track.content),
  }
}

/** Returns the midpoint of the outcome's own quote; null if its book does not count. */
function midpointOf({ input: { quote, market } }: Evaluated): string | null {
  const [bid, ask] = [quote?.bid?.toFixed() ?? null, quote?.ask?.toFixed() ?? null]
  return bookPrices(bid, ask, market?.status === 'paused').midpoint
}

function midpointSources(item: Evaluated): string[] {
  const record_id = item.input.quote?.record_id
  return midpointOf(item) === null ? [] : [`${record_id}.bid`, `${record_id}.ask`]
}

type Sources = { readonly derivation_rule: string | null; readonly source_observation_ids: readonly string[] }

/** Returns what the mark derives from, and by which rule; null: it was taken over as it was observed. */
function sourcesOf({ track, input, evaluation: { mark } }: Evaluated): Sources {
  if (mark === null) return { derivation_rule: null, source_observation_ids: [] }
  const derivation_rule = markDerivationRule(mark.origin_rule, mark.derivation_rule)
  const usual = { derivation_rule, source_observation_ids: [...mark.source_ids] }
  if (mark.origin_rule !== 'M5') return usual
  return (mark.rule === 'M5' ? boundedTrade(mark, input.quote) : publishedSources(mark, track.content)) ?? usual
}

/** Returns the sources of a last trade that a side of the book bounds; null: the mark is the trade itself. */
function boundedTrade(mark: Mark, quote: Quote | null): Sources | null {
  if (quote === null || quote.last_trade === null) return null
  const { bid, ask, last_trade, record_id } = quote
  const bound = bid !== null && last_trade.lt(bid) ? 'bid' : ask !== null && last_trade.gt(ask) ? 'ask' : null
  if (bound === null || roundDecimal(last_trade, SCALE.mark).eq(mark.value)) return null
  return { derivation_rule: 'M5', source_observation_ids: [...mark.source_ids, `${record_id}.${bound}`] }
}

/** Returns the sources that the last record named for a mark that is carried or frozen; null: it named another mark. */
function publishedSources({ source_ids, value }: Mark, last: Said | null): Sources | null {
  if (last === null) return null
  const { derivation_rule, source_observation_ids } = last
  const is_same = source_observation_ids[0] === source_ids[0] && last.mark === formatDecimal(value, SCALE.mark)
  return is_same ? { derivation_rule, source_observation_ids } : null
}

type Said = Sources & Readonly<Record<'mark' | 'source_at' | 'received_at', string | null>>

/** Returns when the source of the mark was received; of a kept mark, as its record said. @param last published content */
function receivedOf({ quote, other, resolution }: OutcomeInput, mark: Mark | null, last: Said | null) {
  if (mark !== null && isKept(mark.rule) && last !== null) {
    if (last.mark === formatMark(mark) && last.source_at === formatMicros(mark.source_at)) return last.received_at
  }
  const source = mark?.rule === 'M0' ? resolution : mark?.rule === 'M6' ? other : quote
  return source === null ? null : formatMicros(source.received_at)
}

/**
 * Returns the quality label of a mark. One that is carried or frozen is stale by its class; one that the outlier filter holds
 * back is indicative. A payout does not depend on the status of its market.
 */
function labelOf({ input, evaluation: { mark, freshness, pending } }: Evaluated): QualityState {
  return qualityOf({
    has_value: mark !== null,
    is_stale: freshness === 'stale' && pending === null,
    status: mark?.rule === 'M0' ? null : (input.market?.status ?? null),
    stated: pending === null ? null : 'indicative',
  })
}

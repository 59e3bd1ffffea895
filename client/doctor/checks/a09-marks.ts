import { decodeParameters, type ParameterTexts } from '../../../pipelines/index/parameters.ts'
import { formatMark, type Mark, markOfQuote } from '../../../pipelines/market/mark.ts'
import type { MarkParameters } from '../../../pipelines/market/parameters.ts'
import { confirmedAt, type Quote } from '../../../pipelines/market/quote.ts'
import { Decimal, ONE } from '../../../primitives/decimal.ts'
import { MICROS_PER_SECOND, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketObservation, MarketPrice } from '../../../protocol/resources/market-price.ts'
import type { Methodology } from '../../../protocol/resources/methodology.ts'
import type { Resolution } from '../../../protocol/resources/resolution.ts'
import { COMPUTED_MARK_RULES } from '../../../vocabulary/index-level.ts'
import { quoteOf } from '../../verify/market-records.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { momentsOf, priceAt, recentPrices } from '../world.ts'

type Outcome = MarketPrice['outcomes'][number]
/** Spacing of the ticks at which marks are formed. */
const TICK: Micros = 60 * MICROS_PER_SECOND
/** Rules that follow from one quote alone. */
const QUOTE_RULES: readonly string[] = [...COMPUTED_MARK_RULES, 'M5', 'M5r']

/** A9: a mark can be formed again from the records that it names, by its rule and at its time. */
export const MARKS_AGREE: Check = {
  id: 'A9',
  title: 'Marks',
  compares:
    'mark of the view, its observation, and the mark formed again from the quotes or the resolution that it names',
  share: 4,
  async run(context) {
    const { ask, world, sampler, more } = context
    for (const market of await world.priced(ask)) {
      await compareAbsence(context, market)
      for (const at of await momentsOf(ask, sampler, market, world.at)) {
        if (!more()) return
        const view = await priceAt(ask, market, at)
        if (view.status !== 200) continue
        for (const outcome of view.data.outcomes) await compareMark(context, market, view, outcome)
      }
    }
  },
}

/** A market that was quoted for minutes has marks unless its books were wide or had one side, and a settled one has its payout as mark. */
async function compareAbsence({ ask, find, world }: CheckContext, market: Market): Promise<void> {
  const recent = await recentPrices(ask, market, world.at)
  if (recent === null) return
  const times = markedTimes(recent.data)
  if (times.length > 0 && Math.max(...times) - Math.min(...times) > 3 * TICK) {
    // A mark is published when it changes, so the newest one may be of an older quote.
    const path = `/markets/${market.market_id}/prices`
    const marks = await ask.get<readonly MarketObservation[]>(path, { field: 'mark', limit: 1, as_of: world.at })
    const second = { request: marks.request, value: marks.data?.length ?? marks.code }
    const first = { request: `${recent.request}: quotes that give a mark`, value: times.length }
    find.holds(second.value === 1, 'number of marks', first, second)
  }
  if (market.status !== 'resolved') return
  const [view, resolution] = await Promise.all([
    priceAt(ask, market, world.at),
    ask.get<Resolution>(`/markets/${market.market_id}/resolution`, { as_of: world.at }),
  ])
  if (view.status !== 200 || resolution.data?.finality !== 'final') return
  for (const { outcome_id, payout } of resolution.data.payouts) {
    const mark = view.data.outcomes.find((outcome) => outcome.outcome_id === outcome_id)?.mark ?? null
    find.same(
      'mark',
      { request: `${view.request} (outcome ${outcome_id})`, value: mark },
      { request: resolution.request, value: payout },
    )
  }
}

/** Spread up to which a book gives a mark whatever its depths and trades are (mark.s_tight). */
const TIGHT = new Decimal('0.02')

/** Returns the instants of quotes that give a mark by themselves: a reported value, or both sides of a tight book. */
function markedTimes(prices: readonly MarketObservation[]): readonly Micros[] {
  const bids = new Map(prices.flatMap((price) => (price.field === 'bid' ? [[sideOf(price), price.value]] : [])))
  return prices.flatMap((price) => {
    const bid = price.field === 'ask' ? bids.get(sideOf(price)) : undefined
    const spread = bid === undefined ? null : new Decimal(price.value).minus(bid)
    const is_tight = spread?.gt(0) && spread.lte(TIGHT)
    return price.field === 'reported_probability' || is_tight ? [toMicros(price.source_at)] : []
  })
}

function sideOf({ outcome_id, source_at }: MarketObservation): string {
  return `${outcome_id} ${source_at}`
}

async function compareMark(
  context: CheckContext,
  market: Market,
  view: Answer<MarketPrice>,
  outcome: Outcome,
): Promise<void> {
  const { ask, find } = context
  const { mark, mark_observation_id } = outcome
  const of_view = `${view.request} (outcome ${outcome.outcome_id})`
  if (mark === null) return
  const untimed = Object.entries(outcome).find(([name, value]) => /^mark_\w*at$/.test(name) && value === null)
  find.holds(
    untimed === undefined,
    untimed?.[0] ?? 'mark',
    { request: of_view, value: mark },
    { request: of_view, value: untimed?.[1] },
  )
  if (mark_observation_id === null) return find.lacks('observations of live marks')
  const as_of = view.meta.as_of ?? view.meta.published_at
  const found = await ask.get<MarketObservation>(`/markets/${market.market_id}/prices/${mark_observation_id}`, {
    as_of,
  })
  if (found.status !== 200)
    return void find.holds(
      false,
      'mark_observation_id',
      { request: of_view, value: mark_observation_id },
      { request: found.request, value: found.code },
    )
  find.same('mark', { request: of_view, value: mark }, { request: found.request, value: found.data.value })
  await compareFormed(context, market, outcome, found)
}

async function compareFormed(
  context: CheckContext,
  market: Market,
  outcome: Outcome,
  found: Answer<MarketObservation>,
) {
  const { ask, find } = context
  const { source_observation_ids, calculated_at, published_at, value } = found.data
  const rule = outcome.mark_rule ?? found.data.derivation_rule ?? ''
  const source = source_observation_ids[0]
  if (source === undefined || calculated_at === null || (!QUOTE_RULES.includes(rule) && rule !== 'M7')) return
  const named = await ask.get<MarketObservation>(`/markets/${market.market_id}/prices/${source}`, {
    as_of: published_at,
  })
  const parameters = await parametersOf(context, found.data)
  const quote = named.status === 200 ? quoteOf(named.data) : null
  if (parameters === null) return
  const request = `${named.request}: mark by the methodology`
  if (quote === null)
    return void find.holds(
      false,
      'source_observation_ids',
      { request: found.request, value: source },
      { request, value: null },
    )
  const { mark_at } = outcome as { mark_at?: string | null }
  const last_tick = Math.floor((toMicros(calculated_at) - parameters.grace) / TICK) * TICK
  const tick = mark_at == null ? last_tick : toMicros(mark_at)
  // A carried mark (M7) may be one minus the other outcome's: then it names that one's quote.
  const is_complement = named.data.outcome_id !== outcome.outcome_id
  const formed = formedMarks({ quote, tick, rule, source_observation_ids }, { ...parameters, is_complement })
  const stated = `${rule} ${value}`
  find.holds(
    formed.includes(stated),
    'mark',
    { request: found.request, value: stated },
    { request, value: formed.join(' or ') || null },
  )
}

/** A mark of one quote as it is stated. */
type Stated = {
  readonly quote: Quote
  readonly tick: Micros
  readonly rule: string
  readonly source_observation_ids: readonly string[]
}

/**
 * Returns rule and value that a quote gives at a tick. Two, if the quote is known to have been confirmed after the tick: whether it
 * was confirmed before as well is not known. A carried mark is the previous one, which is of the values that it names.
 */
export function formedMarks(
  { quote, tick, rule, source_observation_ids }: Stated,
  { is_complement, ...parameters }: MarkParameters & { readonly is_complement: boolean },
): string[] {
  const cutoffs = rule === 'M7' ? carriedCutoffs(quote, tick, parameters) : [tick]
  const confirmed = quote.confirmed_at === null ? [] : [Math.min(quote.confirmed_at, tick)]
  const isNamed = (mark: Mark) => mark.source_ids.every((id) => source_observation_ids.includes(id))
  const variants = cutoffs
    .flatMap((cutoff) => [
      markOfQuote(quote, cutoff, parameters),
      ...confirmed.map((confirmed_at) => markOfQuote({ ...quote, confirmed_at }, cutoff, parameters)),
    ])
    .filter((mark) => mark === null || rule !== 'M7' || isNamed(mark))
  const texts = variants.flatMap((mark) =>
    mark === null
      ? []
      : [
          `${rule === 'M7' ? 'M7' : mark.rule} ${formatMark(is_complement ? { ...mark, value: ONE.minus(mark.value) } : mark)}`,
        ],
  )
  return [...new Set(texts)]
}

/** Returns ticks that have every mark of a quote up to a tick: it changes only where the book or the trade grows too old. */
function carriedCutoffs(quote: Quote, tick: Micros, { book_max_age, t_recent, t_last }: MarkParameters): Micros[] {
  const first = Math.ceil(quote.source_at / TICK) * TICK
  const { last_trade_at } = quote
  const of_trade = last_trade_at === null ? [] : [last_trade_at + t_recent, last_trade_at + t_last]
  const ends = [quote.source_at + book_max_age, confirmedAt(quote, tick) + book_max_age, ...of_trade]
  const around = ends.map((end) => Math.floor(end / TICK) * TICK).flatMap((last) => [last, last + TICK])
  return [first, first + TICK, ...around].filter((cutoff) => cutoff >= first && cutoff <= tick)
}

async function parametersOf({ ask }: CheckContext, { methodology_id, methodology_version }: MarketObservation) {
  const found = await ask.get<Methodology>(`/methodologies/${methodology_id}/versions/${methodology_version}`)
  return found.status === 200 ? decodeParameters(found.data.parameters as ParameterTexts) : null
}

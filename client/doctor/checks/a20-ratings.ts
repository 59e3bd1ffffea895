import {
  type Liquidity,
  liquidity,
  type ManipulationResistance,
  manipulationResistance,
  type ResolutionClarity,
  resolutionClarity,
  type SourceReliability,
  sourceReliability,
} from '../../../pipelines/rating/components.ts'
import { Decimal, formatDecimal, parseDecimal, sumDecimals } from '../../../primitives/decimal.ts'
import { MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketRating, RatingMethodology } from '../../../protocol/resources/market-rating.ts'
import type { Trade } from '../../../protocol/resources/trade.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { sameNumber } from '../compare.ts'
import type { Side } from '../difference.ts'
import { tapeAt } from '../world.ts'
import { standingTrades } from './a08-last-trade.ts'

type Figures = Readonly<Record<string, unknown>>
const WINDOW_DAYS = 30
const MARKETS_MAX = 12

/** Components that follow from the figures of their evidence alone. */
const COMPONENTS: Readonly<Record<string, (figures: Figures) => string>> = {
  resolution_clarity: (figures) => resolutionClarity(figures as ResolutionClarity),
  source_reliability: (figures) => sourceReliability(figures as SourceReliability),
  liquidity: (figures) => liquidity(figures as Liquidity),
  manipulation_resistance: (figures) => manipulationResistance(figures as ManipulationResistance),
}

/** A20: components recompute from the evidence shown; a volume used as evidence equals the tape of its window. */
export const RATINGS_AGREE: Check = {
  id: 'A20',
  title: 'Ratings',
  compares: 'components and score of a rating, and the same from the figures in its evidence and from the tape',
  share: 2,
  async run(context) {
    const { ask, world, more } = context
    for (const market of (await world.priced(ask)).slice(0, MARKETS_MAX)) {
      if (!more()) return
      const path = `/markets/${market.market_id}/rating`
      const rating = await ask.get<MarketRating>(path, { expand: 'measured', as_of: world.at })
      if (rating.status !== 200 || rating.data.rating_id === null) continue
      await compareScore(context, rating)
      await compareEvidence(context, market, rating)
    }
  },
}

async function compareScore({ ask, find }: CheckContext, rating: Answer<MarketRating>): Promise<void> {
  const { methodology_id, methodology_version, component_scores, score } = rating.data
  const path = `/market-rating-methodologies/${methodology_id}/versions/${methodology_version}`
  const methodology = await ask.get<RatingMethodology>(path)
  if (methodology.status !== 200 || score === null) return
  const scores = component_scores as Readonly<Record<string, string | null>>
  const present = methodology.data.component_definitions.filter(({ name }) => scores[name] != null)
  const weights = present.map(({ weight }) => parseDecimal(weight, 'weight'))
  const good = present.map(({ name, higher_is_better }) => {
    const value = parseDecimal(scores[name], name)
    return higher_is_better ? value : new Decimal(100).minus(value)
  })
  const mean = sumDecimals(good.map((value, i) => value.times(weights[i]!))).div(sumDecimals(weights))
  const second = { request: `${methodology.request}: weighted mean of component_scores`, value: formatDecimal(mean, 2) }
  find.same('score', { request: rating.request, value: score }, second)
}

async function compareEvidence(context: CheckContext, market: Market, rating: Answer<MarketRating>): Promise<void> {
  const { find } = context
  for (const { component, measured, evidence_id } of rating.data.evidence) {
    const recompute = COMPONENTS[component ?? '']
    if (component === null || measured == null || recompute === undefined) continue
    const figures = JSON.parse(measured) as Figures
    const stated = (rating.data.component_scores as Readonly<Record<string, string | null>>)[component]
    const of_rating: Side = { request: rating.request, value: stated }
    find.same(component, of_rating, {
      request: `${rating.request}: figures of ${evidence_id}`,
      value: recompute(figures),
    })
    if (figures.volume_origin === 'tape') await compareVolume(context, market, rating, figures)
  }
}

/** The median over the days that have trades of price x quantity. */
async function compareVolume(
  { ask, find, world }: CheckContext,
  market: Market,
  rating: Answer<MarketRating>,
  figures: Figures,
) {
  const { observation_cutoff_at, published_at } = rating.data
  if (observation_cutoff_at === null || published_at === null || !world.tradesArePublic(market)) return
  const tape = await tapeAt(ask, market, published_at)
  if (tape.status !== 200 || !tape.complete) return
  const cutoff = toMicros(observation_cutoff_at)
  // A rating reads the tape at an instant from its cutoff to its publication: a trade received by the cutoff may be published later.
  const later = tape.data.map((trade) => toMicros(trade.published_at)).filter((at) => at > cutoff)
  const volumes = [cutoff, ...new Set(later)].map((known_at) => medianVolume(tape.data, cutoff, known_at))
  const first = { request: rating.request, value: figures.volume_usd }
  const volume = volumes.find((one) => sameNumber(one, figures.volume_usd)) ?? volumes.at(-1)
  find.same('volume_usd', first, { request: `${tape.request}: median volume of a day`, value: volume })
}

/** Returns the median over the days before a cutoff of what the trades published by an instant are worth; null: no day has any. */
function medianVolume(tape: readonly Trade[], cutoff: Micros, known_at: Micros): string | null {
  const days = new Map<number, Decimal>()
  const known = tape.filter((trade) => toMicros(trade.published_at) <= known_at)
  for (const { source_at, received_at, price, quantity } of standingTrades(known)) {
    const day = Math.floor((toMicros(source_at) - cutoff) / MICROS_PER_DAY)
    if (day >= 0 || day < -WINDOW_DAYS || toMicros(received_at) > cutoff) continue
    const traded = parseDecimal(price, 'price').times(parseDecimal(quantity, 'quantity'))
    days.set(day, (days.get(day) ?? new Decimal(0)).plus(traded))
  }
  const sorted = [...days.values()].sort((a, b) => a.cmp(b))
  const middle = sorted.length >> 1
  const upper = sorted[middle]
  const median = upper === undefined || sorted.length % 2 === 1 ? upper : upper.plus(sorted[middle - 1]!).div(2)
  return median?.toFixed() ?? null
}

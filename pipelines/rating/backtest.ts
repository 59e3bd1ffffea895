import { Decimal, type DecimalString, formatDecimal } from '../../primitives/decimal.ts'
import { type Instant, MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import { RATED_BANDS } from '../../vocabulary/rating.ts'
import { wilsonInterval } from './wilson.ts'

/** A market whose trading ended, with the rating that was known a while before and what happened after. */
export type EndedMarket = {
  readonly market_id: string
  readonly title: string | null
  readonly venue_id: string | null
  readonly closes_at: Instant | null
  readonly observed_at: Instant
  /** What its venue told last: what came after is not known. */
  readonly known_until: Instant
  readonly disputed_at: Instant | null
  readonly final_at: Instant | null
  /** Of its last final outcome; null: there is none. */
  readonly no_winner: boolean | null
  readonly voided: boolean
  readonly rating_id: string | null
  /** null: no rating was known. */
  readonly band: string | null
}

export const FAILURES = ['dispute', 'delay', 'void'] as const
/** What a good market does not do after it was rated. */
export type Failure = (typeof FAILURES)[number]

/** null: not known yet, or known before the rating was looked at, so that it is no test of it. */
type MarketOutcome = Pick<EndedMarket, 'market_id' | 'title' | 'venue_id' | 'observed_at' | 'rating_id'> & {
  readonly group: string
  readonly failed: Readonly<Record<Failure, boolean | null>>
  readonly delay_h: DecimalString | null
}

/** A share with Wilson's interval at 95 %; null where nothing was tried. */
export type Rate = {
  readonly failures: number
  readonly markets: number
  readonly share: DecimalString | null
  readonly low: DecimalString | null
  readonly high: DecimalString | null
}

export type GroupRates = {
  readonly group: string
  readonly markets: number
  readonly rates: Readonly<Record<Failure, Rate>>
}

export type RatingBacktest = {
  /** MR1 to MR5. */
  readonly bands: readonly GroupRates[]
  /** All that had a band. */
  readonly rated: GroupRates
  /** Markets that ended in the same range and had none: not rated, or no rating known. */
  readonly control: readonly GroupRates[]
  /** Of each failure, how often a market that failed had a worse band than one that did not; 0.5 is what chance gives. */
  readonly separation: Readonly<Record<Failure, { readonly pairs: number; readonly share: DecimalString | null }>>
  readonly outcomes: readonly MarketOutcome[]
}

/** Not rated at all, beside NR: rated and found wanting. */
export const NO_RATING_KNOWN = 'none'

const SHARE_SCALE = 4

/**
 * Rates of later disputes, delays and voids by the band that was known before. A market counts once.
 * @param delay from the close to the final outcome, above which a market is late
 */
export function backtestRatings(markets: readonly EndedMarket[], delay: Micros): RatingBacktest {
  const outcomes = markets.map((market) => outcomeOf(market, delay))
  const of = (group: string, wanted: (one: string) => boolean) =>
    ratesOf(
      group,
      outcomes.filter((one) => wanted(one.group)),
    )
  const isRated = (group: string) => (RATED_BANDS as readonly string[]).includes(group)
  const rated = outcomes.filter(({ group }) => isRated(group))
  return {
    bands: RATED_BANDS.map((band) => of(band, (group) => group === band)),
    rated: of('rated', isRated),
    control: [of('NR', (group) => group === 'NR'), of(NO_RATING_KNOWN, (group) => group === NO_RATING_KNOWN)],
    separation: {
      dispute: separation(rated, 'dispute'),
      delay: separation(rated, 'delay'),
      void: separation(rated, 'void'),
    },
    outcomes,
  }
}

function outcomeOf(market: EndedMarket, delay: Micros): MarketOutcome {
  const { market_id, title, venue_id, observed_at, rating_id, band } = market
  const taken_us = takenBy(market)
  return {
    market_id,
    title,
    venue_id,
    observed_at,
    rating_id,
    group: band ?? NO_RATING_KNOWN,
    failed: {
      dispute: disputed(market),
      delay: taken_us !== null ? taken_us > delay : isOverdue(market, delay) ? true : null,
      void: after(market.final_at, market) ? market.voided || market.no_winner === true : market.voided || null,
    },
    delay_h: taken_us === null ? null : formatDecimal(new Decimal(taken_us).div(3_600 * MICROS_PER_SECOND), 2),
  }
}

/** A dispute that was known when the rating was looked at says nothing of it. */
function disputed({ disputed_at, final_at, observed_at }: EndedMarket): boolean | null {
  if (disputed_at !== null) return toMicros(disputed_at) > toMicros(observed_at) ? true : null
  return final_at === null ? null : false
}

function takenBy({ closes_at, final_at }: EndedMarket): Micros | null {
  if (closes_at === null || final_at === null) return null
  return Math.max(0, toMicros(final_at) - toMicros(closes_at))
}

/** Without an outcome for so long already; a venue that told nothing more says nothing of it. */
function isOverdue({ closes_at, final_at, known_until }: EndedMarket, delay: Micros): boolean {
  return closes_at !== null && final_at === null && toMicros(known_until) - toMicros(closes_at) > delay
}

function after(at: Instant | null, { observed_at }: EndedMarket): boolean {
  return at !== null && toMicros(at) > toMicros(observed_at)
}

function ratesOf(group: string, outcomes: readonly MarketOutcome[]): GroupRates {
  const rates = FAILURES.map((failure) => [failure, rateOf(outcomes.map(({ failed }) => failed[failure]))] as const)
  return { group, markets: outcomes.length, rates: Object.fromEntries(rates) as GroupRates['rates'] }
}

/** The share of what failed of all of which it is known. */
function rateOf(failed: readonly (boolean | null)[]): Rate {
  const known = failed.filter((one) => one !== null)
  const [failures, markets] = [known.filter((one) => one).length, known.length]
  const interval = wilsonInterval(failures, markets)
  const text = (value: Decimal) => formatDecimal(value, SHARE_SCALE)
  return {
    failures,
    markets,
    share: markets === 0 ? null : text(new Decimal(failures).div(markets)),
    low: interval === null ? null : text(interval.low),
    high: interval === null ? null : text(interval.high),
  }
}

/** Over all pairs of one that failed and one that did not; equal bands count half. */
function separation(rated: readonly MarketOutcome[], failure: Failure) {
  const counts = RATED_BANDS.map((band) => {
    const of_band = rated.filter(({ group }) => group === band).map(({ failed }) => failed[failure])
    return { failed: of_band.filter((one) => one === true).length, held: of_band.filter((one) => one === false).length }
  })
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const pairs = sum(counts.map(({ failed }) => failed)) * sum(counts.map(({ held }) => held))
  // In halves, so that whole numbers suffice.
  const halves = sum(
    counts.map(({ failed }, place) => {
      const better = sum(counts.slice(0, place).map(({ held }) => held))
      return failed * (2 * better + counts[place]!.held)
    }),
  )
  return { pairs, share: pairs === 0 ? null : formatDecimal(new Decimal(halves).div(2).div(pairs), SHARE_SCALE) }
}

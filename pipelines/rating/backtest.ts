import { Decimal, type DecimalString, formatDecimal } from '../../primitives/decimal.ts'
import { type Instant, MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import { RATED_BANDS } from '../../vocabulary/rating.ts'
import { wilsonInterval } from './wilson.ts'

/** A market whose trading has ended, the rating known some time before, and the outcome. */
export type EndedMarket = {
  readonly market_id: string
  readonly title: string | null
  readonly venue_id: string | null
  readonly closes_at: Instant | null
  readonly observed_at: Instant
  /** Instant of the venue's last report; later events are unknown. */
  readonly known_until: Instant
  readonly disputed_at: Instant | null
  readonly final_at: Instant | null
  /** From its last final outcome; null: there is none. */
  readonly no_winner: boolean | null
  readonly voided: boolean
  readonly rating_id: string | null
  /** null: no rating was known. */
  readonly band: string | null
}

export const FAILURES = ['dispute', 'delay', 'void'] as const
/** Failures of a market after it was rated. */
export type Failure = (typeof FAILURES)[number]

/** null: not known yet, or known before the rating was made and therefore no test of it. */
type MarketOutcome = Pick<EndedMarket, 'market_id' | 'title' | 'venue_id' | 'observed_at' | 'rating_id'> & {
  readonly group: string
  readonly failed: Readonly<Record<Failure, boolean | null>>
  readonly delay_h: DecimalString | null
}

/** A share with its 95 % Wilson interval; null without trials. */
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
  /** All markets that had a band. */
  readonly rated: GroupRates
  /** Unrated markets that ended in the same range, and markets with no known rating. */
  readonly control: readonly GroupRates[]
  /** For each failure: how often a failed market had a worse band than one that did not fail; 0.5 is chance. */
  readonly separation: Readonly<Record<Failure, { readonly pairs: number; readonly share: DecimalString | null }>>
  readonly outcomes: readonly MarketOutcome[]
}

/** Group of markets without any rating, unlike NR, which was rated and failed the requirements. */
export const NO_RATING_KNOWN = 'none'

const SHARE_SCALE = 4

/**
 * Returns the rates of later disputes, delays and voids by the band known before. A market counts once.
 * @param delay time from the close to the final outcome above which a market is late
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

/** Returns whether a dispute followed the rating; null if it was already known then, which tests nothing. */
function disputed({ disputed_at, final_at, observed_at }: EndedMarket): boolean | null {
  if (disputed_at !== null) return toMicros(disputed_at) > toMicros(observed_at) ? true : null
  return final_at === null ? null : false
}

function takenBy({ closes_at, final_at }: EndedMarket): Micros | null {
  if (closes_at === null || final_at === null) return null
  return Math.max(0, toMicros(final_at) - toMicros(closes_at))
}

/** Returns whether an outcome is overdue by more than `delay`, as far as the venue has reported. */
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

/** Returns the share of failures among the markets whose outcome is known. */
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

/** Compares all pairs of a failed and a sound market; equal bands count half. */
function separation(rated: readonly MarketOutcome[], failure: Failure) {
  const counts = RATED_BANDS.map((band) => {
    const of_band = rated.filter(({ group }) => group === band).map(({ failed }) => failed[failure])
    return { failed: of_band.filter((one) => one === true).length, held: of_band.filter((one) => one === false).length }
  })
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const pairs = sum(counts.map(({ failed }) => failed)) * sum(counts.map(({ held }) => held))
  // Counted in halves, so that whole numbers suffice.
  const halves = sum(
    counts.map(({ failed }, rank) => {
      const better = sum(counts.slice(0, rank).map(({ held }) => held))
      return failed * (2 * better + counts[rank]!.held)
    }),
  )
  return { pairs, share: pairs === 0 ? null : formatDecimal(new Decimal(halves).div(2).div(pairs), SHARE_SCALE) }
}

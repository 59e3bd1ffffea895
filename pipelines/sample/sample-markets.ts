import type { Random } from './random.ts'

/** The invented world of the sample archive: two venues, forty markets, two question sets, ninety days. */
export const SAMPLE = {
  venues: ['harbor', 'summit'],
  markets_per_venue: 20,
  question_sets: ['2025-06-15', '2025-06-29'],
  first_day: '2025-07-01',
  days: 90,
} as const

/** One market: its prices in units of 1/10,000, one a day until it resolves. */
export type SampleMarket = {
  readonly venue: string
  readonly id: string
  readonly question: string
  readonly sets: readonly string[]
  readonly prices: readonly number[]
  /** Day (from 0) whose value is the payout; null: open at the end. */
  readonly resolved_on: number | null
  readonly payout: 0 | 1
  /** The payout was first reported the other way round, and corrected the next day. */
  readonly misreported: boolean
}

const SUBJECTS = [
  'the harbor handle more than 40,000 containers',
  'the summit railway carry more than 90,000 passengers',
  'the lighthouse fund pass its yearly vote',
  'the river gauge read above 3.20 metres',
  'the coastal ferry add a second route',
  'the valley co-operative raise its milk price',
  'the observatory announce a new director',
  'the regional power line return to service',
  'the old bridge reopen to traffic',
  'the wheat co-operative report a surplus',
] as const
const PERIODS = ['in September 2025', 'before 1 October 2025'] as const

const PRICE_MIN = 100
const PRICE_MAX = 9900
const STEP_MAX = 180

/** Every market of the sample, in a fixed order. Exactly one of those that resolve is misreported first. */
export function sampleMarkets(random: Random): SampleMarket[] {
  return SAMPLE.venues.flatMap((venue, v) =>
    Array.from({ length: SAMPLE.markets_per_venue }, (_, n) => sampleMarket(venue, v, n, random)),
  )
}

function sampleMarket(venue: string, v: number, n: number, random: Random): SampleMarket {
  const subject = SUBJECTS[n % SUBJECTS.length]!
  const period = PERIODS[Math.floor(n / SUBJECTS.length)]!
  const resolves = n % 4 === 3
  const resolved_on = resolves ? 40 + random.int(45) : null
  const payout = random.chance(4000) ? 1 : 0
  return {
    venue,
    id: `${venue}-${String(n + 1).padStart(2, '0')}`,
    question: `Will ${subject} ${period}?`,
    sets: setsOf(n),
    prices: pricePath(random, resolved_on ?? SAMPLE.days, resolves ? payout * 10_000 : null),
    resolved_on,
    payout,
    misreported: v === 0 && n === 3,
  }
}

/** The first markets are in the first set only, the last ones in the second only, the others in both. */
function setsOf(n: number): readonly string[] {
  const [first, second] = SAMPLE.question_sets
  if (n < 5) return [first]
  return n < 15 ? [first, second] : [second]
}

/** A walk between PRICE_MIN and PRICE_MAX that leans towards its end in the last twenty days. */
function pricePath(random: Random, days: number, end: number | null): number[] {
  let price = 1500 + random.int(7000)
  return Array.from({ length: days }, (_, day) => {
    const lean = end === null || days - day > 20 ? 0 : Math.trunc(((end - price) * 2) / 25)
    price = Math.min(PRICE_MAX, Math.max(PRICE_MIN, price + random.int(2 * STEP_MAX + 1) - STEP_MAX + lean))
    return price
  })
}

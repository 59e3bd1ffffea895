import type { Micros } from '../../primitives/instants.ts'
import type { Grid } from './grid.ts'
import type { HourBar } from './hour-bars.ts'
import type { Ladder } from './ladder.ts'
import type { MarketPlan } from './plan.ts'
import type { Random } from './random.ts'

/**
 * Stage of a market's life. `announced`: described but not open yet; `proposed`: an answer is proposed; `disputed`: it is
 * contested; `final`: it pays. A voided market is final with equal payouts.
 */
export type Stage = 'announced' | 'open' | 'closed' | 'proposed' | 'disputed' | 'final'

/** State of every venue's market, however it trades. */
export type MarketLife = {
  readonly plan: MarketPlan
  readonly random: Random
  stage: Stage
  /** Start of its stage. */
  stage_at: Micros
  /** When it opened; null before that. */
  opened_at: Micros | null
  was_disputed: boolean
  /** Proposed payout of YES, in ten-thousandths; null before the first proposal. */
  proposed_payout: number | null
  /** Final payout of YES; null before it. */
  final_payout: number | null
  /** Contracts traded, in hundredths; mana on a venue that counts mana. */
  volume: number
  trades_count: number
}

/** One fill as the tape shows it. Price and size of YES: ten-thousandths and hundredths of a contract. */
export type Trade = {
  readonly market: number
  /** Serial number within the market, from 1. */
  readonly number: number
  /** Serial number of the order that took it: its fills share one. */
  readonly order: number
  readonly at: Micros
  /** Instant from which the venue lists it; later than `at` for a trade reported late. */
  readonly listed_at: Micros
  readonly price: number
  size: number
  /** The taker's side of YES. */
  readonly taker: 'buy' | 'sell'
  /** True: it was reported as a trade of NO at one minus the price. */
  readonly on_no: boolean
  state: 'good' | 'amended' | 'busted'
}

/** A market with an order book. */
export type BookMarket = MarketLife & {
  grid: Grid
  readonly ladder: Ladder
  /** The market maker's estimate of the price, in millionths; it follows the truth with a lag. */
  estimate: number
  /** Half of the market maker's spread, in ten-thousandths. */
  readonly half_spread: number
  /** Number of taker orders so far. */
  orders_count: number
  last_trade: { readonly price: number; readonly at: Micros } | null
  /** Instant of the book's last change, and number of changes. */
  book_at: Micros
  book_version: number
  /** Trades not older than the tape's limit, oldest first. */
  readonly tape: Trade[]
  /** Trades to correct, with the instant. */
  readonly corrections: { readonly at: Micros; readonly trade: Trade; readonly kind: 'bust' | 'amend' }[]
  /** Closed hours, oldest first, and the current hour. */
  readonly hours: HourBar[]
  hour: HourBar | null
}

/** One bet on a market without a book. Amounts in mana; probabilities as whole numbers at 15 decimals. */
export type Bet = {
  readonly market: number
  readonly number: number
  readonly at: Micros
  readonly outcome: 'YES' | 'NO'
  /** Mana offered, in hundredths. */
  readonly ordered: number
  /** Mana spent so far, in hundredths. */
  amount: number
  readonly before: number
  readonly after: number
  /** Limit in hundredths, or null for a bet at any price. */
  readonly limit: number | null
  readonly fills: { readonly at: Micros; readonly amount: number; readonly by: number | null }[]
}

/** A market whose price is the state of an automatic pool. */
export type PoolMarket = MarketLife & {
  /** Probability of YES at 15 decimals, strictly between 0 and 1. */
  probability: number
  readonly bets: Bet[]
  last_bet_at: Micros | null
}

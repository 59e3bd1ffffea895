import type { OrderIntent } from '../../../trading/order/order-intent.ts'
import type { SlowOrder, SlowPayment, SlowState } from './slow-records.ts'

/** The outcome whose prices are those of the ladder, and its complement. */
export const [YES, NO] = ['out_yes', 'out_no'] as const

export type LadderOrder = SlowOrder & {
  /** Side of the ladder: whether it buys YES or sells NO. */
  readonly bids: boolean
  /** Price of YES in cents. */
  readonly tick: bigint
  /** Whether it may only reduce: by its flag, or as a SELL of a market without short sales. */
  readonly reduces: boolean
  /** Sum of the trims since its acceptance. */
  trimmed: bigint
  /** Suspended on its own; a pause of the whole market is a status. */
  held: boolean
}

export type LadderSegment = {
  readonly match_kind: 'merge' | 'transfer' | 'mint'
  readonly outcome_id: string | null
  readonly quantity: bigint
}

/** One side of a match. */
export type LadderFill = {
  readonly order: LadderOrder
  readonly maker: boolean
  /** Price of YES. */
  readonly tick: bigint
  /** Price of the order's own outcome. */
  readonly price: bigint
  readonly quantity: bigint
  /** Part that closes the other outcome's holding; the rest opens. */
  readonly closed: bigint
  readonly opening_fee: bigint
  readonly closing_fee: bigint
  readonly fee: bigint
  readonly segments: readonly LadderSegment[]
  state: SlowState
  busted: boolean
}

/** The pool's record of sets that a match made (or destroyed: below 0). */
export type LadderSets = { readonly quantity: bigint; readonly fills: readonly LadderFill[]; state: SlowState }

/** Sets that an account or the house exchanges with the pool at once for 1 each: destroyed, or made (below 0). */
export type LadderExchange = { readonly account_id: string; readonly quantity: bigint }

/** What realizes profit, in its order: a fill, a bust (the reverse), a payout. Prices of YES in ten-thousandths. */
export type LadderTrade = {
  readonly account_id: string
  readonly bids: boolean
  readonly price: bigint
  readonly quantity: bigint
}

/** Payment of a resolution; `pool`: the part of it that the pool pays, the rest is the house's. */
export type LadderPayment = SlowPayment & { readonly pool: bigint }

/** Account that takes the place of a party whose side of a match is undone. */
export const LADDER_HOUSE = 'acct_house_receivable'

export const bidsFor = ({ outcome_id, side }: Pick<OrderIntent, 'outcome_id' | 'side'>) =>
  (outcome_id === YES) === (side === 'BUY')
/** Price of one outcome as the other's. */
export const mirrored = (outcome_id: string, price: bigint) => (outcome_id === YES ? price : 100n - price)
/** Price of what a side of the ladder opens. */
export const openPrice = (bids: boolean, tick: bigint) => (bids ? tick : 100n - tick)

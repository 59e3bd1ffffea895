import type { SelfTradeMode, Side, TimeInForce } from '../../vocabulary/order.ts'

/** The part of an order that a book reads; the caller's record is not changed. Whole numbers below 2^53. */
export type BookOrder = {
  readonly side: Side
  /** On the grid of the book. */
  readonly limit_price: number
  readonly remaining_quantity: number
  readonly reduce_only: boolean
  /** Whether it is signed for the second outcome of a complementary market; left out: false. */
  readonly is_mirrored?: boolean
  /** Number of the holder's position in the outcome. */
  readonly position: { readonly holder: number }
}

/** An order to execute as far as it can. */
export type Taker = BookOrder & {
  readonly intent: {
    readonly time_in_force: TimeInForce
    readonly self_trade_prevention: SelfTradeMode
  }
}

/**
 * Results of executing an order: nothing remains; the remainder rests; a FOK could not fill; a FAK has a remainder; self-trade
 * prevention ended it; its account cannot pay for its next match.
 */
export type Ending = 'filled' | 'rests' | 'unfillable' | 'unfilled' | 'prevented' | 'unbookable'

/** Whether a match can be booked; otherwise the order that its account cannot pay for ends without it. */
export type Permit = 'books' | 'maker_ends' | 'taker_ends'

/**
 * Callbacks that carry out each decision of the book at once: when a call returns, positions reflect the match. A removed order
 * has left the book before the call; its slot is reused only after it.
 */
export type Matches = {
  /** Whether the taker and a resting order may trade `quantity`; changes nothing. */
  permits(slot: number, quantity: number): Permit
  /** Returns the most quantity that a resting order may trade now, above 0. */
  allowance(slot: number): number
  /** Whether a resting order must end before it meets anything. */
  isEnding(slot: number): boolean
  /** A resting order is removed without a match: it was ending, or its account cannot pay for its next match. */
  ended(slot: number): void
  /**
   * The taker and a resting order trade `quantity` at the resting order's price. `left`: the resting order's remainder; 0: it is
   * removed. The call may remove any resting orders.
   */
  filled(slot: number, quantity: number, left: number): void
  /** The taker would have traded `quantity` with its holder's own order; `maker_ends`: that order is removed. */
  prevented(slot: number, quantity: number, maker_ends: boolean): void
  /** A resting reduce_only order is removed, because it could increase the position. */
  reduced(slot: number): void
}

/** Answers of `Matches.permits` for a taker that is only tried, each after the matches before it. */
export type Trial = {
  /** Whether a resting order must end before it meets anything; one that must counts as ended. */
  isEnding(slot: number): boolean
  /** Returns the most quantity that a resting order may trade now; 0: a match before this one would have ended it. */
  allowance(slot: number): number
  /** Permits a match, and counts it as made if it books. */
  permits(slot: number, quantity: number): Permit
  /** The taker would meet its holder's own order for `quantity`. */
  prevented(slot: number, quantity: number): void
}

/** Quantity, and sum of price x quantity, at the scales of the market, and what would stop the execution. */
export type Executable = { readonly quantity: number; readonly value: number; readonly ending: Ending }

import type { SelfTradeMode, Side, TimeInForce } from '../../vocabulary/order.ts'

/** What a book must know of an order: the caller's own record of it is read, and not changed. Whole numbers, below 2^53. */
export type BookOrder = {
  readonly side: Side
  /** On the grid of the book. */
  readonly limit_price: number
  readonly remaining_quantity: number
  readonly reduce_only: boolean
  /** Whose it is: the place of a position among its outcome's. */
  readonly position: { readonly holder: number }
}

/** An order that is to execute at once, as far as it can. */
export type Taker = BookOrder & {
  readonly intent: {
    readonly time_in_force: TimeInForce
    readonly self_trade_prevention: SelfTradeMode
  }
}

/**
 * How an order comes out of the book: nothing is left of it; the rest of it rests; a FOK could not fill whole; a FAK has a rest;
 * self-trade prevention ended it.
 */
export type Ending = 'filled' | 'rests' | 'unfillable' | 'unfilled' | 'prevented'

/**
 * What follows from each decision of the book is its caller's to carry out, at once: when a call returns, positions are what the
 * match has made of them. An order that is gone has left the book before the call; its slot is used again only after it.
 */
export type Matches = {
  /** The taker and a resting order trade `quantity` at the resting order's price. `left` is what remains of that one; 0: it is gone. */
  filled(slot: number, quantity: number, left: number): void
  /** The taker would have traded `quantity` with an order of its own; `maker_ends`: that one is gone. */
  prevented(slot: number, quantity: number, maker_ends: boolean): void
  /** A resting reduce_only order is gone: it could no longer only reduce. */
  reduced(slot: number): void
}

/** Quantity, and sum of price x quantity, at the scales of the market. */
export type Executable = { readonly quantity: number; readonly value: number }

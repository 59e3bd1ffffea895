import type { OrderIntent } from '../../../trading/order/order-intent.ts'

export type SlowOrder = {
  readonly intent: OrderIntent
  readonly price: bigint
  readonly original: bigint
  readonly age: number
  /** Rates in force at acceptance. */
  readonly taker_rate: bigint
  readonly maker_rate: bigint
  status: string
  remaining: bigint
  reason: string | null
  /** Ladder that a mass quote placed it in. */
  quote_set?: string
}

/** What an account allows to be filled within a window before all of its orders end. Instants and times in microseconds. */
export type SlowProtection = {
  readonly count: number
  readonly quantity: bigint | null
  readonly window: number
  readonly frozen: number
  /** Fills before this one do not count. */
  readonly from: number
  frozen_until: number
}

/** A fill of a resting order. */
export type SlowMade = { readonly account_id: string; readonly quantity: bigint; readonly at: number }

/** Where an order stands: which book it is of, whether it bids there, and at which price. */
export type SlowLine = { readonly book: string; readonly bids: boolean; readonly price: bigint }

export type SlowFill = {
  readonly order: SlowOrder
  readonly maker: boolean
  readonly price: bigint
  readonly quantity: bigint
  readonly uncovered: bigint
  readonly fee: bigint
  readonly reserve_fee: bigint
  state: SlowState
  busted: boolean
}

/** Fields of a fill that both kinds of markets have. */
export type SecondFill = Pick<SlowFill, 'order' | 'maker' | 'price' | 'quantity' | 'fee' | 'state' | 'busted'>

/** Settlement state of a fill's or a payment's money. */
export type SlowState = 'pending' | 'submitted' | 'failed' | 'confirmed' | 'reversed'

/** What a rail settles. */
export type SlowMoving = { state: SlowState }

/** Payment of a resolution to a position, or its correction, in millionths from the account's side. */
export type SlowPayment = {
  readonly account_id: string
  readonly outcome_id: string
  /** Quantity held at payment; 0 for a correction. */
  readonly net: bigint
  readonly amount: bigint
  readonly revision: number
  state: SlowState
}

/** Rules for new orders; working orders keep their rates. */
export type SlowRules = {
  taker_rate: bigint
  maker_rate: bigint
  readonly shorting: boolean
  crossing: 'cap' | 'reject'
  limit: bigint | null
  /** Most working orders of an account; left out: as many as it likes. */
  open_orders?: number | null
}

/** Whether an order that may rest is one too many. */
export const isFull = ({ open_orders = null }: SlowRules, { time_in_force }: OrderIntent, working: number) =>
  open_orders !== null && working >= open_orders && (time_in_force === 'GTC' || time_in_force === 'GTD')

/** A rate over 10,000. */
export const rateOf = (text: string) => BigInt(Math.round(Number(text) * 10_000))
export const UNIT = 100n
export const DIVISOR = 10_000n
export const WORKING = ['validated', 'open', 'partially_filled', 'suspended']
export const big = (decimal: string, scale: number) => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}
export const max = (a: bigint, b: bigint) => (a > b ? a : b)
export const min = (a: bigint, b: bigint) => (a < b ? a : b)
export const roundHalfEven = (n: bigint) => {
  const [quotient, rest] = [n / DIVISOR, (n % DIVISOR) * 2n]
  return rest > DIVISOR || (rest === DIVISOR && quotient % 2n === 1n) ? quotient + 1n : quotient
}
export const roundUp = (n: bigint) => (n + DIVISOR - 1n) / DIVISOR

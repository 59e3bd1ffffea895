import type { OrderStatus, TerminalReason } from '../../vocabulary/order.ts'

/** A move that is allowed; `reasons` where the order ends by it with one of these. */
type Moves = Partial<Record<OrderStatus, true | readonly TerminalReason[]>>

/** The engine takes these out of the book at once; a user's cancel goes through cancel_pending. */
const BY_ENGINE = [
  'FAK_REMAINDER',
  'SELF_TRADE_PREVENTION',
  'REPLACED',
  'MARKET_CLOSED',
  'REDUCE_ONLY',
  'RISK_ACTION',
] as const

const RESTING: Moves = {
  partially_filled: true,
  filled: true,
  cancel_pending: true,
  expired: ['EXPIRED'],
  suspended: true,
  canceled: BY_ENGINE,
  failed: ['INTERNAL_FAILURE'],
}

/**
 * The closed table of order transitions: what is not in it does not happen. A taker that executes and ends in one command goes
 * through `partially_filled` first, so that its fills have a state of their own.
 */
export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus, Moves>> = {
  received: { validated: true, rejected: true },
  validated: {
    open: true,
    partially_filled: true,
    filled: true,
    canceled: ['FOK_NOT_FILLED', 'FAK_NO_FILL', 'SELF_TRADE_PREVENTION'],
    failed: ['INTERNAL_FAILURE'],
  },
  open: RESTING,
  partially_filled: RESTING,
  cancel_pending: { canceled: ['USER_CANCELED', 'CANCEL_ALL', 'CANCEL_AFTER', 'CANCEL_ON_PAUSE'], filled: true },
  suspended: {
    open: true,
    partially_filled: true,
    cancel_pending: true,
    canceled: ['MARKET_CLOSED', 'RISK_ACTION'],
    expired: ['EXPIRED'],
  },
  rejected: {},
  filled: {},
  canceled: {},
  expired: {},
  failed: {},
}

/** Whether the table has the move, with this reason where it ends the order. */
export function mayMove(from: OrderStatus, to: OrderStatus, reason: TerminalReason | null): boolean {
  const allowed = ORDER_TRANSITIONS[from][to]
  if (allowed === undefined) return false
  return allowed === true ? reason === null : reason !== null && allowed.includes(reason)
}

/** Whether an order in this state has ended. */
export function isTerminal(status: OrderStatus): boolean {
  return Object.keys(ORDER_TRANSITIONS[status]).length === 0
}

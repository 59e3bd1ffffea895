import { ENDED_ORDER_STATUSES, type OrderStatus, type TerminalReason } from '../../vocabulary/order.ts'

/** Allowed moves; a list holds the reasons of a move that ends the order. */
type Moves = Partial<Record<OrderStatus, true | readonly TerminalReason[]>>

/** Reasons for which the engine cancels at once; a user's cancel passes through cancel_pending. */
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
 * Closed table of order transitions. A taker that executes and ends in one command passes through `partially_filled`, so that its
 * fills have a state of their own.
 */
export const ORDER_TRANSITIONS: Readonly<Record<OrderStatus, Moves>> = {
  received: { validated: true, rejected: true },
  validated: {
    open: true,
    partially_filled: true,
    filled: true,
    canceled: ['FOK_NOT_FILLED', 'FAK_NO_FILL', 'SELF_TRADE_PREVENTION', 'RISK_ACTION'],
    failed: ['INTERNAL_FAILURE'],
  },
  open: RESTING,
  partially_filled: RESTING,
  cancel_pending: {
    canceled: ['USER_CANCELED', 'CANCEL_ALL', 'CANCEL_AFTER', 'CANCEL_ON_PAUSE', 'MARKET_MAKER_PROTECTION'],
    filled: true,
  },
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

/** Whether the table allows the move, with this reason if it ends the order. */
export function mayMove(from: OrderStatus, to: OrderStatus, reason: TerminalReason | null): boolean {
  const allowed = ORDER_TRANSITIONS[from][to]
  if (allowed === undefined) return false
  return allowed === true ? reason === null : reason !== null && allowed.includes(reason)
}

/** Whether an order in this state has ended. */
export function isTerminal(status: OrderStatus): boolean {
  return ENDED_ORDER_STATUSES.includes(status)
}

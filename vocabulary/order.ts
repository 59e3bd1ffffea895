/** Sides of an order, and of the taker in a public trade. */
export const SIDES = ['BUY', 'SELL'] as const
export type Side = (typeof SIDES)[number]

/** Times in force: how long an order may work. */
export const TIMES_IN_FORCE = ['GTC', 'GTD', 'FOK', 'FAK'] as const
export type TimeInForce = (typeof TIMES_IN_FORCE)[number]

/** Order that is canceled when two orders of one account would trade with each other. */
export const SELF_TRADE_MODES = ['cancel_taker', 'cancel_maker', 'cancel_both'] as const
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number]

/** The usual choice: that of our clients and of new accounts. */
export const USUAL_SELF_TRADE = 'cancel_taker' satisfies SelfTradeMode

/** Treatment of a reduce_only order that would cross zero: cap its quantity, or reject it. */
export const REDUCE_ONLY_CROSSINGS = ['cap', 'reject'] as const

/** Roles of the two orders of a fill: the maker was in the book first. */
export const LIQUIDITY_ROLES = ['maker', 'taker'] as const
export type LiquidityRole = (typeof LIQUIDITY_ROLES)[number]

/** Signatures of an order: by a key, or accepted by a contract. */
export const SIGNATURE_TYPES = ['eoa', 'erc1271', 'erc1271_erc7739'] as const
export type SignatureType = (typeof SIGNATURE_TYPES)[number]

/** Verdicts on a submitted or previewed order. */
export const ACCEPTANCES = ['accepted', 'rejected'] as const

/** States of an order (docs/state-machines/order.md). */
export const ORDER_STATUSES = [
  'received',
  'validated',
  'rejected',
  'open',
  'partially_filled',
  'filled',
  'cancel_pending',
  'canceled',
  'expired',
  'suspended',
  'failed',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** States of an order that is in the book. */
export const BOOKED_STATUSES: readonly OrderStatus[] = ['open', 'partially_filled']

/** States of an order that is in the book or may return to it; it reserves. */
export const RESTING_STATUSES: readonly OrderStatus[] = [...BOOKED_STATUSES, 'suspended']

/** States of an order that can still execute or be canceled. */
export const WORKING_STATUSES: readonly OrderStatus[] = [...BOOKED_STATUSES, 'cancel_pending', 'suspended']

/** States of an order that has ended, or never was accepted: no move leads out of them. */
export const ENDED_ORDER_STATUSES: readonly OrderStatus[] = ['rejected', 'filled', 'canceled', 'expired', 'failed']

/** Why an order ended. */
export const TERMINAL_REASONS = [
  'FOK_NOT_FILLED',
  'FAK_NO_FILL',
  'FAK_REMAINDER',
  'SELF_TRADE_PREVENTION',
  'REPLACED',
  'MARKET_CLOSED',
  'REDUCE_ONLY',
  'RISK_ACTION',
  'EXPIRED',
  'USER_CANCELED',
  'CANCEL_ALL',
  'CANCEL_AFTER',
  'CANCEL_ON_PAUSE',
  'MARKET_MAKER_PROTECTION',
  'INTERNAL_FAILURE',
] as const
export type TerminalReason = (typeof TERMINAL_REASONS)[number]

/** Events of a market maker's protection. */
export const PROTECTION_ACTIONS = ['set', 'triggered', 'reset', 'removed'] as const
export type ProtectionAction = (typeof PROTECTION_ACTIONS)[number]

/** Effects of a match in a complementary market on sets of both outcomes: it destroys them, moves one outcome, or makes them. */
export const MATCH_KINDS = ['merge', 'transfer', 'mint'] as const
export type MatchKind = (typeof MATCH_KINDS)[number]

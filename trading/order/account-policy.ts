import type { RateTierName } from '../../protocol/limits.ts'
import type { SelfTradeMode } from '../../vocabulary/order.ts'

/** Rules for the orders of one account, beside those of the market. */
export type AccountPolicy = {
  readonly policy_id: string
  readonly policy_version: number
  readonly self_trade_prevention: SelfTradeMode
  /** Quantity that would cross zero is cut off, or the whole order refused. */
  readonly reduce_only_crossing: 'cap' | 'reject'
  /** In contracts, as a decimal; null: no limit. */
  readonly position_limit: string | null
  /** Greatest distance of a limit price from the mark, as a decimal; null: no band. */
  readonly price_band: string | null
  /** Rate limits of the account's keys, which the engine does not read; missing in old policies: standard. */
  readonly limit_tier?: RateTierName
}

import type { DecimalString } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import type { SelfTradeMode, Side, TerminalReason, TimeInForce } from '../../vocabulary/order.ts'
import type { ListedTerms } from '../market/market-terms.ts'
import type { OrderOrigin } from '../order/order.ts'
import type { AccountPolicy } from './state.ts'

/** A signed intent after stages 1 to 4: shape, identity, replay and signature have been checked. Decimals as written. */
export type OrderIntent = {
  readonly order_id: string
  readonly client_order_id: string
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly side: Side
  readonly limit_price: DecimalString
  readonly quantity: DecimalString
  readonly time_in_force: TimeInForce
  /** Engine's clock; required for GTD, null otherwise. */
  readonly expires_at: Micros | null
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly cancel_on_pause: boolean
  readonly self_trade_prevention: SelfTradeMode
  readonly maximum_fee: DecimalString
  readonly maximum_notional: DecimalString
  readonly settlement_asset_id: string
}

/** An intent, and where it comes from. */
export type OrderRequest = { readonly intent: OrderIntent; readonly origin: OrderOrigin }

type PlaceOrder = OrderRequest & { readonly kind: 'place_order' }

export type CancelOrder = {
  readonly kind: 'cancel_order'
  readonly account_id: string
  readonly order_id: string
  /** null: whatever the version is. */
  readonly expected_order_version: number | null
}

export type AmendOrder = OrderRequest & {
  readonly kind: 'amend_order'
  readonly order_id: string
  readonly expected_order_version: number
}

/** Conditions are combined with AND; none of them: all orders of the account. */
export type CancelAll = {
  readonly kind: 'cancel_all'
  readonly account_id: string
  readonly market_ids: readonly string[] | null
  readonly cancel_on_pause_only: boolean
  readonly reason: Extract<TerminalReason, 'CANCEL_ALL' | 'CANCEL_AFTER'>
}

/** Who did it, and why: kept with what it changed. */
type Act = { readonly actor: string; readonly reason: string }

export type AddAsset = Act & { readonly kind: 'add_asset'; readonly asset_id: string; readonly scale: number }

export type AddMarket = Act & {
  readonly kind: 'add_market'
  readonly market_id: string
  readonly outcome_ids: readonly string[]
  readonly terms: ListedTerms
  readonly fees: {
    readonly schedule_id: string
    readonly schedule_version: number
    readonly taker_rate: DecimalString
    readonly maker_rate: DecimalString
  }
  /** How the market is presented; of no effect on trading. */
  readonly listing?: MarketListing
}

/** What the listing says beside its terms; kept as it was asked for. */
export type MarketListing = {
  readonly event_id: string | null
  readonly title: string | null
  /** By outcome_id; an outcome without one is called by its id. */
  readonly outcome_labels: Readonly<Record<string, string>>
  readonly rules: unknown
  readonly schedule: unknown
  /** ISO 8601: how long a resolution is open to dispute where nothing else is said; null or left out: as usual. */
  readonly dispute_window?: string | null
}

export type MoveMarket = Act & { readonly kind: 'move_market'; readonly market_id: string; readonly to: MarketStatus }

export type SetMark = Act & {
  readonly kind: 'set_mark'
  readonly market_id: string
  readonly outcome_id: string
  readonly mark: DecimalString | null
}

export type AddAccount = Act & {
  readonly kind: 'add_account'
  readonly account_id: string
  readonly policy: AccountPolicy
  /** Who controls the account, lower-case hex with 0x; null or left out: nobody who could authorise keys. */
  readonly owner_address?: string | null
  readonly label?: string
}
export type SetPolicy = Act & {
  readonly kind: 'set_policy'
  readonly account_id: string
  readonly policy: AccountPolicy
}
export type BlockAccount = Act & {
  readonly kind: 'block_account'
  readonly account_id: string
  readonly blocked: boolean
}
export type MoveMoney = Act & {
  readonly kind: 'deposit' | 'withdraw'
  readonly transfer_id: string
  readonly account_id: string
  readonly asset_id: string
  readonly amount: DecimalString
}

export type Command =
  | PlaceOrder
  | CancelOrder
  | AmendOrder
  | CancelAll
  | AddAsset
  | AddMarket
  | MoveMarket
  | SetMark
  | AddAccount
  | SetPolicy
  | BlockAccount
  | MoveMoney

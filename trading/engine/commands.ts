import type { DecimalString } from '../../primitives/decimal.ts'
import type { MarketStatus } from '../../vocabulary/market.ts'
import type { TerminalReason } from '../../vocabulary/order.ts'
import type { MarketListing } from '../market/market-listing.ts'
import type { ListedTerms } from '../market/market-terms.ts'
import type { AccountPolicy } from '../order/account-policy.ts'
import type { CancelFilter } from '../order/cancel-filter.ts'
import type { CancelOrigin } from '../order/order.ts'
import type { IncomingOrder } from '../order/order-intent.ts'

type PlaceOrder = IncomingOrder & { readonly kind: 'place_order' }

export type CancelOrder = {
  readonly kind: 'cancel_order'
  readonly account_id: string
  readonly order_id: string
  /** null: at any version. */
  readonly expected_order_version: number | null
  readonly origin?: CancelOrigin
}

export type AmendOrder = IncomingOrder & {
  readonly kind: 'amend_order'
  readonly order_id: string
  readonly expected_order_version: number
}

type CancelAll = CancelFilter & {
  readonly kind: 'cancel_all'
  readonly account_id: string
  readonly reason: Extract<TerminalReason, 'CANCEL_ALL' | 'CANCEL_AFTER'>
}

/** Actor and reason of an operator's command, kept with its effects. */
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
  /** Presentation only; without effect on trading. */
  readonly listing?: MarketListing
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
  /** Address of the account's owner, lower-case hex with 0x; null or missing: nobody can authorize keys. */
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
  /** A second operator, outside a sandbox. */
  readonly approved_by?: string
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

import type { DecimalString } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { ByTerm } from '../../protocol/order/order-terms.ts'
import type { SelfTradeMode, Side, SignatureType, TimeInForce } from '../../vocabulary/order.ts'

type TermValues = {
  readonly account_id: string
  readonly market_id: string
  readonly outcome_id: string
  readonly side: Side
  readonly order_type: 'limit'
  /** Text as the caller wrote it. */
  readonly decimal: DecimalString
  readonly time_in_force: TimeInForce
  /** By the engine's clock; required for GTD, null otherwise. */
  readonly expiry: Micros | null
  readonly flag: boolean
  readonly self_trade_prevention: SelfTradeMode
  readonly asset_id: string
}

/** A signed order after stages 1 to 4: shape, identity, replay and signature have been checked. */
export type OrderIntent = Omit<ByTerm<TermValues>, 'order_type'> & {
  readonly order_id: string
  readonly client_order_id: string
}

/** The signature of an order and its signer, kept with the order. Addresses and digests are lower-case hex with 0x. */
export type OrderSignature = {
  readonly signer: string
  /** uint256 in decimal digits. */
  readonly order_nonce: string
  readonly signature_type: SignatureType
  readonly signature_version: string
  readonly order_signature: string
  readonly digest: string
  /** Block and result of the call that verified a smart account's signature; null for other signers. */
  readonly contract_call: { readonly block_number: string; readonly result: string } | null
}

/** The request that an order arrived with; kept with the order, never changed. */
export type OrderOrigin = {
  readonly command_id: string
  readonly request_id: string
  readonly signature: OrderSignature
  readonly labels: Readonly<Record<string, string>> | null
  /** null or missing: with its batch. */
  readonly received_at?: Micros | null
  /** Label of the ladder that it belongs to; null or missing: it was not placed by a mass quote. */
  readonly quote_set_id?: string | null
}

/** An order that has yet to pass stages 5 to 8. */
export type IncomingOrder = {
  readonly intent: OrderIntent
  readonly origin: OrderOrigin
  /** Whether its market is published, so that one that is not listed here is traded elsewhere. */
  readonly is_published_market?: boolean
}

import type { Hex, TypedDomain, TypedField, TypedMessage } from '../../../protocol/signing/typed-data.ts'

/** A typed message (EIP-712) to be signed. */
export type TypedToSign = {
  readonly domain: TypedDomain
  readonly primary_type: string
  readonly fields: readonly TypedField[]
  readonly message: TypedMessage
}

/** Signer of orders: the key of a sandbox account, or a wallet that asks its user. */
export type OrderSigner = {
  readonly kind: 'key' | 'wallet'
  /** 0x and 40 hex digits in lower case. */
  readonly address: Hex
  /** @throws {ApiError} WALLET_REFUSED: the wallet did not sign */
  readonly sign: (typed: TypedToSign) => Promise<Hex>
}

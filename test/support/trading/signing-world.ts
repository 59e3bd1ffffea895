import type { OrderToSign } from '../../../protocol/order/order-terms.ts'

/** The decided test vector: key 0x01 repeated, environment sandbox. */
export const VECTOR = {
  private_key: `0x${'01'.repeat(32)}`,
  signer: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1',
  environment: 'sandbox',
  salt: '0xff0ec3fceb1981fd4a49bd6a2152dd977071f258be1d00a775ae9111b3ed2d01',
  digest: '0x7741cb9dc8c3c924b7c2a550279f0a5422bdae38a13f67d2978c98d3e4b06644',
  signature:
    '0x7842686d2a3c793612e2383d83fb88b683a2b7508bb270235c53c7a38598f3e619d545251c25e4f9462f0932c86f37a50796de136cebfee6c95380a56d55e6f61c',
} as const

/** Its order, as a body carries it. */
export const VECTOR_ORDER: OrderToSign = {
  account_id: 'acct_test',
  signer: VECTOR.signer,
  market_id: 'mkt_test',
  outcome_id: 'out_yes',
  side: 'BUY',
  limit_price: '0.52',
  quantity: '100.00',
  time_in_force: 'GTC',
  expires_at: null,
  post_only: false,
  reduce_only: false,
  cancel_on_pause: true,
  self_trade_prevention: 'cancel_taker',
  client_order_id: 'c1',
  order_nonce: '1',
  maximum_fee: '0.10',
  maximum_notional: '52.00',
  settlement_asset_id: 'asset_usd',
  signature_version: '1',
}

/** Order of secp256k1 (SEC 2). */
export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The other signature that recovers the same signer: n - s, the other v. */
export function highTwin(signature: string): `0x${string}` {
  const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `${signature.slice(0, 66) as `0x${string}`}${s.toString(16).padStart(64, '0')}${v}`
}

import secp256k1 from 'secp256k1'
import { bytesToHex, type Hex, hashTypedData, hexToBytes, keccak256, stringToHex } from 'viem'
import { ORDER_TYPE, type OrderMessage, type OrderToSign, orderMessage } from '../../../protocol/order/order-terms.ts'
import { typedDomain } from '../../../protocol/signing/typed-data.ts'
import { pick } from '../random.ts'
import { CURVE_ORDER, highTwin } from './signing-world.ts'

/** Expected verdict of a case: valid signer, no signer, another signer, or either of the last two. */
export type Expected = 'valid' | 'SIGNATURE_INVALID' | 'SIGNATURE_ORDER_MISMATCH' | 'refused'

export type SignatureCase = {
  readonly mutation: string
  readonly order: OrderToSign
  readonly environment: string
  readonly signature: string
  readonly expected: Expected
}

type Signed = { readonly order: OrderToSign; readonly signature: Hex }
type Mutation = (signed: Signed, random: () => number) => Omit<SignatureCase, 'mutation' | 'environment'>

const ENVIRONMENT = 'sandbox'
export const keccakText = (text: string) => keccak256(stringToHex(text))
const domain = typedDomain(ORDER_TYPE.name, ENVIRONMENT, keccakText)

/** An order's typed data, for viem. */
export function typedOrder(message: OrderMessage) {
  return { domain, types: { SvcOrder: ORDER_TYPE.fields }, primaryType: 'SvcOrder', message } as const
}

/** A valid signature over a random order, then one change of it, of its order or of neither. */
export function signatureCase(random: () => number): SignatureCase {
  const key = randomBytes(32, random)
  const order = randomOrder(addressOf(key), random)
  const digest = hexToBytes(hashTypedData(typedOrder(orderMessage(order, keccakText))))
  const { signature, recid } = secp256k1.ecdsaSign(digest, key)
  const mutation = pick(Object.keys(MUTATIONS), random)
  const signed = { order, signature: bytesToHex(Uint8Array.of(...signature, 27 + recid)) }
  return { mutation, environment: ENVIRONMENT, ...MUTATIONS[mutation]!(signed, random) }
}

const withSignature =
  (expected: Expected, change: (signature: Hex, random: () => number) => string): Mutation =>
  ({ order, signature }, random) => ({ order, signature: change(signature, random), expected })

const word = (value: bigint) => value.toString(16).padStart(64, '0')
const [R, S] = [2, 66]
const replaced = (text: string, at: number, part: string) => text.slice(0, at) + part + text.slice(at + part.length)

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  none: withSignature('valid', (signature) => signature),
  upper_case: withSignature('valid', (signature) => `0x${signature.slice(2).toUpperCase()}`),
  high_s: withSignature('SIGNATURE_INVALID', highTwin),
  high_s_same_v: withSignature(
    'SIGNATURE_INVALID',
    (signature) => highTwin(signature).slice(0, -2) + signature.slice(-2),
  ),
  other_v: withSignature('refused', (signature) => signature.slice(0, -2) + (signature.endsWith('1b') ? '1c' : '1b')),
  parity_v: withSignature(
    'SIGNATURE_INVALID',
    (signature) => signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01'),
  ),
  eip155_v: withSignature('SIGNATURE_INVALID', (signature) => `${signature.slice(0, -2)}25`),
  bit: withSignature('refused', (signature, random) => {
    const at = 2 + Math.floor(random() * 128)
    return replaced(signature, at, (Number.parseInt(signature[at]!, 16) ^ (1 << Math.floor(random() * 4))).toString(16))
  }),
  random_bytes: withSignature('refused', (_signature, random) => `${bytesToHex(randomBytes(64, random))}1b`),
  zero_r: withSignature('SIGNATURE_INVALID', (signature) => replaced(signature, R, word(0n))),
  zero_s: withSignature('SIGNATURE_INVALID', (signature) => replaced(signature, S, word(0n))),
  order_r: withSignature('SIGNATURE_INVALID', (signature) => replaced(signature, R, word(CURVE_ORDER))),
  order_s: withSignature('SIGNATURE_INVALID', (signature) => replaced(signature, S, word(CURVE_ORDER))),
  short: withSignature('SIGNATURE_INVALID', (signature) => signature.slice(0, -2)),
  compact: withSignature('SIGNATURE_INVALID', (signature) => signature.slice(0, 130)),
  long: withSignature('SIGNATURE_INVALID', (signature) => `${signature}00`),
  not_hex: withSignature('SIGNATURE_INVALID', (signature) => replaced(signature, 10, 'zz')),
  no_prefix: withSignature('SIGNATURE_INVALID', (signature) => signature.slice(2)),
  empty: withSignature('SIGNATURE_INVALID', () => '0x'),
  other_signer: ({ order, signature }, random) => {
    const signer = addressOf(randomBytes(32, random))
    return { order: { ...order, signer }, signature, expected: 'SIGNATURE_ORDER_MISMATCH' }
  },
  other_field: ({ order, signature }, random) => {
    const changed = { ...order, ...pick(CHANGES, random)(order) }
    return { order: changed, signature, expected: 'SIGNATURE_ORDER_MISMATCH' }
  },
}

/** One change of each signed field of a body. */
export const CHANGES: readonly ((order: OrderToSign) => Partial<OrderToSign>)[] = [
  ({ account_id }) => ({ account_id: `${account_id}2` }),
  ({ market_id }) => ({ market_id: `${market_id}2` }),
  ({ outcome_id }) => ({ outcome_id: `${outcome_id}2` }),
  ({ side }) => ({ side: side === 'BUY' ? 'SELL' : 'BUY' }),
  ({ limit_price }) => ({ limit_price: oneMore(limit_price) }),
  ({ quantity }) => ({ quantity: oneMore(quantity) }),
  ({ maximum_fee }) => ({ maximum_fee: oneMore(maximum_fee) }),
  ({ maximum_notional }) => ({ maximum_notional: oneMore(maximum_notional) }),
  ({ quantity }) => ({ quantity: quantity.includes('.') ? `${quantity.slice(0, -1)}` : `${quantity}.0` }),
  ({ time_in_force }) => ({ time_in_force: time_in_force === 'FOK' ? 'FAK' : 'FOK' }),
  ({ expires_at }) => ({ expires_at: expires_at === null ? '2027-01-01T00:00:00Z' : null }),
  ({ post_only }) => ({ post_only: !post_only }),
  ({ reduce_only }) => ({ reduce_only: !reduce_only }),
  ({ cancel_on_pause }) => ({ cancel_on_pause: !cancel_on_pause }),
  ({ self_trade_prevention }) => ({
    self_trade_prevention: self_trade_prevention === 'cancel_both' ? 'cancel_maker' : 'cancel_both',
  }),
  ({ client_order_id }) => ({ client_order_id: `${client_order_id}2` }),
  ({ order_nonce }) => ({ order_nonce: order_nonce === '0' ? '1' : '0' }),
  ({ settlement_asset_id }) => ({ settlement_asset_id: `${settlement_asset_id}2` }),
]

/** The same number of digits, another number. */
const oneMore = (decimal: string) => `${decimal.slice(0, -1)}${decimal.endsWith('7') ? '8' : '7'}`

function randomOrder(signer: string, random: () => number): OrderToSign {
  const whole = (digits: number) => String(Math.floor(random() * 10 ** digits))
  const decimal = (digits: number) =>
    random() < 0.2 ? whole(digits) : `${whole(digits)}.${whole(4).padStart(4, '0')}1`
  const time_in_force = pick(['GTC', 'GTD', 'FOK', 'FAK'], random)
  return {
    account_id: `acct_${whole(6)}`,
    signer,
    market_id: `mkt_${whole(6)}`,
    outcome_id: `out_${pick(['yes', 'no', 'über ☂'], random)}`,
    side: pick(['BUY', 'SELL'], random),
    limit_price: `0.${whole(2).padStart(2, '0')}`,
    quantity: decimal(6),
    time_in_force,
    expires_at: time_in_force === 'GTD' ? '2026-12-31T23:59:59Z' : null,
    post_only: random() < 0.5,
    reduce_only: random() < 0.5,
    cancel_on_pause: random() < 0.5,
    self_trade_prevention: pick(['cancel_taker', 'cancel_maker', 'cancel_both'], random),
    client_order_id: `c${whole(9)}`,
    order_nonce: random() < 0.1 ? (2n ** 256n - 1n).toString() : BigInt(bytesToHex(randomBytes(32, random))).toString(),
    maximum_fee: decimal(2),
    maximum_notional: decimal(6),
    settlement_asset_id: 'asset_usd',
    signature_version: '1',
  }
}

/** Address of a private key, by libsecp256k1: signing by viem would take most of a case's time. */
function addressOf(key: Uint8Array): Hex {
  return `0x${keccak256(secp256k1.publicKeyCreate(key, false).subarray(1)).slice(26)}`
}

function randomBytes(count: number, random: () => number): Uint8Array {
  return Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
}

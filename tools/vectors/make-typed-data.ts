import { secp256k1 } from '@noble/curves/secp256k1'
import { hexToBytes } from '@noble/hashes/utils'
import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../protocol/order/order-terms.ts'
import { type AuthorizationToSign, authorizationMessage } from '../../protocol/signing/authorization-message.ts'
import { recoverAddress } from '../../protocol/signing/debug/eoa-form.ts'
import { hashOf, keccakText, rightDomain, typedSteps } from '../../protocol/signing/debug/typed-hash.ts'
import { scopesText } from '../../protocol/signing/scopes.ts'
import {
  AUTHORIZATION_TYPE,
  encodedType,
  type MessageType,
  type TypedMessage,
} from '../../protocol/signing/typed-data.ts'
import { type VectorCase, vectorCase, vectorFile } from './vector-file.ts'
import { SIGNER_KEY } from './vector-keys.ts'

const SIGNER = addressOf(SIGNER_KEY)
const OTHER_KEY = `0x${'02'.repeat(32)}`

function addressOf(private_key: string): string {
  return `0x${hashOf(secp256k1.getPublicKey(hexToBytes(private_key.slice(2)), false).subarray(1)).slice(-40)}`
}

/** Order of docs/signing.md. */
const ORDER: OrderToSign = {
  account_id: 'acct_test',
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
  maximum_fee: '0.10',
  maximum_notional: '52.00',
  settlement_asset_id: 'asset_usd',
  client_order_id: 'c1',
  signer: SIGNER,
  order_nonce: '1',
  signature_version: '1',
}
const MOST_128 = (2n ** 128n - 1n).toString()

/** Changes of that order which can be signed. */
const ORDERS: Readonly<Record<string, Partial<OrderToSign>>> = {
  'the order of docs/signing.md': {},
  'a quantity without trailing zeros is another message': { quantity: '100' },
  'a sale until an instant': { side: 'SELL', time_in_force: 'GTD', expires_at: '2026-12-31T23:59:59Z' },
  'an instant with an empty fraction': { time_in_force: 'GTD', expires_at: '2026-12-31T23:59:59.000000Z' },
  'every flag set': { post_only: true, reduce_only: true, cancel_on_pause: true },
  'the greatest nonce': { order_nonce: (2n ** 256n - 1n).toString() },
  'the greatest decimals': { maximum_notional: MOST_128, quantity: '340282366920938463463.374607431768211455' },
  'zero and its scales': { maximum_fee: '0', limit_price: '0.000000000000000000' },
  'a signer in upper case is the same message': { signer: `0x${SIGNER.slice(2).toUpperCase()}` },
  'texts beyond ASCII': { outcome_id: 'out_ü ☂', client_order_id: '😀' },
}

/** Changes that cannot be signed. */
const UNSIGNABLE: Readonly<Record<string, Partial<OrderToSign>>> = {
  'an exponent': { limit_price: '5e-1' },
  'a sign': { quantity: '-1' },
  'a leading zero': { quantity: '01' },
  'nineteen fraction digits': { quantity: '0.0000000000000000001' },
  'a decimal of 2^128': { maximum_notional: (2n ** 128n).toString() },
  'a fraction of a second': { expires_at: '2026-12-31T23:59:59.5Z' },
  'an instant before 1970': { expires_at: '1960-01-01T00:00:00Z' },
  'a nonce of 2^256': { order_nonce: (2n ** 256n).toString() },
  'a nonce in hex': { order_nonce: '0x1' },
  'a signer of 19 bytes': { signer: SIGNER.slice(0, -2) },
}

type OrderInput = { readonly environment: string; readonly private_key: string; readonly order: OrderToSign }

function signOrder({ environment, private_key, order }: OrderInput) {
  return signed(ORDER_TYPE, orderMessage(order, keccakText), environment, private_key)
}

function signed(type: MessageType, message: TypedMessage, environment: string, private_key: string) {
  const { type_hash, struct_hash, domain_separator, digest } = typedSteps(
    type,
    message,
    rightDomain(type.name, environment),
  )
  const signature = secp256k1.sign(digest.slice(2), private_key.slice(2))
  const v = signature.recovery === 0 ? '1b' : '1c'
  return { message, type_hash, domain_separator, struct_hash, digest, signature: `0x${signature.toCompactHex()}${v}` }
}

const AUTHORIZATION: AuthorizationToSign = {
  owner: SIGNER,
  signer: addressOf(OTHER_KEY),
  account: 'acct_test',
  api_key_id: 'key_0123456789abcdef',
  scopes_hash: keccakText(scopesText(['orders:write', 'account:read', 'orders:write'])),
  environment: 'sandbox',
  issued_at: 1_790_000_000,
  expiry: 0,
  nonce: '7',
  authorization_version: '1',
}
const AUTHORIZATIONS: Readonly<Record<string, Partial<AuthorizationToSign>>> = {
  'until it is revoked': {},
  'until an instant': { expiry: 1_790_086_400 },
  'a fraction of a second cannot be signed': { issued_at: 1.5 },
  'a hash of 31 bytes cannot be signed': { scopes_hash: `0x${'ab'.repeat(31)}` },
}

function signAuthorization(input: { environment: string; private_key: string; authorization: AuthorizationToSign }) {
  const { environment, private_key, authorization } = input
  return signed(AUTHORIZATION_TYPE, authorizationMessage(authorization), environment, private_key)
}

/** Makes typed-data.json: messages with every hash, their signatures, and signatures that are refused. */
export function makeTypedData() {
  const base = { environment: 'sandbox', private_key: SIGNER_KEY }
  const orders = Object.entries({ ...ORDERS, ...UNSIGNABLE }).map(([name, change]) =>
    vectorCase(name, 'sign_order', { ...base, order: { ...ORDER, ...change } }, signOrder),
  )
  const elsewhere = { ...base, environment: 'production', order: ORDER }
  const authorizations = Object.entries(AUTHORIZATIONS).map(([name, change]) =>
    vectorCase(
      `authorization ${name}`,
      'sign_authorization',
      { ...base, authorization: { ...AUTHORIZATION, ...change } },
      signAuthorization,
    ),
  )
  const scopes = ['orders:write', 'account:read', 'orders:write']
  const hash = vectorCase('scopes in any order, each once', 'scopes_hash', { scopes }, (given) => ({
    text: scopesText(given.scopes),
    scopes_hash: keccakText(scopesText(given.scopes)),
  }))
  const about =
    'Orders and authorizations as typed data (EIP-712): message, hashes, signature; and signatures with the answer of a service.'
  const types = { SvcOrder: encodedType(ORDER_TYPE), SvcApiAuthorization: encodedType(AUTHORIZATION_TYPE) }
  const cases = [
    ...orders,
    vectorCase('another environment is another domain', 'sign_order', elsewhere, signOrder),
    ...authorizations,
    hash,
    ...verifyCases(),
  ]
  return vectorFile(about, cases, { signer: SIGNER, types })
}

const CURVE_ORDER = secp256k1.CURVE.n

/** Makes signatures of one order as a service judges them. */
function verifyCases(): readonly VectorCase[] {
  const { signature, digest } = signOrder({ environment: 'sandbox', private_key: SIGNER_KEY, order: ORDER })
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)]
  const upper_s = (CURVE_ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  const [zero, order] = ['0'.repeat(64), CURVE_ORDER.toString(16)]
  const by_other = signOrder({ environment: 'sandbox', private_key: OTHER_KEY, order: ORDER }).signature
  const elsewhere = signOrder({ environment: 'production', private_key: SIGNER_KEY, order: ORDER }).signature
  const invalid: Readonly<Record<string, string>> = {
    'v 0': `0x${r}${s}00`,
    'v 29': `0x${r}${s}1d`,
    'the upper s': `0x${r}${upper_s}${v === '1b' ? '1c' : '1b'}`,
    'r 0': `0x${zero}${s}${v}`,
    's 0': `0x${r}${zero}${v}`,
    'r of the order of the curve': `0x${order}${s}${v}`,
    '64 bytes': `0x${r}${s}`,
    '66 bytes': `0x${r}${s}${v}00`,
    'no 0x': `${r}${s}${v}`,
    'no hex': `0x${r}${s}zz`,
  }
  const verify = (name: string, order_signature: string, change: Partial<OrderToSign> = {}) => ({
    name,
    operation: 'verify_order',
    input: { environment: 'sandbox', order: { ...ORDER, ...change, signature_type: 'eoa', order_signature } },
  })
  const mismatch = (one: ReturnType<typeof verify>, its_digest: string) => {
    const recovered_signer = recoverAddress(its_digest, one.input.order.order_signature)
    return { ...one, error: { code: 'SIGNATURE_ORDER_MISMATCH', recovered_signer } }
  }
  const changed = { ...ORDER, quantity: '100.0' }
  const changed_digest = signOrder({ environment: 'sandbox', private_key: SIGNER_KEY, order: changed }).digest
  return [
    { ...verify('a valid signature', signature), expected: { signer: SIGNER, digest } },
    {
      ...verify('a valid signature in upper case', `0x${signature.slice(2).toUpperCase()}`),
      expected: { signer: SIGNER, digest },
    },
    ...Object.entries(invalid).map(([name, one]) => ({ ...verify(name, one), error: { code: 'SIGNATURE_INVALID' } })),
    mismatch(verify('another key', by_other), digest),
    mismatch(verify('signed for another environment', elsewhere), digest),
    mismatch(verify('a trailing zero was dropped', signature, { quantity: '100.0' }), changed_digest),
    {
      ...verify('another version', signature, { signature_version: '2' }),
      error: { code: 'SIGNATURE_TYPE_UNSUPPORTED' },
    },
  ]
}

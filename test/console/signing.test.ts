import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { signOrder } from '../../client/signing/sign-order.ts'
import { keySigner } from '../../console/trading/signing/key-signer.ts'
import { requestSignature } from '../../console/trading/signing/request-signature.ts'
import { newOrderNonce, signedOrder } from '../../console/trading/signing/signed-order.ts'
import { walletSigner } from '../../console/trading/signing/wallet-signer.ts'
import { refusalOf } from '../support/refusal.ts'
import { REQUEST_VECTORS } from '../support/trading/request-vectors.ts'

/** The page signs by code of its own; it must agree with the client, and with the vectors that server and Python agree on. */

const PRIVATE_KEY = `0x${'01'.repeat(32)}` as const
const OWNER = privateKeyToAccount(PRIVATE_KEY)
const TERMS = {
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
  client_order_id: 'c1',
  order_nonce: '1',
  maximum_fee: '0.10',
  maximum_notional: '52.00',
  settlement_asset_id: 'asset_usd',
} as const

const hmac_vectors = REQUEST_VECTORS.filter(
  ({ key, request }) => key.algorithm === 'hmac-sha256' && typeof (request.body ?? '') === 'string',
)

test.each(hmac_vectors)('$named: the signature of the vector', async ({ request, key, signature }) => {
  const [path = '', query = ''] = request.target.split('?')
  const { secret } = key as { secret: string }
  const { method, timestamp_ms, nonce } = request
  const parts = { method, path, query, body: String(request.body ?? ''), timestamp_ms: timestamp_ms!, nonce: nonce! }
  expect(await requestSignature(parts, { key_id: key.key_id, environment: key.environment, secret })).toBe(signature)
})

describe('an order', () => {
  test('has the body and the signature of the client, which is that of docs/signing.md', async () => {
    const mine = await signedOrder(TERMS, keySigner(PRIVATE_KEY), 'sandbox')
    const { limit_price, maximum_fee, ...rest } = await signOrder(TERMS, { kind: 'eoa', account: OWNER }, 'sandbox')
    expect(mine).toEqual({ limit_price, maximum_fee, ...rest })
    expect(mine.order_signature).toMatch(/^0x7842686d2a3c79.*d55e6f61c$/)
  })

  test('is signed alike by a wallet, which is given the domain without a chain and whole numbers as digits', async () => {
    const asked: string[] = []
    const wallet = await walletSigner({
      request: async ({ method, params }) => {
        if (method === 'eth_requestAccounts') return [OWNER.address]
        asked.push(String(params![1]))
        return OWNER.signTypedData(JSON.parse(asked.at(-1)!))
      },
    })
    const mine = await signedOrder(TERMS, wallet, 'sandbox')
    expect(mine.order_signature).toMatch(/^0x7842686d2a3c79.*d55e6f61c$/)
    const { domain, types, message } = JSON.parse(asked[0]!)
    expect(Object.keys(domain)).toEqual(['name', 'version', 'salt'])
    expect(types.EIP712Domain.map(({ name }: { name: string }) => name)).toEqual(['name', 'version', 'salt'])
    expect(message).toMatchObject({ quantity_integer: '10000', quantity_scale: 2, nonce: '1' })
  })

  test('has a nonce of its own, below 2^128', () => {
    const nonces = Array.from({ length: 100 }, newOrderNonce)
    expect(new Set(nonces).size).toBe(100)
    for (const nonce of nonces) expect(BigInt(nonce)).toBeLessThan(1n << 128n)
  })

  test('of what cannot be signed is refused before anybody is asked', async () => {
    const error = await refusalOf(signedOrder({ ...TERMS, limit_price: '-0.5' }, keySigner(PRIVATE_KEY), 'sandbox'))
    expect(error.code).toBe('VALIDATION_DECIMAL_INVALID')
  })
})

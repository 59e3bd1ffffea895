import { verifyTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { signAuthorization } from '../../../client/signing/sign-authorization.ts'
import { signOrder } from '../../../client/signing/sign-order.ts'
import { keccakText } from '../../../client/signing/typed-signer.ts'
import type { WantedOrder } from '../../../protocol/order/order-terms.ts'
import { authorizationMessage } from '../../../protocol/signing/authorization-message.ts'
import { AUTHORIZATION_TYPE, typedDomain } from '../../../protocol/signing/typed-data.ts'
import { refusal } from '../../support/refusal.ts'
import { VECTOR, VECTOR_ORDER } from '../../support/trading/signing-world.ts'

const signer = { kind: 'eoa', account: privateKeyToAccount(VECTOR.private_key) } as const
const { signer: _signer, signature_version: _version, ...vector } = VECTOR_ORDER

test('the decided vector', async () => {
  const body = await signOrder(vector, signer, VECTOR.environment)
  expect(body).toEqual({
    ...VECTOR_ORDER,
    signer: VECTOR.signer.toLowerCase(),
    order_type: 'limit',
    signature_type: 'eoa',
    order_signature: VECTOR.signature,
  })
})

test('what is left out is sent as its default, with a nonce of its own', async () => {
  const { account_id, market_id, outcome_id, side, limit_price, quantity, client_order_id } = vector
  const { maximum_fee, maximum_notional } = vector
  const caps = { maximum_fee, maximum_notional }
  const wanted: WantedOrder = {
    account_id,
    market_id,
    outcome_id,
    side,
    limit_price,
    quantity,
    client_order_id,
    ...caps,
  }
  const [one, two] = await Promise.all([signOrder(wanted, signer, 'sandbox'), signOrder(wanted, signer, 'sandbox')])
  expect(one).toMatchObject({
    time_in_force: 'GTC',
    expires_at: null,
    post_only: false,
    self_trade_prevention: 'cancel_taker',
  })
  expect(one.order_nonce).toMatch(/^\d{1,39}$/)
  expect(one.order_nonce).not.toBe(two.order_nonce)
})

test('a value that cannot be signed is named before anything is signed', async () => {
  const error = await signOrder({ ...vector, limit_price: '0.5e1' }, signer, 'sandbox').catch((thrown) => thrown)
  refusal('VALIDATION_DECIMAL_INVALID', () => {
    throw error
  })
})

test('an authorization names the owner twice where nobody else signs, and verifies as typed data', async () => {
  const wanted = { account_id: 'acct_test', key_id: 'key_0123456789abcdef', scopes: ['orders:write', 'account:read'] }
  const { authorization, authorization_signature } = await signAuthorization(wanted, signer, 'sandbox')
  expect(authorization).toMatchObject({
    owner: VECTOR.signer.toLowerCase(),
    signer: VECTOR.signer.toLowerCase(),
    expiry: 0,
  })
  expect(authorization.scopes_hash).toBe(keccakText('account:read orders:write'))
  const verified = await verifyTypedData({
    address: VECTOR.signer,
    domain: typedDomain('SvcApiAuthorization', 'sandbox', keccakText),
    types: { SvcApiAuthorization: AUTHORIZATION_TYPE.fields },
    primaryType: 'SvcApiAuthorization',
    message: authorizationMessage(authorization),
    signature: authorization_signature as `0x${string}`,
  })
  expect(verified).toBe(true)
})

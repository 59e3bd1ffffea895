import { expect, test } from 'vitest'
import { newEd25519Key } from '../../../client/signing/new-ed25519-key.ts'
import { type RequestKey, signRequest } from '../../../client/signing/sign-request.ts'
import { refusal } from '../../support/refusal.ts'
import { REQUEST_VECTORS } from '../../support/trading/request-vectors.ts'

test.each(REQUEST_VECTORS)('$named: the signature of the vector', ({ request, key, signature }) => {
  expect(signRequest(request, key)).toEqual({
    'SVC-Access-Key': key.key_id,
    'SVC-Access-Timestamp': String(request.timestamp_ms),
    'SVC-Access-Nonce': request.nonce,
    'SVC-Access-Signature': signature,
    'SVC-Access-Signature-Version': 'v1',
  })
})

test('each request gets a nonce and the present time', () => {
  const key: RequestKey = { key_id: 'key_1', environment: 'sandbox', algorithm: 'hmac-sha256', secret: 'ab'.repeat(32) }
  const before = Date.now()
  const [one, two] = [1, 2].map(() => signRequest({ method: 'GET', target: '/v1/balances' }, key)) as never as [
    ReturnType<typeof signRequest>,
    ReturnType<typeof signRequest>,
  ]
  expect(one['SVC-Access-Nonce']).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
  expect(one['SVC-Access-Nonce']).not.toBe(two['SVC-Access-Nonce'])
  expect(Number(one['SVC-Access-Timestamp'])).toBeGreaterThanOrEqual(before)
})

test('a secret that is none is named without being told', () => {
  const key: RequestKey = { key_id: 'key_1', environment: 'sandbox', algorithm: 'hmac-sha256', secret: 'hunter2' }
  const error = refusal('VALIDATION_USAGE_INVALID', () => signRequest({ method: 'GET', target: '/v1/balances' }, key))
  expect(JSON.stringify([error.message, error.facts])).not.toContain('hunter2')
})

test('a new pair signs', () => {
  const { private_key, public_key } = newEd25519Key()
  expect(public_key).toMatch(/^[0-9a-f]{64}$/)
  const key: RequestKey = { key_id: 'key_1', environment: 'sandbox', algorithm: 'ed25519', private_key }
  expect(signRequest({ method: 'GET', target: '/v1/balances' }, key)['SVC-Access-Signature']).toMatch(/^[0-9a-f]{128}$/)
})

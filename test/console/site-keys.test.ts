import { describe, expect, test } from 'vitest'
import { signRequest } from '../../client/signing/sign-request.ts'
import { keyFault, signedHeaders, type TypedKey } from '../../console/site/keys.ts'
import { filledBody } from '../../console/site/try-request.ts'

const KEY: TypedKey = {
  algorithm: 'hmac-sha256',
  key_id: 'key_example0000000000',
  secret: '5e'.repeat(32),
  environment: 'sandbox',
  account_id: 'acct_a',
  owner: '',
}

describe('keys of a form', () => {
  test.each(['hmac-sha256', 'ed25519'] as const)('%s: the page signs as the client does', async (algorithm) => {
    const { key_id, environment, secret } = KEY
    const request = { method: 'POST', target: '/v1/orders?limit=1&q=%C3%A9', body: '{"a":"é"}' }
    const headers = await signedHeaders(request, { ...KEY, algorithm })
    const when = {
      timestamp_ms: Number(headers['SVC-Access-Timestamp']),
      nonce: headers['SVC-Access-Nonce']!,
    }
    const key = algorithm === 'ed25519' ? { algorithm, private_key: secret } : { algorithm, secret }
    expect(headers).toEqual(signRequest({ ...request, ...when }, { ...key, key_id, environment }))
  })

  test.each([
    ['key_id', ''],
    ['secret', 'abc'],
    ['secret', `${'5e'.repeat(31)}zz`],
    ['environment', ''],
  ] as const)('a wrong %s is named before anything is sent', (field, value) => {
    expect(keyFault(KEY)).toBeNull()
    expect(keyFault({ ...KEY, [field]: value })).toMatch(/empty|64 hex digits/)
  })
})

test('values of the sender are filled into a body as they are, each id anew', () => {
  const ids = ['1', '2']
  const unique = () => ids.shift()!
  const text = '{"account_id":"$ACCOUNT_ID","client_order_id":"$UNIQUE","order_nonce":"$UNIQUE","at":"$ENVIRONMENT"}'
  const key = { account_id: 'acct_$&', key_id: 'k', environment: 'sandbox' }
  expect(JSON.parse(filledBody(text, key, unique))).toEqual({
    account_id: 'acct_$&',
    client_order_id: '1',
    order_nonce: '2',
    at: 'sandbox',
  })
})

import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signAuthorization } from '../../../client/signing/sign-authorization.ts'
import { ORDER_TYPE } from '../../../protocol/order/order-terms.ts'
import { createSignatureVerifier, type SignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { checkSignatures } from '../../support/trading/check-signatures.ts'
import { CHANGES } from '../../support/trading/signature-cases.ts'
import { highTwin, VECTOR, VECTOR_ORDER } from '../../support/trading/signing-world.ts'

const signer = VECTOR.signer.toLowerCase()
const vector = { order: VECTOR_ORDER, signature_type: 'eoa', signature: VECTOR.signature } as const

describe.each(['native', 'viem'] as const)('%s recovery', (recovery) => {
  let verifier: SignatureVerifier
  beforeAll(async () => {
    verifier = await createSignatureVerifier({ environment: 'sandbox', recovery, threads: 2 })
  })
  afterAll(() => verifier.close())

  test('the decided vector', async () => {
    expect(await verifier.verifyOrder(vector)).toEqual({
      digest: VECTOR.digest,
      signer,
      verdict: null,
      contract_call: null,
    })
  })

  test('the high twin of a signature recovers the same signer and is refused', async () => {
    const { verdict } = await verifier.verifyOrder({ ...vector, signature: highTwin(VECTOR.signature) })
    expect(verdict?.code).toBe('SIGNATURE_INVALID')
    expect(verdict?.message).toContain('upper half of the curve order')
  })

  test.each(CHANGES.map((change, n) => [n, change] as const))('change %i of a signed field', async (_n, change) => {
    const { verdict } = await verifier.verifyOrder({ ...vector, order: { ...VECTOR_ORDER, ...change(VECTOR_ORDER) } })
    expect(verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
  })

  test('random signatures, valid and changed, are judged as viem judges them', async () => {
    const report = await checkSignatures(verifier, SEED, recovery === 'native' ? sized(200, 1_000) : sized(60, 200))
    expect(report.violations).toEqual([])
    expect(report.accepted).toBeGreaterThan(0)
  })

  test('an authorization of another key, account or set of scopes says nothing about this one', async () => {
    const owner = privateKeyToAccount(VECTOR.private_key)
    const key = { account_id: 'acct_test', key_id: 'key_0123456789abcdef', scopes: ['orders:write', 'orders:read'] }
    const signed = await signAuthorization(key, { kind: 'eoa', account: owner }, 'sandbox')
    const { authorization, signature_type } = signed
    const request = { authorization, signature_type, signature: signed.authorization_signature, key }
    expect((await verifier.verifyAuthorization(request)).verdict).toBeNull()
    const reordered = { ...key, scopes: ['orders:read', 'orders:write', 'orders:read'] }
    expect((await verifier.verifyAuthorization({ ...request, key: reordered })).verdict).toBeNull()
    for (const other of [{ account_id: 'acct_2' }, { key_id: 'key_2' }, { scopes: ['orders:write', 'keys:write'] }]) {
      const { verdict } = await verifier.verifyAuthorization({ ...request, key: { ...key, ...other } })
      expect(verdict?.code).toBe('SIGNATURE_AUTHORIZATION_MISMATCH')
    }
    const elsewhere = { ...authorization, environment: 'production' }
    const { verdict } = await verifier.verifyAuthorization({ ...request, authorization: elsewhere })
    expect(verdict?.facts?.first_differing_field).toBe('environment')
  })
})

describe('a refusal explains itself', () => {
  let verifier: SignatureVerifier
  beforeAll(async () => {
    verifier = await createSignatureVerifier({ environment: 'sandbox', recovery: 'viem' })
  })
  afterAll(() => verifier.close())
  const changed = { ...vector, order: { ...VECTOR_ORDER, limit_price: '0.53', quantity: '90.00' } }
  const message = {
    account: 'acct_test',
    signer: VECTOR.signer,
    market: 'mkt_test',
    outcome: 'out_yes',
    side: 'BUY',
    limit_price_integer: '52',
    limit_price_scale: 2,
    quantity_integer: '10000',
    quantity_scale: 2,
  }

  test('by digest, domain separator, expected and recovered signer', async () => {
    const { digest, verdict } = await verifier.verifyOrder(changed)
    expect(verdict?.facts).toEqual({
      digest,
      domain_separator: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      expected_signer: signer,
      recovered_signer: expect.stringMatching(/^0x[0-9a-f]{40}$/),
    })
    expect(verdict?.facts?.recovered_signer).not.toBe(signer)
  })

  test('with the echo of what was signed, by the first field that differs', async () => {
    const { verdict } = await verifier.verifyOrder({ ...changed, signed_message: message })
    expect(verdict?.facts).toMatchObject({
      first_differing_field: 'limit_price_integer',
      expected_value: '53',
      signed_value: '52',
    })
    expect(verdict?.message).toContain('signed_message has limit_price_integer "52", the body means "53"')
  })

  test('a field that the echo lacks differs; an echo never makes a signature good', async () => {
    const { verdict } = await verifier.verifyOrder({ ...vector, order: VECTOR_ORDER, signed_message: {} })
    expect(verdict).toBeNull()
    const lacking = { ...message, limit_price_integer: '53', quantity_integer: '9000' }
    const { verdict: refused } = await verifier.verifyOrder({ ...changed, signed_message: lacking })
    expect(refused?.facts).toMatchObject({ first_differing_field: 'time_in_force', signed_value: 'missing' })
  })

  test('a signature for another environment has another signer', async () => {
    const other = await createSignatureVerifier({ environment: 'production', recovery: 'viem' })
    const { verdict, digest } = await other.verifyOrder(vector)
    expect(verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
    expect(digest).not.toBe(VECTOR.digest)
  })

  test.each(['erc1271', 'erc1271_erc7739'] as const)('%s is not supported without a chain', async (signature_type) => {
    const { verdict } = await verifier.verifyOrder({ ...vector, signature_type })
    expect(verdict?.code).toBe('SIGNATURE_TYPE_UNSUPPORTED')
    expect(verdict?.facts).toMatchObject({ digest: VECTOR.digest, expected_signer: signer })
  })

  test('another version of the message is not supported', async () => {
    const order = { ...VECTOR_ORDER, signature_version: '2' }
    const { verdict } = await verifier.verifyOrder({ ...vector, order })
    expect(verdict?.code).toBe('SIGNATURE_TYPE_UNSUPPORTED')
  })

  test('every field of the type is compared', () => {
    expect(ORDER_TYPE.fields).toHaveLength(23)
  })
})

import { createHmac, hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AuthKey } from '../../../trading/auth/auth-key.ts'
import { createAuthenticator } from '../../../trading/auth/authenticate.ts'
import { createCheckSignature } from '../../../trading/auth/request-signature.ts'
import { keyEncryptionKey, newKeyEncryptionKey, sealSecret, unsealSecret } from '../../../trading/auth/seal-secret.ts'
import { REQUEST_VECTORS, VECTOR_KEYS } from '../../support/trading/request-vectors.ts'
import { memoryNonces } from './support/memory-nonces.ts'

const sealing = keyEncryptionKey(newKeyEncryptionKey(), 'test')

function storedKey(key_id: string): AuthKey | null {
  const key = VECTOR_KEYS.get(key_id)
  if (key === undefined) return null
  const material =
    key.algorithm === 'ed25519' ? key.public_key! : sealSecret(sealing, key_id, Buffer.from(key.secret, 'hex'))
  return {
    key_id,
    account_id: 'acct_test',
    environment: key.environment,
    algorithm: key.algorithm,
    scopes: [],
    ip_allowlist: [],
    material,
    previous_material: null,
    previous_until: null,
    expires_at: null,
    revoked_at: null,
    limit_tier: 'standard',
  }
}

test.each(REQUEST_VECTORS)('$named: the service takes the signature of the vector', async (vector) => {
  const { request, key, signature } = vector
  const authenticate = createAuthenticator({
    keys: { find: async (key_id) => storedKey(key_id) },
    nonces: memoryNonces(),
    environment: key.environment,
    sealing,
    now: () => request.timestamp_ms * 1000,
  })
  const [path, query = ''] = request.target.split('?') as [string, string?]
  const headers = {
    key_id: key.key_id,
    timestamp: String(request.timestamp_ms),
    nonce: request.nonce,
    signature,
    signature_version: 'v1',
  }
  const body_sha256 = hash('sha256', request.body ?? '', 'hex')
  const parts = { method: request.method, path, query, body_sha256, headers, ip: '127.0.0.1' }
  const needs = { scopes: [] }
  expect((await authenticate(parts, needs)).account_id).toBe('acct_test')
  const elsewhere = createAuthenticator({
    keys: { find: async (key_id) => storedKey(key_id) },
    nonces: memoryNonces(),
    environment: 'elsewhere',
    sealing,
    now: () => request.timestamp_ms * 1000,
  })
  await expect(elsewhere(parts, needs)).rejects.toMatchObject({ code: 'AUTH_ENVIRONMENT_MISMATCH' })
})

describe('the same work for every key that does not fit', () => {
  const hmac = storedKey('key_vector_hmac_0001')!
  const ed25519 = storedKey('key_vector_ed25519_01')!
  const former = { ...hmac, previous_material: hmac.material, previous_until: 1 }

  /** Returns how often a secret was opened to reject a wrong signature. */
  function unsealed(key: AuthKey | null, signature: string): number {
    let count = 0
    const check = createCheckSignature(
      (key_id, material) => {
        count += 1
        return unsealSecret(sealing, key_id, material)
      },
      (key_id, secret) => sealSecret(sealing, key_id, secret),
    )
    expect(check(key, 'text', signature, 0)).toBe(false)
    return count
  }

  test.each([
    ['an unknown key', null],
    ['a key', hmac],
    ['a key with a former secret', former],
    ['a key of the other algorithm', ed25519],
  ])('%s', (_what, key) => {
    expect(unsealed(key, '00'.repeat(32))).toBe(2)
    expect(unsealed(key, '00'.repeat(64))).toBe(0) // two checks of Ed25519 take its place
    expect(unsealed(key, 'no signature')).toBe(0)
  })

  test('whoever knew the secret that stands in for those of unknown keys would still be nobody', () => {
    const stand_in = Buffer.alloc(32, 7)
    const check = createCheckSignature(
      () => stand_in,
      () => '',
    )
    const signature = createHmac('sha256', stand_in).update('text').digest('hex')
    expect(check(hmac, 'text', signature, 0)).toBe(true)
    expect(check(null, 'text', signature, 0)).toBe(false)
    expect(check(ed25519, 'text', signature, 0)).toBe(false)
  })

  test('a public key that is no point of the curve signs nothing', () => {
    expect(unsealed({ ...ed25519, material: 'ff'.repeat(32) }, '00'.repeat(64))).toBe(0)
  })
})

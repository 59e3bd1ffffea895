import { hash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { newEd25519Key } from '../../../client/signing/new-ed25519-key.ts'
import { type RequestKey, signRequest } from '../../../client/signing/sign-request.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { AccessHeaders } from '../../../protocol/signing/access-headers.ts'
import type { AuthKey } from '../../../trading/auth/auth-key.ts'
import { type Authenticate, createAuthenticator, type RouteNeeds } from '../../../trading/auth/authenticate.ts'
import { newKeyMaterial } from '../../../trading/auth/new-key-material.ts'
import type { NonceStore } from '../../../trading/auth/nonces.ts'
import type { RequestParts } from '../../../trading/auth/request-parts.ts'
import { keyEncryptionKey, newKeyEncryptionKey, sealSecret } from '../../../trading/auth/seal-secret.ts'
import { memoryNonces } from './support/memory-nonces.ts'

const NOW_MS = 1_790_000_000_000
const READ: RouteNeeds = { scopes: ['orders:read'] }
const WRITE: RouteNeeds = { scopes: ['orders:write'] }
const sealing = keyEncryptionKey(newKeyEncryptionKey(), 'test')

let now_ms = NOW_MS
let keys: Map<string, AuthKey>
let nonces: NonceStore
let authenticate: Authenticate
beforeEach(() => {
  now_ms = NOW_MS
  keys = new Map()
  nonces = memoryNonces()
  authenticate = started()
  now_ms += 60_000 // so that a timestamp in the past is not one before the start
})

const now = (): Micros => now_ms * 1000
const started = (of_service = sealing) =>
  createAuthenticator({
    keys: { find: async (key_id) => keys.get(key_id) ?? null },
    nonces,
    environment: 'sandbox',
    sealing: of_service,
    now,
  })

const ALGORITHMS = ['hmac-sha256', 'ed25519'] as const

/** A key in the store, and as its owner has it. */
function addKey(
  algorithm: (typeof ALGORITHMS)[number],
  change: Partial<AuthKey> = {},
): RequestKey & { key_id: string } {
  const key_id = `key_${keys.size}_0123456789abcdef`
  const pair = newEd25519Key()
  const public_key = algorithm === 'ed25519' ? pair.public_key : null
  const { material, secret } = newKeyMaterial({ key_id, algorithm, public_key }, sealing)
  const stored: AuthKey = {
    key_id,
    account_id: 'acct_test',
    environment: 'sandbox',
    algorithm,
    scopes: ['orders:read', 'orders:write'],
    ip_allowlist: [],
    material,
    previous_material: null,
    previous_until: null,
    expires_at: null,
    revoked_at: null,
    limit_tier: 'standard',
    ...change,
  }
  keys.set(key_id, stored)
  const { environment } = stored
  return algorithm === 'ed25519'
    ? { key_id, environment, algorithm, private_key: pair.private_key }
    : { key_id, environment, algorithm, secret: secret! }
}

const BODY = '{"quantity":"100.00"}'

/** A signed request as a server sees it. */
function request(key: RequestKey, change: Partial<RequestParts> = {}, nonce?: string, at_ms = now_ms): RequestParts {
  const target = '/v1/orders?status=open&limit=10'
  const headers = signRequest(
    { method: 'POST', target, body: BODY, timestamp_ms: at_ms, ...(nonce === undefined ? {} : { nonce }) },
    key,
  )
  return {
    method: 'POST',
    path: '/v1/orders',
    query: 'status=open&limit=10',
    body_sha256: hash('sha256', BODY, 'hex'),
    headers: {
      key_id: headers['SVC-Access-Key'],
      timestamp: headers['SVC-Access-Timestamp'],
      nonce: headers['SVC-Access-Nonce'],
      signature: headers['SVC-Access-Signature'],
      signature_version: headers['SVC-Access-Signature-Version'],
    },
    ip: '203.0.113.9',
    ...change,
  }
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  )

describe.each(ALGORITHMS)('%s', (algorithm) => {
  test('a signed request is the key’s', async () => {
    const key = addKey(algorithm)
    const caller = await authenticate(request(key, {}, 'nonce_0001'), WRITE)
    expect(caller).toEqual({
      key_id: key.key_id,
      account_id: 'acct_test',
      limit_tier: 'standard',
      scopes: ['orders:read', 'orders:write'],
      nonce: 'nonce_0001',
      ip: '203.0.113.9',
    })
  })

  test.each<[string, Partial<RequestParts>]>([
    ['method', { method: 'PUT' }],
    ['path', { path: '/v1/orders/preview' }],
    ['query', { query: 'status=open&limit=11' }],
    ['query without a pair', { query: 'status=open' }],
    ['body', { body_sha256: hash('sha256', `${BODY} `, 'hex') }],
  ])('another %s is another request', async (_what, change) => {
    const key = addKey(algorithm)
    expect(await codeOf(authenticate(request(key, change), WRITE))).toBe('AUTH_CREDENTIALS_INVALID')
  })

  test.each<[string, Partial<RequestParts>]>([
    ['the order of the query', { query: 'limit=10&status=open' }],
    ['how it is escaped', { query: 'limit=1%30&stat%75s=open' }],
    ['an escaped letter of the path', { path: '/v1/%6frders' }],
    ['the case of the method', { method: 'post' }],
  ])('%s does not matter', async (_what, change) => {
    const key = addKey(algorithm)
    expect(await codeOf(authenticate(request(key, change), WRITE))).toBe('accepted')
  })

  test.each<[string, Partial<AccessHeaders>]>([
    ['timestamp', { timestamp: String(NOW_MS + 60_001) }],
    ['nonce', { nonce: 'another_nonce' }],
    ['signature', { signature: '0'.repeat(64) }],
    ['signature of 64 bytes', { signature: '0'.repeat(128) }],
    ['signature in upper case', { signature: 'A'.repeat(64) }],
    ['signature that is none', { signature: 'hello' }],
    ['key', { key_id: 'key_unknown_0123456789' }],
  ])('another %s', async (_what, change) => {
    const good = request(addKey(algorithm))
    const headers = { ...good.headers, ...change }
    expect(await codeOf(authenticate({ ...good, headers }, WRITE))).toBe('AUTH_CREDENTIALS_INVALID')
  })

  test('another key’s signature', async () => {
    const [mine, other] = [addKey(algorithm), addKey(algorithm)]
    const good = request(mine)
    const headers = { ...good.headers, key_id: other.key_id }
    expect(await codeOf(authenticate({ ...good, headers }, WRITE))).toBe('AUTH_CREDENTIALS_INVALID')
  })

  test('unknown, revoked and expired keys and wrong signatures are answered alike', async () => {
    const refused: RequestParts[] = [
      request({ ...addKey(algorithm), key_id: 'key_unknown_0123456789' }),
      request(addKey(algorithm, { revoked_at: now() - 1 })),
      request(addKey(algorithm, { expires_at: now() })),
      request(addKey(algorithm), { method: 'PUT' }),
    ]
    const answers = await Promise.all(refused.map((one) => authenticate(one, WRITE).catch((error: Error) => error)))
    expect(new Set(answers.map((error) => JSON.stringify([error, (error as Error).message]))).size).toBe(1)
    expect(await codeOf(authenticate(request(addKey(algorithm, { expires_at: now() + 1 })), WRITE))).toBe('accepted')
  })

  test('after a rotation the former secret works until the overlap ends', async () => {
    const former = addKey(algorithm)
    const latter = addKey(algorithm)
    const key = { ...keys.get(former.key_id)!, ...materials(former, latter), previous_until: now() + 1000 }
    keys.set(former.key_id, key)
    const rotated = { ...latter, key_id: former.key_id } as RequestKey
    expect(await codeOf(authenticate(request(former), WRITE))).toBe('accepted')
    expect(await codeOf(authenticate(request(rotated), WRITE))).toBe('accepted')
    now_ms += 1
    expect(await codeOf(authenticate(request(former), WRITE))).toBe('AUTH_CREDENTIALS_INVALID')
    expect(await codeOf(authenticate(request(rotated), WRITE))).toBe('accepted')
  })

  /** Stored material of `former` after it received the secret of `latter`. */
  function materials(former: RequestKey, latter: RequestKey): Pick<AuthKey, 'material' | 'previous_material'> {
    const previous_material = keys.get(former.key_id)!.material
    if (latter.algorithm === 'ed25519') return { material: keys.get(latter.key_id)!.material, previous_material }
    return { material: resealed(former.key_id, latter.secret), previous_material }
  }
})

const resealed = (key_id: string, secret: string) => sealSecret(sealing, key_id, Buffer.from(secret, 'hex'))

test('the algorithm belongs to the key: a signature of the other one is wrong', async () => {
  const ed25519 = addKey('ed25519')
  const public_key = keys.get(ed25519.key_id)!.material
  // The public key is no secret: whoever signs with it as an HMAC secret is nobody.
  const forged: RequestKey = { ...ed25519, algorithm: 'hmac-sha256', secret: public_key }
  expect(await codeOf(authenticate(request(forged), WRITE))).toBe('AUTH_CREDENTIALS_INVALID')
})

test('a service that has not the key of its secrets is unavailable: the request is right, and may be sent again', async () => {
  const key = addKey('hmac-sha256')
  const other = started(keyEncryptionKey(newKeyEncryptionKey(), 'test'))
  expect(await codeOf(other(request(key), WRITE))).toBe('SERVICE_UNAVAILABLE')
})

describe('what a good signature may still not do, in this order', () => {
  const hmac = (change: Partial<AuthKey>) => addKey('hmac-sha256', change)

  test('environment before address before scope before time', async () => {
    const wrong: Partial<AuthKey> = {
      environment: 'production',
      ip_allowlist: ['10.0.0.0/8'],
      scopes: ['account:read'],
    }
    const old_ms = now_ms - 30_001
    const code = (change: Partial<AuthKey>) => codeOf(authenticate(request(hmac(change), {}, undefined, old_ms), WRITE))
    expect(await code(wrong)).toBe('AUTH_ENVIRONMENT_MISMATCH')
    expect(await code({ ...wrong, environment: 'sandbox' })).toBe('AUTH_IP_NOT_ALLOWED')
    expect(await code({ scopes: ['account:read'] })).toBe('AUTH_SCOPE_INSUFFICIENT')
    expect(await code({})).toBe('AUTH_TIMESTAMP_OUT_OF_WINDOW')
  })

  test('one of the scopes that a route names is enough', async () => {
    const needs: RouteNeeds = { scopes: ['account:read', 'orders:read'] }
    expect(await codeOf(authenticate(request(hmac({ scopes: ['orders:read'] })), needs))).toBe('accepted')
    expect(await codeOf(authenticate(request(hmac({ scopes: [] })), needs))).toBe('AUTH_SCOPE_INSUFFICIENT')
    expect(await codeOf(authenticate(request(hmac({ scopes: [] })), { scopes: [] }))).toBe('accepted')
  })

  test.each([
    [-30_001, 'AUTH_TIMESTAMP_OUT_OF_WINDOW'],
    [-30_000, 'accepted'],
    [0, 'accepted'],
    [5_000, 'accepted'],
    [5_001, 'AUTH_TIMESTAMP_OUT_OF_WINDOW'],
  ])('a timestamp %i ms from now: %s', async (offset_ms, code) => {
    expect(await codeOf(authenticate(request(hmac({}), {}, undefined, now_ms + offset_ms), WRITE))).toBe(code)
  })

  test('the refusal of a timestamp tells the time here', async () => {
    const old = request(hmac({}), {}, undefined, now_ms - 60_000)
    await expect(authenticate(old, WRITE)).rejects.toMatchObject({ facts: { server_time_ms: String(now_ms) } })
  })
})

describe('replays', () => {
  test('are refused, whatever the nonce was used for', async () => {
    const key = addKey('hmac-sha256')
    const again = request(key)
    expect(await codeOf(authenticate(again, READ))).toBe('accepted')
    for (const needs of [READ, WRITE])
      for (const used of [again, request(key, {}, again.headers.nonce!, now_ms - 1)])
        expect(await codeOf(authenticate(used, needs))).toBe('REPLAY_REQUEST_NONCE_REUSED')
    expect(await codeOf(authenticate(request(addKey('hmac-sha256'), {}, again.headers.nonce!), READ))).toBe('accepted')
  })

  test('are refused by every process, also by one that starts afterwards', async () => {
    const [read, write] = [request(addKey('hmac-sha256')), request(addKey('hmac-sha256'))]
    const other = started()
    expect([await codeOf(authenticate(read, READ)), await codeOf(other(write, WRITE))]).toEqual([
      'accepted',
      'accepted',
    ])
    now_ms += 10
    for (const one of [authenticate, other, started()]) {
      expect(await codeOf(one(read, READ))).toBe('REPLAY_REQUEST_NONCE_REUSED')
      expect(await codeOf(one(write, WRITE))).toBe('REPLAY_REQUEST_NONCE_REUSED')
    }
    expect(await codeOf(started()(request(addKey('hmac-sha256'), {}, undefined, now_ms - 5), READ))).toBe('accepted')
  })

  test('at the same time only one is accepted', async () => {
    const again = request(addKey('hmac-sha256'))
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(authenticate(again, READ))))
    expect(codes.filter((code) => code === 'accepted')).toHaveLength(1)
  })

  test('a refused read uses up nothing', async () => {
    const key = addKey('hmac-sha256', { scopes: ['account:read'] })
    const again = request(key)
    expect(await codeOf(authenticate(again, READ))).toBe('AUTH_SCOPE_INSUFFICIENT')
    expect(await codeOf(authenticate(again, { scopes: ['account:read'] }))).toBe('accepted')
  })

  test('signed before the store knew every nonce are refused', async () => {
    const key = addKey('hmac-sha256')
    const before = request(key)
    now_ms += 10
    nonces = memoryNonces()
    const emptied = started()
    for (const needs of [READ, WRITE]) expect(await codeOf(emptied(before, needs))).toMatch(/^AUTH_TIMESTAMP|^REPLAY/)
    expect(await codeOf(emptied(request(key), READ))).toBe('accepted')
  })
})

test('a store that is not there yet is opened once it is, so that the first request is not refused', async () => {
  const store = nonces
  let tries = 0
  const open = async (at: Micros) => {
    tries += 1
    if (tries < 2) throw new Error('no tables yet')
    await store.open(at)
  }
  nonces = { ...store, open }
  authenticate = started()
  await expect.poll(() => tries).toBe(2)
  now_ms += 1
  const first = request(addKey('hmac-sha256'))
  now_ms += 50
  expect(await codeOf(authenticate(first, WRITE))).toBe('accepted')
})

describe('headers', () => {
  test.each<[string, Partial<AccessHeaders>, string]>([
    ['no key', { key_id: null }, 'AUTH_CREDENTIALS_INVALID'],
    ['no signature', { signature: null }, 'AUTH_CREDENTIALS_INVALID'],
    ['an empty nonce', { nonce: '' }, 'AUTH_CREDENTIALS_INVALID'],
    ['a short nonce', { nonce: 'short' }, 'VALIDATION_REQUEST_MALFORMED'],
    ['a nonce with a line end', { nonce: 'nonce_01\nkey_id:x' }, 'VALIDATION_REQUEST_MALFORMED'],
    ['a time with a fraction', { timestamp: '1.5' }, 'VALIDATION_REQUEST_MALFORMED'],
    ['another version', { signature_version: 'v2' }, 'VALIDATION_REQUEST_MALFORMED'],
  ])('%s', async (_what, change, code) => {
    const good = request(addKey('hmac-sha256'))
    expect(await codeOf(authenticate({ ...good, headers: { ...good.headers, ...change } }, WRITE))).toBe(code)
  })

  test.each(['key_', `key_${'x'.repeat(65)}`, 'key_\n', 'acct_test', 'x'.repeat(10_000)])(
    'an id that no key has is not looked up: %j',
    async (key_id) => {
      const good = request(addKey('hmac-sha256'))
      const asked: string[] = []
      const find = async (id: string) => {
        asked.push(id)
        return null
      }
      const strict = createAuthenticator({ keys: { find }, nonces, environment: 'sandbox', sealing, now })
      const unknown = { ...good, headers: { ...good.headers, key_id } }
      expect(await codeOf(strict(unknown, WRITE))).toBe('AUTH_CREDENTIALS_INVALID')
      expect(asked).toEqual([])
      await codeOf(strict(good, WRITE))
      expect(asked).toEqual([good.headers.key_id])
    },
  )

  test('an escape in the address that is no UTF-8', async () => {
    const bad = request(addKey('hmac-sha256'), { path: '/v1/%ff' })
    expect(await codeOf(authenticate(bad, WRITE))).toBe('VALIDATION_REQUEST_MALFORMED')
  })
})

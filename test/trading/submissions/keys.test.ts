import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { formatMicros } from '../../../primitives/instants.ts'
import { API_KEYS } from '../../../protocol/limits.ts'
import { ApiKey, IssuedApiKey } from '../../../protocol/resources/api-key.ts'
import type { CreateKey, KeyAuthorization } from '../../../trading/engine/submission.ts'
import { keyStatus } from '../../../trading/projections/api-key.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

const NOW_S = 1_700_000_000
const KEY_ID = 'key_0123456789abcdef'

function world() {
  const engine = new MemoryEngine()
  const maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b']))
  const owner = engine.state.accounts.get('acct_a')!.owner_address!
  const create = (authorization: Partial<KeyAuthorization> = {}, key_id = KEY_ID): CreateKey => ({
    kind: 'create_key',
    identity: maker.place('acct_a').identity,
    key: {
      key_id,
      account_id: 'acct_a',
      environment: 'test',
      label: 'bot',
      algorithm: 'hmac-sha256',
      scopes: ['orders:write'],
      ip_allowlist: [],
      material: 'sealed',
      expires_at: null,
    },
    authorization: {
      owner,
      signer: `0x${'7'.repeat(40)}`,
      account: 'acct_a',
      api_key_id: key_id,
      scopes_hash: `0x${'0'.repeat(64)}`,
      environment: 'test',
      issued_at: NOW_S,
      expiry: 0,
      nonce: '100',
      authorization_version: '1',
      signature_type: 'eoa',
      signature: '0x',
      ...authorization,
    },
    verdict: null,
    secret: 'once',
  })
  return { engine, maker, create }
}

test('a key is made with its secret shown once, and its signer may sign', () => {
  const { engine, maker, create } = world()
  const asked = create()
  const { data, status, location } = engine.ask(asked)
  expect([status, location]).toEqual([201, `/v1/account/api-keys/${KEY_ID}`])
  expect(Value.Errors(IssuedApiKey, data)).toEqual([])
  expect(data).toMatchObject({ secret: 'once', secret_already_returned: false, status: 'active', secret_version: 1 })
  const again = engine.ask({ ...asked, identity: { ...asked.identity, nonce: 'nonce_again' } })
  expect(again).toMatchObject({ status: 201, replayed: true, data: { secret: null, secret_already_returned: true } })
  expect(JSON.stringify([engine.rows('idempotent_answer'), engine.rows('engine_event')])).not.toContain('once')
  const placing = maker.place('acct_a')
  const signature = { ...placing.order.signature, signer: `0x${'7'.repeat(40)}` }
  expect(engine.ask({ ...placing, order: { ...placing.order, signature } }).status).toBe(201)
  expect(engine.rows('api_key_audit').at(-1)).toMatchObject({ key_id: KEY_ID, action: 'created', outcome: 'done' })
})

test('orders are signed by the owner, or through any active key whose scopes include orders:write, while its authorization is in force', () => {
  const { engine, maker, create } = world()
  const [reader, writer, short] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`) as [string, string, string]
  const add = (key_id: string, scopes: readonly string[], authorization: Partial<KeyAuthorization>) => {
    const asked = create(authorization, key_id)
    expect(engine.ask({ ...asked, key: { ...asked.key, scopes } }).status).toBe(201)
  }
  add('key_reads000000000000', ['market_data:read', 'orders:read'], { signer: reader, nonce: '101' })
  add('key_writes00000000000', ['orders:write'], { signer: writer, nonce: '102' })
  add('key_short000000000000', ['orders:write'], { signer: short, nonce: '103', expiry: NOW_S + 12 })
  const places = (signer: string) => {
    const { order, ...placing } = maker.place('acct_a')
    const { error } = engine.ask({ ...placing, order: { ...order, signature: { ...order.signature, signer } } })
    return error?.code ?? 'placed'
  }
  const owner = engine.state.accounts.get('acct_a')!.owner_address!
  expect([owner, reader, writer, short].map(places)).toEqual(['placed', UNAUTHORIZED, 'placed', 'placed'])
  engine.now += 30_000_000
  expect([writer, short].map(places)).toEqual(['placed', UNAUTHORIZED])
  for (const key_id of ['key_writes00000000000', 'key_acct_a']) {
    engine.ask(maker.operate({ kind: 'revoke_key', key_id, reason: 'test' }))
  }
  expect([owner, writer].map(places)).toEqual(['placed', UNAUTHORIZED])
})
const UNAUTHORIZED = 'SIGNATURE_SIGNER_UNAUTHORIZED'

test.each([
  [{ account: 'acct_b' }, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
  [{ api_key_id: 'key_other' }, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
  [{ environment: 'production' }, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
  [{ owner: `0x${'8'.repeat(40)}` }, 'SIGNATURE_SIGNER_UNAUTHORIZED'],
  [{ expiry: NOW_S }, 'SIGNATURE_AUTHORIZATION_EXPIRED'],
  [{ issued_at: NOW_S + 3_600 }, 'SIGNATURE_AUTHORIZATION_EXPIRED'],
  [{ issued_at: NOW_S - 610 }, 'SIGNATURE_AUTHORIZATION_EXPIRED'],
  [{ issued_at: 0 }, 'SIGNATURE_AUTHORIZATION_EXPIRED'],
  [{ nonce: '1' }, 'REPLAY_AUTHORIZATION_NONCE_REUSED'],
] as const)('an authorization with %j is refused: %s', (change, code) => {
  const { engine, create } = world()
  expect(engine.ask(create(change)).error?.code).toBe(code)
  expect(engine.rows('api_key')).toHaveLength(2)
})

test('a key ends when was asked or when its authorization does, whichever is earlier, and shows it', () => {
  const { engine, create } = world()
  const [early, late] = [NOW_S + 100, NOW_S + 200]
  const ends = (expires_s: number | null, expiry: number, n: number) => {
    const asked = create({ expiry, nonce: `${200 + n}` }, `key_ends0000000000${n}`)
    const key = { ...asked.key, expires_at: expires_s === null ? null : expires_s * 1_000_000 }
    return engine.ask<ApiKey>({ ...asked, key }).data.expires_at
  }
  const given = [
    [null, 0],
    [early, 0],
    [null, early],
    [early, late],
    [late, early],
  ] as const
  const at = (seconds: number) => formatMicros(seconds * 1_000_000)
  expect(given.map(([asked, expiry], n) => ends(asked, expiry, n))).toEqual([null, ...Array(4).fill(at(early))])
  engine.now = early * 1_000_000
  engine.submit()
  expect([...engine.rebuilt().keys.values()].filter((key) => keyStatus(key, engine.now) === 'expired')).toHaveLength(4)
})

test('a key that has ended already is not issued, by owner or operator', () => {
  const { engine, maker, create } = world()
  const { key, authorization, ...asked } = create()
  const ended = { ...key, expires_at: NOW_S * 1_000_000 }
  const refused = { code: 'VALIDATION_BODY_INVALID', facts: { field: 'expires_at' } }
  expect(engine.ask({ ...asked, key: ended, authorization }).error).toMatchObject(refused)
  const act = maker.operate({ kind: 'add_key', key: ended, authorization })
  expect(engine.ask(act).error).toMatchObject({ ...refused, code: 'VALIDATION_USAGE_INVALID' })
  expect(engine.rows('api_key')).toHaveLength(2)
})

test('a key id is taken once', () => {
  const { engine, create } = world()
  expect(engine.ask(create({}, 'key_acct_b')).error?.code).toBe('API_KEY_ID_TAKEN')
})

describe('the number of keys of an account', () => {
  const numbered = (n: number) => `key_${String(n).padStart(16, '0')}`

  test('is limited while they are active; a revoked key makes room, and one that is over', () => {
    const { engine, maker, create } = world()
    const add = (n: number, expires_at: number | null = null) => {
      const asked = create({ nonce: String(n) }, numbered(n))
      return engine.ask({ ...asked, key: { ...asked.key, expires_at } })
    }
    // The account has one from its operator.
    for (let n = 2; n < API_KEYS.active_max; n += 1) expect(add(n).status).toBe(201)
    expect(add(50, engine.now + 5_000_000).status).toBe(201)
    const refused = add(51)
    expect(refused).toMatchObject({ status: 422, error: { code: 'API_KEY_LIMIT_EXCEEDED' }, data: null })
    expect(refused.error!.message).toBe('the account has 50 active keys; allowed: at most 50; revoke some first')
    expect(engine.rows('api_key').filter(({ account_id }) => account_id === 'acct_a')).toHaveLength(50)
    engine.now += 5_000_000
    expect(add(51).status).toBe(201)
    expect(add(52).error?.code).toBe('API_KEY_LIMIT_EXCEEDED')
    engine.ask(maker.operate({ kind: 'revoke_key', key_id: numbered(2), reason: 'unused' }))
    expect(add(52).status).toBe(201)
    // An operator is not refused.
    const { key, authorization } = create({ nonce: '53' }, numbered(53))
    expect(engine.ask(maker.operate({ kind: 'add_key', key, authorization })).error).toBeNull()
    expect(add(54).error?.code).toBe('API_KEY_LIMIT_EXCEEDED')
  })

  test('is limited within a day, revoked ones included, and free again a day later', () => {
    const { engine, maker, create } = world()
    const began = engine.now
    const add = (n: number) => {
      const issued_at = Math.floor(engine.now / 1_000_000)
      const { status, error } = engine.ask(create({ nonce: String(1000 + n), issued_at }, numbered(n)))
      if (error === null) engine.ask(maker.operate({ kind: 'revoke_key', key_id: numbered(n), reason: 'unused' }))
      return error?.message ?? status
    }
    for (let n = 1; n < API_KEYS.of_day_max; n += 1) expect(add(n)).toBe(201)
    const full = 'the account created 200 keys within a day; allowed: at most 200'
    expect(add(200)).toBe(full)
    engine.state = engine.rebuilt()
    expect(add(201)).toBe(full)
    engine.now = began + 86_400 * 1_000_000 - 1_000_000
    expect(add(202)).toBe(201)
  })
})

test('a rotation keeps the former secret for its overlap; a revoked key is not rotated, and another account’s is not found', () => {
  const { engine, maker, create } = world()
  engine.ask(create())
  const identity = { ...maker.place('acct_a').identity, key_id: KEY_ID }
  const rotate = (key_id: string, overlap_seconds: number) => {
    const identity = { ...maker.place('acct_a').identity, key_id: KEY_ID }
    const rotation = { key_id, consent: null, overlap_seconds, material: 'sealed2', secret: 'next' }
    return engine.ask<IssuedApiKey>({ kind: 'rotate_key', identity, ...rotation })
  }
  expect(rotate('key_acct_b', 0).error?.code).toBe('API_KEY_NOT_FOUND')
  const { data } = rotate(KEY_ID, 2)
  expect(data).toMatchObject({ status: 'rotating', secret_version: 2, secret: 'next' })
  expect(engine.state.keys.get(KEY_ID)).toMatchObject({ material: 'sealed2', previous_material: 'sealed' })
  expect(rotate(KEY_ID, 0).data).toMatchObject({ status: 'active', previous_valid_until: null })
  const revoked = engine.ask<ApiKey>({ kind: 'revoke_key', identity, key_id: KEY_ID, consent: null, reason: 'lost' })
  expect(Value.Errors(ApiKey, revoked.data)).toEqual([])
  expect(revoked.data).toMatchObject({ status: 'revoked', revoke_reason: 'lost' })
  expect(rotate(KEY_ID, 0).error?.code).toBe('API_KEY_NOT_ACTIVE')
})

test('another key is changed with its owner’s consent alone, which is used once and adds no signer', () => {
  const { engine, maker, create } = world()
  const { authorization } = create()
  engine.ask(create())
  const revoke = (given: Partial<KeyAuthorization> | null) => {
    const consent = given === null ? null : { authorization: { ...authorization, ...given }, verdict: null }
    const { identity } = maker.place('acct_a')
    return engine.ask<ApiKey>({ kind: 'revoke_key', identity, key_id: KEY_ID, consent, reason: 'lost' })
  }
  const signer = `0x${'6'.repeat(40)}`
  expect(revoke(null).error).toMatchObject({ code: 'VALIDATION_BODY_INVALID', facts: { field: 'authorization' } })
  expect(revoke({}).error?.code).toBe('REPLAY_AUTHORIZATION_NONCE_REUSED')
  expect(revoke({ nonce: '7', issued_at: NOW_S - 700 }).error?.code).toBe('SIGNATURE_AUTHORIZATION_EXPIRED')
  expect(revoke({ nonce: '7', owner: signer }).error?.code).toBe('SIGNATURE_SIGNER_UNAUTHORIZED')
  expect(engine.state.keys.get(KEY_ID)?.revoked_at).toBeNull()
  expect(revoke({ nonce: '7', signer }).data.status).toBe('revoked')
  expect(engine.rows('signer_authorization').at(-1)).toMatchObject({ nonce: '7', purpose: 'revoke' })
  expect(engine.rows('api_key_audit').at(-1)).toMatchObject({ action: 'revoked', by_key_id: 'key_acct_a' })
  for (const state of [engine.state, engine.rebuilt()])
    expect(state.accounts.get('acct_a')!.authorizations.map((one) => one.signer)).not.toContain(signer)
})

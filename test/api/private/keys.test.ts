import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import type { PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { auditAfter, notFound, type PlantedChange } from '../../support/trading/audit-after.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { consentTo, createKeyBody } from '../../support/trading/private-requests.ts'
import { ENVIRONMENT, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

const database = withDatabase()
let served: ServedAccounts
let pool: Pool
beforeAll(async () => {
  pool = (await database()).pool
  served = await serveAccounts(pool)
}, 180_000)
afterAll(() => served.close())

const KEYS = '/v1/account/api-keys'
const create = (body: unknown, idempotency_key?: string) =>
  served.call({ method: 'POST', url: KEYS, body, ...(idempotency_key !== undefined && { idempotency_key }) })
/** Changes a key with acct_a's own key, with the owner's consent; of keys that may read orders. */
const act = async (operation_id: PrivateOperationId, key_id: string, what: string, body: object) => {
  const consent = await consentTo('acct_a', key_id, ['orders:read'])
  const got = await served.call({ method: 'POST', url: `${KEYS}/${key_id}/${what}`, body: { ...body, ...consent } })
  assertDescribed(operation_id, got)
  return got
}
const uses = async (key: RequestKey) => (await served.call({ method: 'GET', url: '/v1/orders', key })).status
const keyOf = (key_id: string, secret: string): RequestKey => ({
  key_id,
  environment: ENVIRONMENT,
  algorithm: 'hmac-sha256',
  secret,
})

describe('a key’s life', () => {
  test('made with a secret that is shown once, rotated with an overlap, revoked', async () => {
    const body = await createKeyBody('acct_a')
    const made = await create(body, 'make-one')
    assertDescribed('create_api_key', made)
    const { key_id, secret, status } = made.body.data
    expect([made.status, status, secret]).toEqual([201, 'active', expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(await uses(keyOf(key_id, secret))).toBe(200)

    const again = await create(body, 'make-one')
    assertDescribed('create_api_key', again)
    expect(again.body.data).toMatchObject({ key_id, secret: null, secret_already_returned: true })
    expect(again.headers['svc-idempotent-replay']).toBe('true')

    const rotated = await act('rotate_api_key', key_id, 'rotate', { overlap_seconds: 600 })
    expect(rotated.body.data).toMatchObject({ key_id, secret_version: 2, status: 'rotating' })
    expect(await uses(keyOf(key_id, rotated.body.data.secret))).toBe(200)
    expect(await uses(keyOf(key_id, secret))).toBe(200)
    const without = await act('rotate_api_key', key_id, 'rotate', { overlap_seconds: 0 })
    expect(await uses(keyOf(key_id, rotated.body.data.secret))).toBe(401)
    expect(await uses(keyOf(key_id, without.body.data.secret))).toBe(200)

    const revoked = await act('revoke_api_key', key_id, 'revoke', { reason: 'lost' })
    expect(revoked.body.data).toMatchObject({ status: 'revoked', revoke_reason: 'lost' })
    expect(await uses(keyOf(key_id, without.body.data.secret))).toBe(401)
    assertRefused(
      'rotate_api_key',
      await act('rotate_api_key', key_id, 'rotate', { overlap_seconds: 0 }),
      'API_KEY_NOT_ACTIVE',
    )

    const audit = await served.call({ method: 'GET', url: `${KEYS}/${key_id}/audit-log` })
    assertDescribed('list_api_key_audit', audit)
    const changes = audit.body.data.filter(({ action }: { action: string }) => !['used', 'refused'].includes(action))
    expect(changes.map(({ action }: { action: string }) => action)).toEqual([
      'revoked',
      'rotated',
      'rotated',
      'created',
    ])
    const by_request = { by_key_id: served.keys.acct_a.key_id, actor: null, count: 1, outcome: 'done' }
    expect(changes[0]).toMatchObject({ ...by_request, reason: 'lost' })
    expect(changes[1]).toMatchObject({ ...by_request, reason: null })
    const listed = await served.call({ method: 'GET', url: KEYS })
    assertDescribed('list_api_keys', listed)
    expect(listed.text).not.toContain('"secret"')
  })

  test('the audit log shows which operator revoked a key, and why', async () => {
    const { key_id } = await served.newKey({})
    await served.act({ kind: 'revoke_key', key_id, reason: 'seen in a public log' })
    const audit = await served.call({ method: 'GET', url: `${KEYS}/${key_id}/audit-log` })
    assertDescribed('list_api_key_audit', audit)
    const by_act = { by_key_id: null, ip: null, actor: 'tester' }
    expect(audit.body.data).toMatchObject([
      { action: 'revoked', ...by_act, reason: 'seen in a public log' },
      { action: 'created', ...by_act, reason: 'test' },
    ])
  })

  test('no secret is kept in the clear, not even in what is kept for retries', async () => {
    const made = await create(await createKeyBody('acct_a'))
    const { secret } = made.body.data
    for (const table of ['api_key', 'idempotent_answer', 'engine_event', 'api_key_audit']) {
      const { rows } = await served.pool.query(`SELECT row_to_json(t)::text AS text FROM trading.${table} t`)
      expect(rows.filter(({ text }) => text.includes(secret))).toEqual([])
    }
  })
})

describe('a change of another key', () => {
  const change = (key: RequestKey, key_id: string, what: 'rotate' | 'revoke', body: object = {}) =>
    served.call({
      method: 'POST',
      url: `${KEYS}/${key_id}/${what}`,
      key,
      body: { ...(what === 'rotate' ? { overlap_seconds: 0 } : { reason: 'test' }), ...body },
    })

  test.each(['rotate', 'revoke'] as const)(
    'is refused to keys:write alone (%s), also of no consent that fits',
    async (what) => {
      const weak = await served.newKey({ scopes: ['keys:write'] })
      const strong = await served.newKey({ scopes: ['orders:write'] })
      const { key_id } = strong
      const tried = async (body: object) => (await change(weak, key_id, what, body)).body.error
      expect(await tried({})).toMatchObject({
        code: 'VALIDATION_BODY_INVALID',
        field_violations: [{ field: 'authorization' }],
      })
      const { authorization, ...rest } = await consentTo('acct_a', key_id, ['orders:write'])
      expect(await tried(rest)).toMatchObject({ code: 'VALIDATION_BODY_INVALID' })
      const others = await consentTo('acct_b', key_id, ['orders:write'])
      const forged = { ...others, authorization: { ...others.authorization, account: 'acct_a' } }
      const moved = { ...others, authorization: { ...authorization, owner: others.authorization.owner } }
      for (const [body, code] of [
        [await consentTo('acct_a', key_id, ['keys:write']), 'SIGNATURE_AUTHORIZATION_MISMATCH'],
        [await consentTo('acct_a', weak.key_id, ['orders:write']), 'SIGNATURE_AUTHORIZATION_MISMATCH'],
        [others, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
        [forged, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
        [moved, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
      ] as const)
        expect(await tried(body)).toMatchObject({ code })
      expect(await usesWrite(strong)).toBe(true)

      const consent = await consentTo('acct_a', key_id, ['orders:write'])
      const done = await change(weak, key_id, what, consent)
      assertDescribed(what === 'rotate' ? 'rotate_api_key' : 'revoke_api_key', done)
      expect(done.status).toBe(200)
      expect(await usesWrite(strong)).toBe(false)
      const spare = await served.newKey({ scopes: ['orders:write'] })
      const again = { ...consent, authorization: { ...consent.authorization, api_key_id: spare.key_id } }
      expect((await change(weak, spare.key_id, what, again)).status).toBe(400)
      if (what === 'rotate') expect(await tried(consent)).toMatchObject({ code: 'REPLAY_AUTHORIZATION_NONCE_REUSED' })
    },
  )

  test('a key rotates and revokes itself', async () => {
    const key = await served.newKey({ scopes: ['keys:write', 'orders:read'] })
    const rotated = await change(key, key.key_id, 'rotate')
    assertDescribed('rotate_api_key', rotated)
    const next = keyOf(key.key_id, rotated.body.data.secret)
    expect([rotated.body.data.secret_version, await uses(next), await uses(key)]).toEqual([2, 200, 401])
    expect((await change(next, key.key_id, 'revoke')).body.data.status).toBe('revoked')
    expect(await uses(next)).toBe(401)
  })
  /** Whether the key still opens: a batch without orders is refused for its shape alone, so cancel-all of nothing is asked. */
  const usesWrite = async (key: RequestKey) => {
    const body = { account_id: 'acct_a', cancel_on_pause_only: true }
    return (await served.call({ method: 'POST', url: '/v1/orders/cancel-all', body, key })).status === 200
  }
})

test('the audit log shows use and refusals with their reasons, counted, and none of it can be told apart by a stranger', async () => {
  const key = await served.newKey({ scopes: ['orders:read', 'keys:write'] })
  const asks = (request: RequestKey, url = '/v1/orders', more: object = {}) =>
    served.call({ method: 'GET', url, key: request, ...more })
  const forged = { ...key, secret: '0'.repeat(64) } as RequestKey
  await asks(key)
  await asks(key, '/v1/orders', { nonce: 'nonce_twice_1' })
  await asks(key, '/v1/orders', { nonce: 'nonce_twice_1' })
  await asks(key, '/v1/balances')
  await asks(key, '/v1/orders', { timestamp_ms: Date.now() - 60_000 })
  for (let n = 0; n < 3; n += 1) await asks(forged)
  const weak = await served.newKey({ scopes: ['keys:write'] })
  const url = `${KEYS}/${key.key_id}/revoke`
  await served.call({ method: 'POST', url, key: weak, body: { reason: 'test' } })
  // A second ago: the clocks of the database and of this process differ by parts of a millisecond.
  const expire = `UPDATE trading.api_key SET expires_at = now() - interval '1 second' WHERE key_id = $1`
  await served.pool.query(expire, [key.key_id])
  served.trading.keys.forget?.(key.key_id)
  await asks(key)
  const counted = async () => {
    const got = await served.call({ method: 'GET', url: `${KEYS}/${key.key_id}/audit-log` })
    assertDescribed('list_api_key_audit', got)
    const counts = new Map<string, number>()
    for (const { outcome, action, count } of got.body.data)
      counts.set(`${action} ${outcome}`, (counts.get(`${action} ${outcome}`) ?? 0) + count)
    return Object.fromEntries(counts)
  }
  await expect.poll(counted, { timeout: 100_000, interval: 500 }).toEqual({
    'created done': 1,
    'used done': 2,
    'refused nonce_reused': 1,
    'refused scope_missing': 1,
    'refused timestamp_out_of_window': 1,
    'refused wrong_signature': 3,
    'refused owner_consent_missing': 1,
    'refused expired': 1,
  })
  const pages = async (limit: number) => {
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const next = cursor === '' ? '' : `&cursor=${cursor}`
      const got = await served.call({ method: 'GET', url: `${KEYS}/${key.key_id}/audit-log?limit=${limit}${next}` })
      ids.push(...got.body.data.map(({ audit_id }: { audit_id: string }) => audit_id))
      if (!got.body.page.has_more) return ids
      cursor = encodeURIComponent(got.body.page.next_cursor)
    }
  }
  expect(await pages(2)).toEqual(await pages(100))
}, 120_000)

test('signers: the owner, and whom keys with orders:write name, until either ends', async () => {
  const key = served.keys.acct_empty
  const signers = async () => (await served.call({ method: 'GET', url: '/v1/account/signers?limit=50', key })).body.data
  const signer = `0x${'7'.repeat(40)}`
  const made = async (scopes: readonly string[], expiry = 0) => {
    const body = await createKeyBody('acct_empty', { scopes, signer, expiry })
    const got = await served.call({ method: 'POST', url: KEYS, body, key })
    expect(got.status).toBe(201)
    return got.body.data.key_id as string
  }
  const before = await signers()
  expect(before[0]).toMatchObject({ is_owner: true, key_id: null, authorization_id: null, until: null })
  const [expiry] = [Math.floor(Date.now() / 1000) + 3_600]
  const [reads, writes] = [await made(['market_data:read']), await made(['orders:write'], expiry)]
  const until = new Date(expiry * 1000).toISOString().replace('.000', '')
  const listed = await served.call({ method: 'GET', url: '/v1/account/signers', key })
  assertDescribed('list_signers', listed)
  const added = listed.body.data.slice(before.length)
  expect(added).toMatchObject([{ account_id: 'acct_empty', signer, is_owner: false, key_id: writes, until }])
  expect(JSON.stringify(listed.body.data)).not.toContain(reads)
  await served.act({ kind: 'revoke_key', key_id: writes, reason: 'test' })
  expect(await signers()).toEqual(before)
})

describe('refusals', () => {
  test('an authorization of another message, key, account or time', async () => {
    const body = await createKeyBody('acct_a', { scopes: ['orders:read'] })
    assertRefused(
      'create_api_key',
      await create({ ...body, scopes: ['orders:write'] }),
      'SIGNATURE_AUTHORIZATION_MISMATCH',
    )
    assertRefused(
      'create_api_key',
      await create({ ...body, key_id: 'key_other000000000000' }),
      'SIGNATURE_AUTHORIZATION_MISMATCH',
    )
    assertRefused('create_api_key', await create(await createKeyBody('acct_b')), 'ACCOUNT_NOT_FOUND')
    const wrong = { ...body, environment: 'production' }
    assertRefused('create_api_key', await create(wrong), 'VALIDATION_BODY_INVALID')
    const bytes = { ...body, authorization_signature: '0x00' }
    assertRefused('create_api_key', await create(bytes), 'SIGNATURE_INVALID')
  })

  test('a nonce or id that was used', async () => {
    const body = await createKeyBody('acct_a', { nonce: '5' })
    expect((await create(body)).status).toBe(201)
    assertRefused(
      'create_api_key',
      await create(await createKeyBody('acct_a', { nonce: '5' })),
      'REPLAY_AUTHORIZATION_NONCE_REUSED',
    )
    const taken = await createKeyBody('acct_a', { key_id: String(body.key_id) })
    assertRefused('create_api_key', await create(taken), 'API_KEY_ID_TAKEN')
  })

  test.each([
    [{ public_key: 'ab'.repeat(32) }, 'public_key'],
    [{ algorithm: 'ed25519' }, 'public_key'],
    [{ ip_allowlist: ['10.0.0.0/33'] }, 'ip_allowlist[0]'],
    [{ scopes: ['orders:read', 'orders:read'] }, 'scopes'],
    [{ scopes: ['everything'] }, 'scopes[0]'],
    [{ expires_at: '2030-02-30T00:00:00Z' }, 'expires_at'],
    [{ expires_at: '2030-02-20T00:00:00.5Z' }, 'expires_at'],
  ])('a body with %j', async (fields, field) => {
    const got = await create({ ...(await createKeyBody('acct_a')), ...fields })
    assertRefused('create_api_key', got, 'VALIDATION_BODY_INVALID')
    expect(got.body.error.field_violations[0].field).toBe(field)
  })
})

describe('the audit finds who may sign orders though nobody named them', () => {
  const AUTHORIZATION = 'UPDATE trading.signer_authorization SET'
  const SIGNED = 'WHERE signature IS NOT NULL'
  const BY_ACT = 'WHERE signature IS NULL'
  const KEY = 'UPDATE trading.api_key SET'
  const OF_SIGNED = `WHERE key_id IN (SELECT api_key_id FROM trading.signer_authorization ${SIGNED})`
  const OTHER = `'0x${'1b'.repeat(20)}'`

  test('a row of the database', async () => {
    expect((await create(await createKeyBody('acct_a'))).status).toBe(201)
    const planted: PlantedChange[] = [
      ['KEYS', `${AUTHORIZATION} signer = ${OTHER} ${SIGNED}`],
      ['KEYS', `${AUTHORIZATION} expires_at = '2100-01-01' ${SIGNED}`],
      ['KEYS', `${AUTHORIZATION} signature = NULL ${SIGNED}`],
      ['KEYS', `${AUTHORIZATION} owner = ${OTHER} ${SIGNED}`],
      ['KEYS', `${AUTHORIZATION} signer = ${OTHER} ${BY_ACT}`],
      ['KEYS', `${KEY} scopes = scopes || '{orders:write}' ${OF_SIGNED} AND NOT scopes @> '{orders:write}'`],
      ['KEYS', `${KEY} account_id = 'acct_b' ${OF_SIGNED}`],
      [
        'KEYS',
        `INSERT INTO trading.signer_authorization
         SELECT 'auz_forged', account_id, owner, ${OTHER}, api_key_id, scopes_hash, environment, issued_at, expires_at, '77',
                authorization_version, signature_type, signature, at, purpose
         FROM trading.signer_authorization ${SIGNED} LIMIT 1`,
      ],
      ['KEYS', `UPDATE trading.account SET owner_address = ${OTHER} WHERE account_id = 'acct_a'`],
      ['D12', `DELETE FROM trading.signer_authorization ${SIGNED}`],
      ['D11', `${KEY} revoked_at = NULL WHERE revoked_at IS NOT NULL`],
    ]
    expect(await auditAfter(pool, 'SELECT 1', ['KEYS', 'D11', 'D12'])).toEqual([])
    expect(await notFound(pool, planted)).toEqual([])
  })
})

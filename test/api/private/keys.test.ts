import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import type { PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { createKeyBody } from '../../support/trading/private-requests.ts'
import { ENVIRONMENT, type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

const database = withDatabase()
let served: ServedAccounts
beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
}, 180_000)
afterAll(() => served.close())

const KEYS = '/v1/account/api-keys'
const create = (body: unknown, idempotency_key?: string) =>
  served.call({ method: 'POST', url: KEYS, body, ...(idempotency_key !== undefined && { idempotency_key }) })
const act = async (operation_id: PrivateOperationId, key_id: string, what: string, body: unknown) => {
  const got = await served.call({ method: 'POST', url: `${KEYS}/${key_id}/${what}`, body })
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
    expect(audit.body.data.length).toBeGreaterThan(2)
    const listed = await served.call({ method: 'GET', url: KEYS })
    assertDescribed('list_api_keys', listed)
    expect(listed.text).not.toContain('"secret"')
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

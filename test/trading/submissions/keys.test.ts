import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { ApiKey, IssuedApiKey } from '../../../protocol/resources/api-key.ts'
import type { CreateKey, KeyAuthorization } from '../../../trading/engine/submission.ts'
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

test.each([
  [{ account: 'acct_b' }, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
  [{ api_key_id: 'key_other' }, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
  [{ environment: 'production' }, 'SIGNATURE_AUTHORIZATION_MISMATCH'],
  [{ owner: `0x${'8'.repeat(40)}` }, 'SIGNATURE_SIGNER_UNAUTHORIZED'],
  [{ expiry: NOW_S }, 'SIGNATURE_AUTHORIZATION_EXPIRED'],
  [{ issued_at: NOW_S + 3_600 }, 'SIGNATURE_AUTHORIZATION_EXPIRED'],
  [{ nonce: '1' }, 'REPLAY_AUTHORIZATION_NONCE_REUSED'],
] as const)('an authorization with %j is refused: %s', (change, code) => {
  const { engine, create } = world()
  expect(engine.ask(create(change)).error?.code).toBe(code)
  expect(engine.rows('api_key')).toHaveLength(2)
})

test('a key id is taken once', () => {
  const { engine, create } = world()
  expect(engine.ask(create({}, 'key_acct_b')).error?.code).toBe('API_KEY_ID_TAKEN')
})

test('a rotation keeps the former secret for its overlap; a revoked key is not rotated, and another account’s is not found', () => {
  const { engine, maker, create } = world()
  engine.ask(create())
  const { identity } = maker.place('acct_a')
  const rotate = (key_id: string, overlap_seconds: number) => {
    const { identity } = maker.place('acct_a')
    return engine.ask({ kind: 'rotate_key', identity, key_id, overlap_seconds, material: 'sealed2', secret: 'next' })
  }
  expect(rotate('key_acct_b', 0).error?.code).toBe('API_KEY_NOT_FOUND')
  const { data } = rotate(KEY_ID, 2)
  expect(data).toMatchObject({ status: 'rotating', secret_version: 2, secret: 'next' })
  expect(engine.state.keys.get(KEY_ID)).toMatchObject({ material: 'sealed2', previous_material: 'sealed' })
  expect(rotate(KEY_ID, 0).data).toMatchObject({ status: 'active', previous_valid_until: null })
  const revoked = engine.ask({ kind: 'revoke_key', identity, key_id: KEY_ID, reason: 'lost' })
  expect(Value.Errors(ApiKey, revoked.data)).toEqual([])
  expect(revoked.data).toMatchObject({ status: 'revoked', revoke_reason: 'lost' })
  expect(rotate(KEY_ID, 0).error?.code).toBe('API_KEY_NOT_ACTIVE')
})

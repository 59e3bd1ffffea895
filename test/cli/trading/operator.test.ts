import { createHash, createPublicKey, verify } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxMarketFiles } from '../../../service/sandbox/sandbox-markets.ts'
import { tidemark } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { auditAfter } from '../../support/trading/audit-after.ts'
import { type TestDatabase, withDatabase } from '../../support/trading/postgres.ts'

/** Operators' commands with no engine running: each leads for its own time. One story, from an empty database on. */
const fresh = withDatabase()
const home = tempFolder()
const OWNER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1'
let database: TestDatabase
let environment: Record<string, string>

beforeAll(async () => {
  database = await fresh()
  environment = { DATABASE_URL: database.url, TIDEMARK_HOME: home }
})

/** Runs a command with --json. @returns exit code and what it printed */
async function run(...argv: readonly string[]) {
  const { exit_code, stdout } = await tidemark([...argv, '--json'], { environment })
  return {
    exit_code,
    answer: JSON.parse(stdout) as Record<string, unknown> & { error?: { code: string; message: string } },
  }
}

/** Runs one that must be done. */
async function done(...argv: readonly string[]) {
  const { exit_code, answer } = await run(...argv)
  expect(answer.error).toBeUndefined()
  expect(exit_code).toBe(0)
  return answer
}

const BECAUSE = ['--reason', 'a test', '--actor', 'desk-lead']

test('an account is opened, funded and given a key, whose secret is shown this once', async () => {
  await done('asset', 'add', 'asset_usd', '--scale', '6', ...BECAUSE)
  await done('operator', 'add', userInfo().username, ...BECAUSE)
  await done('account', 'create', 'acct_north', '--owner', OWNER, '--label', 'North', ...BECAUSE)
  await done('account', 'deposit', 'acct_north', '1000.00', ...BECAUSE)
  await done('account', 'withdraw', 'acct_north', '250.50', ...BECAUSE)
  const key = await done('account', 'key', 'create', 'acct_north', '--label', 'desk', '--ip', '10.0.0.0/8', ...BECAUSE)
  expect(key).toMatchObject({ algorithm: 'hmac-sha256', ip_allowlist: ['10.0.0.0/8'], signer: OWNER.toLowerCase() })
  expect(key.secret).toMatch(/^[0-9a-f]{64}$/)
  const account = await done('account', 'show', 'acct_north')
  expect(account).toMatchObject({ owner_address: OWNER.toLowerCase(), label: 'North', blocked: false })
  expect(account.balances).toMatchObject([{ asset_id: 'asset_usd', total: '749.500000', available: '749.500000' }])
  expect(account.keys).toMatchObject([{ key_id: key.key_id, label: 'desk', revoked_at: null }])
  expect(JSON.stringify(account)).not.toContain(key.secret)
})

test('an account of a given public key gets no secret; a revoked key says why', async () => {
  const key_id = 'key_0123456789abcdef'
  const public_key = 'd7'.repeat(32)
  const key = await done('account', 'key', 'create', 'acct_north', key_id, '--public-key', public_key, ...BECAUSE)
  expect(key).toMatchObject({ key_id, algorithm: 'ed25519', secret: null })
  await done('account', 'key', 'revoke', key_id, '--reason', 'lost laptop')
  const { keys } = await done('account', 'show', 'acct_north')
  expect(keys).toContainEqual(expect.objectContaining({ key_id, revoke_reason: 'lost laptop' }))
})

test('a market is listed, opened, paused and closed; moves that are not in the table are refused', async () => {
  const [file] = sandboxMarketFiles()
  const market_id = (await done('market', 'add', file!, ...BECAUSE)).market_id as string
  for (const move of ['open', 'pause', 'open', 'close']) await done('market', move, market_id, ...BECAUSE)
  const refused = await run('market', 'open', market_id, ...BECAUSE)
  const message = 'status is open; allowed: nothing: the market is closed, and a resolution alone moves it on'
  expect(refused).toMatchObject({ exit_code: 2, answer: { error: { message } } })
  const markets = (await done('market', 'list')) as unknown as Record<string, unknown>[]
  expect(markets).toMatchObject([{ market_id, status: 'closed', schedule_id: 'fees_standard', schedule_version: 1 }])
})

test('fees are published by version', async () => {
  await done('fees', 'set', 'fees_standard', '--taker', '0.03', ...BECAUSE)
  const schedules = (await done('fees', 'list')) as unknown as Record<string, unknown>[]
  expect(schedules.map(({ schedule_version, taker_rate }) => [schedule_version, taker_rate])).toEqual([
    [1, '0.02'],
    [2, '0.03'],
  ])
})

test('the policy has the next version; what is left out stays', async () => {
  await done('account', 'policy', 'acct_north', '--position-limit', '500', '--self-trade', 'cancel_both', ...BECAUSE)
  const { policy } = await done('account', 'policy', 'acct_north', '--price-band', '0.10', ...BECAUSE)
  expect(policy).toMatchObject({
    policy_version: 3,
    position_limit: '500',
    price_band: '0.10',
    self_trade_prevention: 'cancel_both',
  })
  const cleared = await done('account', 'policy', 'acct_north', '--position-limit', 'none', ...BECAUSE)
  expect(cleared.policy).toMatchObject({ position_limit: null, price_band: '0.10', limit_tier: 'standard' })
  await done('account', 'policy', 'acct_north', '--limit-tier', 'market_maker', ...BECAUSE)
  const kept = await done('account', 'policy', 'acct_north', '--price-band', 'none', ...BECAUSE)
  expect(kept.policy).toMatchObject({ price_band: null, limit_tier: 'market_maker' })
})

test('an account is blocked and unblocked', async () => {
  await done('account', 'block', 'acct_north', ...BECAUSE)
  expect(await done('account', 'show', 'acct_north')).toMatchObject({ blocked: true })
  await done('account', 'unblock', 'acct_north', ...BECAUSE)
  expect(await done('account', 'show', 'acct_north')).toMatchObject({ blocked: false })
})

test('operators are listed; a key of a third one needs two, and a saved act waits for the second', async () => {
  const user = userInfo().username
  expect(await done('operator', 'list')).toMatchObject([{ operator_id: 'desk-lead' }, { operator_id: user }])
  const made = await done('operator', 'key', 'risk-lead', '--home', home)
  expect(made).not.toHaveProperty('private_key')
  const key = ['--key-id', String(made.operator_key_id), '--public-key', String(made.public_key)]
  expect(await run('operator', 'add', 'risk-lead', ...key, ...BECAUSE)).toMatchObject({
    ...{
      exit_code: 2,
      answer: { error: { message: expect.stringContaining('approved_by is missing; allowed: another person') } },
    },
  })
  const file = join(home, 'act.json')
  const saved = await tidemark(
    ['operator', 'add', 'risk-lead', ...key, '--approved-by', user, '--save', file, ...BECAUSE],
    { environment },
  )
  expect(saved).toMatchObject({
    exit_code: 0,
    stdout: '',
    stderr: expect.stringContaining(`operator approve ${file} --actor ${user}\``),
  })
  for (const other of ['risk-lead', 'desk-lead']) {
    const message = `actor is ${other}; allowed: --actor ${user}, who is to approve this act`
    expect(await run('operator', 'approve', file, '--actor', other)).toMatchObject({
      ...{ exit_code: 2, answer: { error: { message } } },
    })
  }
  expect(await done('operator', 'approve', file)).toMatchObject({ operator_id: 'risk-lead', actor: 'desk-lead' })
  // The file is read again: what it says now is not what was carried out.
  const act = JSON.parse(readFileSync(file, 'utf8')) as { command: object }
  writeFileSync(file, JSON.stringify({ ...act, command: { ...act.command, operator_id: 'mallory' } }))
  expect(await run('operator', 'approve', file)).toMatchObject({
    exit_code: 2,
    answer: { error: { message: expect.stringMatching(/^act_id is act_\w+; allowed: the id of an act that was not/) } },
  })
  const revoke = ['operator', 'revoke', String(made.operator_key_id), '--reason', 'left', '--actor'] as const
  expect(await run(...revoke, 'desk-lead')).toMatchObject({ exit_code: 2 })
  await done(...revoke, 'risk-lead')
  const again = ['account', 'block', 'acct_north', '--reason', 'x', '--actor', 'risk-lead']
  expect(await run(...again)).toMatchObject({
    exit_code: 2,
    answer: { error: { message: expect.stringMatching(/"risk-lead", who is not registered; allowed: desk-lead, /) } },
  })
})

test('a key whose registration was refused is registered by the corrected command; another one has a file of its own', async () => {
  const add = ['operator', 'add', 'clerk', ...BECAUSE]
  const refused = { exit_code: 2, answer: { error: { message: expect.stringContaining('allowed: another person') } } }
  expect(await run(...add, '--approved-by', 'desk-lead')).toMatchObject(refused)
  expect(await run(...add, '--save', join(home, 'clerk-act.json'))).toMatchObject(refused)
  const made = await done(...add, '--approved-by', userInfo().username)
  expect(made).toMatchObject({ operator_id: 'clerk' })
  expect(await run(...add, '--approved-by', userInfo().username)).toMatchObject({
    exit_code: 2,
    answer: { error: { message: expect.stringMatching(/holds the key opk_\w+; allowed: --key-file FILE/) } },
  })
  const key_file = join(home, 'clerk-2.json')
  const second = await done(...add, '--approved-by', userInfo().username, '--key-file', key_file)
  expect(second).toMatchObject({ operator_id: 'clerk', file: key_file })
  expect(second.operator_key_id).not.toBe(made.operator_key_id)
})

test('anybody can verify every signed act from what is printed, as the documentation says', async () => {
  const list = async <T>(...argv: string[]) =>
    JSON.parse((await tidemark([...argv, '--json'], { environment })).stdout) as T[]
  const keys = await list<{ operator_key_id: string; public_key: string }>('operator', 'list')
  const acts = await list<PrintedAct>('operator', 'acts', '--limit', '1000')
  const signed = acts.filter(({ signatures }) => signatures.length > 0)
  expect(signed.length).toBeGreaterThan(10)
  for (const { act_id, actor, reason, issued_at, command_hash, command, signatures } of signed) {
    expect(command_hash).toBe(`sha256:${createHash('sha256').update(sorted(command)).digest('hex')}`)
    const deployment = keys[0]!.operator_key_id
    const text = sorted({
      ...{ purpose: 'tidemark/operator-act/1', deployment, act_id, actor, reason, issued_at, command_hash },
    })
    for (const { operator_key_id, signature } of signatures) {
      const { public_key } = keys.find((key) => key.operator_key_id === operator_key_id)!
      const x = Buffer.from(public_key, 'hex').toString('base64url')
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
      expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex')), act_id).toBe(true)
    }
  }
  const [deposit] = await list<PrintedAct>('operator', 'acts', '--kind', 'deposit', '--by', 'desk-lead')
  expect(deposit!.command).toMatchObject({ kind: 'deposit', account_id: 'acct_north' })
  expect(await list<PrintedAct>('operator', 'acts', deposit!.act_id)).toEqual([deposit])
})

type PrintedAct = {
  readonly [field in 'act_id' | 'actor' | 'reason' | 'issued_at' | 'command_hash']: string
} & {
  readonly command: object
  readonly signatures: readonly { readonly operator_key_id: string; readonly signature: string }[]
}

/** JSON with sorted names, as RFC 8785 has it for texts, integers and lists of ASCII names. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${sorted(one)}`).join(',')}}`
}

test('a key file that others may read is refused', async () => {
  const file = join(home, 'operator-keys', 'desk-lead.json')
  chmodSync(file, 0o644)
  expect(await run('fees', 'set', 'fees_standard', '--taker', '0.03', ...BECAUSE)).toMatchObject({
    ...{ exit_code: 2, answer: { error: { message: expect.stringContaining('whose mode is 0644') } } },
  })
  chmodSync(file, 0o600)
})

test('every act is recorded with actor and reason; no secret is', async () => {
  const { rows } = await database.pool.query(
    'SELECT actor, reason, command FROM trading.operator_act ORDER BY at, act_id',
  )
  expect(rows.length).toBeGreaterThanOrEqual(14)
  expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set(['desk-lead', 'risk-lead', userInfo().username]))
  expect(rows).toContainEqual(expect.objectContaining({ reason: 'lost laptop' }))
})

test('the promises hold', async () => {
  const { ok, invariants } = await done('audit', '--trading')
  expect({ ok, count: (invariants as unknown[]).length > 5 }).toEqual({ ok: true, count: true })
})

test('a batch that was kept elsewhere is the one that is still there', async () => {
  const { newest_batch } = await done('audit', '--trading')
  const { batch_sequence, hash } = newest_batch as { batch_sequence: number; hash: string }
  expect(await done('audit', '--trading', '--anchor', `${batch_sequence}:${hash}`)).toMatchObject({ ok: true })
  const changed = `${batch_sequence}:${hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`
  for (const anchor of [changed, `${batch_sequence + 1}:${hash}`]) {
    const { exit_code, answer } = await run('audit', '--trading', '--anchor', anchor)
    expect(exit_code).toBe(1)
    const broken = (answer.invariants as { invariant_id: string; violations: unknown[] }[]).filter(
      ({ violations }) => violations.length > 0,
    )
    expect(broken.map(({ invariant_id }) => invariant_id)).toEqual(['ANCHOR'])
  }
  expect(await run('audit', '--trading', '--anchor', '7')).toMatchObject({ exit_code: 2 })
  expect(await run('audit', '--anchor', changed)).toMatchObject({ exit_code: 2 })
})

/** Changes of a database's superuser, whom no trigger stops. */
describe('the audit finds', () => {
  const OF_ACTS = ['ACTS', 'HASH']
  const ACT = 'UPDATE trading.operator_act SET'
  const DEPOSIT = "WHERE command ->> 'kind' = 'deposit'"
  const BY_TWO = 'WHERE json_array_length(signatures) = 2'
  const set = (path: string, value: string) => `command = jsonb_set(command::jsonb, '{${path}}', '"${value}"')::json`

  test.each([
    ['another amount', `${ACT} ${set('amount', '9000.00')} ${DEPOSIT}`],
    ['another kind', `${ACT} ${set('kind', 'withdraw')} ${DEPOSIT}`],
    ['another approver', `${ACT} ${set('approved_by', 'mallory')} ${BY_TWO}`],
    ['another actor', `${ACT} actor = 'risk-lead' ${DEPOSIT}`],
    ['another service as the actor, unsigned', `${ACT} actor = 'workflow:x', signatures = '[]' ${DEPOSIT}`],
    ['another reason', `${ACT} reason = 'none' ${DEPOSIT}`],
    ['another instant', `${ACT} at = at - interval '1 day' ${DEPOSIT}`],
    ['another instant of signing', `${ACT} issued_at = issued_at - interval '1 second' ${DEPOSIT}`],
    ['another key', `${ACT} ${set('key,material_hash', 'sha256:00')} WHERE command ->> 'kind' = 'add_key'`],
    ['no signature', `${ACT} signatures = '[]' ${DEPOSIT}`],
    [
      'no signature, and an instant before anybody was registered',
      `${ACT} signatures = '[]', at = '2020-01-01' ${DEPOSIT}`,
    ],
    ['no signature of the one who approved it', `${ACT} signatures = json_build_array(signatures -> 0) ${BY_TWO}`],
    ['no act', `DELETE FROM trading.operator_act ${DEPOSIT}`],
    [
      'an act that nobody signed',
      `INSERT INTO trading.operator_act
       SELECT 'act_forged', batch_sequence, at, 'workflow:x', reason, command FROM trading.operator_act ${DEPOSIT}`,
    ],
    [
      'another environment',
      `WITH root AS (SELECT min(operator_key_id) FILTER (WHERE operator_id = 'desk-lead') AS id FROM trading.operator_key),
       act AS (${ACT} ${set('environment', 'production')} WHERE command ->> 'operator_key_id' = (SELECT id FROM root) RETURNING act_id)
       UPDATE trading.operator_key SET environment = 'production' WHERE operator_key_id = (SELECT id FROM root)`,
    ],
    [
      'another reason of the first registration',
      `${ACT} reason = 'none' WHERE command ->> 'kind' = 'register_operator_key'
       AND json_array_length(signatures) = 0`,
    ],
    ['a key that works again', 'UPDATE trading.operator_key SET revoked_at = NULL WHERE revoked_at IS NOT NULL'],
    ['a key of another person', "UPDATE trading.operator_key SET operator_id = 'mallory' WHERE revoked_at IS NULL"],
    [
      'another public key',
      `UPDATE trading.operator_key SET public_key = '${'d7'.repeat(32)}' WHERE revoked_at IS NOT NULL`,
    ],
    [
      'a key that no act registered',
      `INSERT INTO trading.operator_key
       SELECT 'opk_forged', operator_id, '${'d7'.repeat(32)}', environment, registered_at, NULL FROM trading.operator_key LIMIT 1`,
    ],
  ])('%s', async (_, change) => {
    const violated = await auditAfter(database.pool, change, OF_ACTS)
    expect(violated.length).toBeGreaterThan(0)
  })

  test('nothing where nothing was changed', async () => {
    expect(await auditAfter(database.pool, 'SELECT 1', OF_ACTS)).toEqual([])
  })
})

describe('what is refused: one sentence with the field, the value and what is allowed', () => {
  test.each([
    [['account', 'deposit', 'acct_none', '1', ...BECAUSE], 3, 'account is acct_none'],
    [['account', 'show', 'acct_none'], 3, 'account is acct_none'],
    [['market', 'open', 'mkt_none', ...BECAUSE], 3, 'market is mkt_none'],
    [['account', 'deposit', 'acct_north', '1.0000001', ...BECAUSE], 2, 'amount is 1.0000001; allowed'],
    [['account', 'withdraw', 'acct_house_fees', '1', ...BECAUSE], 2, "allowed: a client's account"],
    [['account', 'block', 'acct_house_clearing', ...BECAUSE], 2, "allowed: a client's account"],
    [['account', 'policy', 'acct_house_fees', '--position-limit', '1', ...BECAUSE], 2, "allowed: a client's account"],
    [['account', 'create', 'acct_house_own', ...BECAUSE], 2, 'an id that does not begin as those of the house'],
    [['account', 'withdraw', 'acct_north', '99999', ...BECAUSE], 2, 'amount is 99999; allowed'],
    [['account', 'deposit', 'acct_north', '1', '--asset', 'asset_eur', ...BECAUSE], 2, 'asset_id is asset_eur'],
    [['account', 'create', 'acct_north', ...BECAUSE], 2, 'account_id is acct_north; allowed'],
    [['account', 'create', 'north', ...BECAUSE], 2, 'account is "north"; allowed: acct_'],
    [['account', 'create', 'acct_south', '--owner', '0x12', ...BECAUSE], 2, 'owner is "0x12"; allowed: 0x and 40 hex'],
    [['account', 'key', 'create', 'acct_north', 'key_short', ...BECAUSE], 2, 'key is "key_short"; allowed: key_'],
    [['account', 'key', 'create', 'acct_north', '--scope', 'all', ...BECAUSE], 2, '--scope is "all"; allowed: '],
    [['account', 'deposit', 'acct_north', '1'], 2, '--reason'],
    [
      ['account', 'policy', 'acct_north', '--position-limit', '-5', ...BECAUSE],
      2,
      'position_limit is -5; allowed: none',
    ],
    [['account', 'policy', 'acct_north', '--price-band', 'wide', ...BECAUSE], 2, 'price_band is wide; allowed: none'],
    [
      ['operator', 'add', 'x', '--public-key', 'd7'.repeat(32), ...BECAUSE],
      2,
      '--key-id is missing beside --public-key',
    ],
    [['operator', 'add', 'x', '--key-id', 'opk_1', ...BECAUSE], 2, '--public-key is missing beside --key-id'],
    [['market', 'add', 'absent.yaml', ...BECAUSE], 2, 'file is absent.yaml (ENOENT)'],
    [['fees', 'set', 'fees_standard', '--taker', '2', ...BECAUSE], 2, 'taker_rate is 2'],
    [
      ['adjust', 'fill_1', '--type', 'bust', '--code', 'X', '--approved-by', 'desk-lead', ...BECAUSE],
      2,
      'approved-by is "desk-lead", the actor',
    ],
    [['adjust', 'fill_1', '--type', 'bust', '--code', 'X', '--approved-by', 'bo', ...BECAUSE], 3, 'fill'],
  ] as [string[], number, string][])('%j', async (argv, exit_code, sentence) => {
    const refused = await run(...argv)
    expect(refused.answer.error?.message).toContain(sentence)
    expect(refused.exit_code).toBe(exit_code)
  })

  test('an account without an owner gets no key', async () => {
    await done('account', 'create', 'acct_plain', ...BECAUSE)
    const { exit_code, answer } = await run('account', 'key', 'create', 'acct_plain', ...BECAUSE)
    expect([exit_code, answer.error?.message]).toEqual([2, expect.stringContaining('acct_plain, which has no owner')])
  })

  test('a database that does not answer is a service that is unavailable', async () => {
    const DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/none'
    const { exit_code, stdout } = await tidemark(['account', 'list', '--json'], { environment: { DATABASE_URL } })
    expect([exit_code, JSON.parse(stdout).error.code]).toEqual([4, 'SERVICE_UNAVAILABLE'])
  })
})

test('tables are for people', async () => {
  const { stdout } = await tidemark(['account', 'list'], { environment })
  expect(stdout).toMatch(/^account\s+label\s+blocked\s+asset\s+total/)
  expect(stdout).not.toContain('acct_house')
})

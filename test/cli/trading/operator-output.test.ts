import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newSignerKey } from '../../../client/signing/new-signer-key.ts'
import { createTradingClient } from '../../../client/trading/trading-client.ts'
import { sandboxMarketFiles } from '../../../service/sandbox/sandbox-markets.ts'
import { tidemark } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { type TestDatabase, withDatabase } from '../../support/trading/postgres.ts'

/** Output for operators: accounts and acts. */
const fresh = withDatabase()
let database: TestDatabase
let environment: Record<string, string>

beforeAll(async () => {
  database = await fresh()
  environment = { DATABASE_URL: database.url, TIDEMARK_HOME: tempFolder() }
  await done('asset', 'add', 'asset_usd', '--scale', '6', ...BECAUSE)
  await done('account', 'create', 'acct_north', '--label', 'North', ...BECAUSE)
  await done('account', 'deposit', 'acct_north', '1000.00', ...BECAUSE)
})

const BECAUSE = ['--reason', 'a test', '--actor', 'desk-lead']

async function done(...argv: readonly string[]): Promise<unknown> {
  const { exit_code, stdout } = await tidemark([...argv, '--json'], { environment })
  expect([exit_code, stdout]).toEqual([0, expect.any(String)])
  return JSON.parse(stdout)
}

test('a balance is printed with all its parts: they add up to the total', async () => {
  const held = 'UPDATE trading.balance SET withdrawal_hold = withdrawal_hold + $1 WHERE account_id = $2'
  await database.pool.query(held, [40_250_000, 'acct_north'])
  for (const command of [['list'], ['show', 'acct_north']]) {
    const { stdout } = await tidemark(['account', ...command], { environment })
    const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
    const names = lines.find((line) => line.includes('withdrawal hold'))!
    const values = lines.find((line) => line.includes('asset_usd'))!
    const of = (name: string) => Number(values[names.indexOf(name)]!.replace('.', ''))
    expect(of('withdrawal hold')).toBe(40_250_000)
    expect(of('available') + of('reserved') + of('withdrawal hold')).toBe(of('total') - of('pending debit'))
  }
  await database.pool.query(held, [-40_250_000, 'acct_north'])
})

test('acts are those of people, unless those of services are asked for; the limit counts what is shown', async () => {
  for (const [n, actor] of ['workflow:marks', 'sandbox', 'workflow:marks'].entries()) {
    await database.pool.query(
      `INSERT INTO trading.operator_act (act_id, batch_sequence, at, actor, reason, command)
       SELECT $1, batch_sequence, at, $2, reason, command FROM trading.operator_act ORDER BY batch_sequence DESC LIMIT 1`,
      [`act_step_${n}`, actor],
    )
  }
  const actors = async (...flags: readonly string[]) =>
    ((await done('operator', 'acts', ...flags)) as { actor: string }[]).map(({ actor }) => actor)
  const people = await actors('--limit', '2')
  expect([people.length, new Set(people)]).toEqual([2, new Set(['desk-lead'])])
  expect((await actors('--services', '--limit', '500')).filter((actor) => actor !== 'desk-lead')).toHaveLength(3)
  expect(await actors('--by', 'workflow:marks')).toHaveLength(2)
  expect(await actors('act_step_1')).toEqual(['sandbox'])
})

test('the log of a key has what was done to it and with it, newest first; an unknown key is refused', async () => {
  const owner = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1'
  await done('account', 'create', 'acct_keyed', '--owner', owner, ...BECAUSE)
  const [key_id, public_key] = ['key_0123456789abcdef', 'd7'.repeat(32)]
  await done('account', 'key', 'create', 'acct_keyed', key_id, '--public-key', public_key, ...BECAUSE)
  await database.pool.query(
    `INSERT INTO trading.api_key_activity (key_id, minute, outcome, ip, count, last_at)
     VALUES ($1, now() + interval '1 minute', 'used', '10.0.0.7', 12, now() + interval '1 minute')`,
    [key_id],
  )
  await done('account', 'key', 'revoke', key_id, '--reason', 'lost laptop', '--actor', 'desk-lead')
  const log = (await done('account', 'key', 'log', key_id)) as Record<string, unknown>[]
  expect(log.map(({ action, count }) => [action, count])).toEqual([
    ['used', 12],
    ['revoked', 1],
    ['created', 1],
  ])
  expect(log[0]).toMatchObject({ outcome: 'done', ip: '10.0.0.7' })
  expect(log[1]).toMatchObject({ actor: 'desk-lead', reason: 'lost laptop' })
  expect((await done('account', 'key', 'log', key_id, '--limit', '1')) as unknown[]).toHaveLength(1)
  const { stdout } = await tidemark(['account', 'key', 'log', key_id], { environment })
  expect(stdout).toMatch(/revoked .*desk-lead .*lost laptop/)
  const unknown = await tidemark(['account', 'key', 'log', 'key_ffffffffffffffff', '--json'], { environment })
  expect([unknown.exit_code, JSON.parse(unknown.stdout).error.code]).toEqual([3, 'API_KEY_NOT_FOUND'])
})

test('a market that opens before its opens_at is noted, and one that opens after it is not', async () => {
  const [file] = sandboxMarketFiles()
  for (const [name, opens_at, is_noted] of [
    ['early', '2090-01-01T00:00:00Z', true],
    ['late', '2020-01-01T00:00:00Z', false],
  ] as const) {
    const schedule = `  schedule: { opens_at: "${opens_at}" }\n`
    const text = readFileSync(file!, 'utf8').replace('  rules:\n', `${schedule}  rules:\n`)
    const own = text.replaceAll('_sandbox_', `_${name}_`)
    const path = join(tempFolder(), 'market.yaml')
    writeFileSync(path, own)
    const { market_id } = (await done('market', 'add', path, ...BECAUSE)) as { market_id: string }
    const { stderr } = await tidemark(['market', 'open', market_id, ...BECAUSE], { environment })
    expect(stderr.includes(`${market_id} opens now, before the opens_at of its listing, ${opens_at}`)).toBe(is_noted)
  }
})

test('schedules without a Temporal server say why they have no times', async () => {
  const { stdout, stderr } = await tidemark(['schedules', '--json'], { environment })
  expect(JSON.parse(stdout)[0]).toMatchObject({ last_at: null, next_at: null })
  expect(stderr).toContain('last and next are unknown: no Temporal server answers')
})

describe('an HMAC key', () => {
  type Options = Parameters<typeof createTradingClient>[0]
  let key: { readonly key_id: string; readonly signer: string }
  const file = join(tempFolder(), 'other.key')
  let elsewhere: Record<string, string>
  beforeAll(async () => {
    elsewhere = { ...environment, TIDEMARK_KEY_ENCRYPTION_KEY_FILE: file }
    key = (await done('account', 'key', 'create', 'acct_keyed', ...BECAUSE)) as typeof key
  })

  test('is printed as a client takes it: its signer is the address whose private key is needed', () => {
    const printed = { ...key, base_url: 'http://127.0.0.1:1' } as unknown as Options
    expect(() => createTradingClient(printed)).not.toThrow()
    const signer_private_key = newSignerKey().private_key
    expect(() => createTradingClient({ ...printed, signer_private_key })).toThrow(/^signer is 0x1a64.* signs for 0x/)
    expect(() => createTradingClient({ ...printed, signer: '0x12' })).toThrow(/^signer is "0x12"; allowed: an object/)
  })

  test('is sealed with the one key of its database: a process that has none or another is refused at its start', async () => {
    const absent =
      /^error: TIDEMARK_KEY_ENCRYPTION_KEY is not set and key_encryption_key_file .* does not exist, but .*; allowed: /m
    for (const argv of [
      ['api', '--port', '0'],
      ['account', 'key', 'create', 'acct_keyed', ...BECAUSE],
    ]) {
      const { exit_code, stderr } = await tidemark(argv, { environment: elsewhere })
      expect([argv[0], exit_code, stderr]).toEqual([argv[0], 2, expect.stringMatching(absent)])
    }
    const other = { ...elsewhere, TIDEMARK_KEY_ENCRYPTION_KEY: 'cd'.repeat(32) }
    expect(await tidemark(['api', '--port', '0'], { environment: other })).toMatchObject({
      exit_code: 2,
      stderr: expect.stringContaining('TIDEMARK_KEY_ENCRYPTION_KEY opens no secret of the trading database'),
    })
    const public_key = ['--public-key', 'd7'.repeat(32)]
    const recorded = await tidemark(['account', 'key', 'create', 'acct_keyed', ...public_key, ...BECAUSE], {
      environment: elsewhere,
    })
    expect(recorded.exit_code).toBe(0)
    expect(existsSync(file)).toBe(false)
  })

  test('may be sealed with a new key once those of the lost one are revoked; a line says where it was made', async () => {
    await done('account', 'key', 'revoke', key.key_id, '--reason', 'key lost', '--actor', 'desk-lead')
    const created = await tidemark(['account', 'key', 'create', 'acct_keyed', ...BECAUSE], { environment: elsewhere })
    expect(created).toMatchObject({
      exit_code: 0,
      stderr: expect.stringContaining(`made the key-encryption key ${file}; keep a copy\n`),
    })
  })
})

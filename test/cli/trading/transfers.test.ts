import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transfer } from '../../../protocol/resources/transfer.ts'
import { tidemark } from '../../support/run-cli.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { SettlementWorld } from '../../support/trading/settlement-world.ts'

/** Operators see which transfer they end: in the list, in what they sign, and in what they approve. */
const fresh = withDatabase()
const home = tempFolder()
let world: SettlementWorld
let environment: Record<string, string>

beforeAll(async () => {
  const database = await fresh()
  world = await SettlementWorld.start(database.pool)
  environment = { DATABASE_URL: database.url, TIDEMARK_ENVIRONMENT: 'sandbox', TIDEMARK_HOME: home }
  await tidemarkJson('operator', 'add', 'risk-lead', '--actor', 'desk-lead', '--reason', 'a test')
}, 180_000)
afterAll(() => world.stop())

async function tidemarkJson<T>(...argv: readonly string[]): Promise<T> {
  const { exit_code, stdout, stderr } = await tidemark([...argv, '--json'], { environment })
  expect(exit_code, stderr + stdout).toBe(0)
  return (stdout === '' ? {} : JSON.parse(stdout)) as T
}

async function withdraw(destination: string): Promise<Transfer> {
  const asked = { ...world.maker.transfer('acct_a', { direction: 'withdrawal', amount: '12.5' }), destination }
  const { data, error } = await world.client.submit(asked)
  expect(error).toBeNull()
  return JSON.parse(data as string) as Transfer
}

test('a transfer is listed as REST shows it, and no longer once it has ended', async () => {
  const asked = await withdraw('IBAN 1')
  expect(await tidemarkJson('account', 'transfers')).toEqual([asked])
  expect(await tidemarkJson('account', 'transfers', 'acct_b')).toEqual([])
  const ended = await tidemarkJson(
    ...['account', 'confirm-transfer', asked.transfer_id, '--reference', 'wire 1'],
    ...['--actor', 'desk-lead', '--reason', 'statement 9'],
  )
  const { account_id, direction, asset_id, amount, destination } = asked
  expect(ended).toMatchObject({ account_id, direction, asset_id, amount, destination, state: 'confirmed' })
  expect(await tidemarkJson('account', 'transfers')).toEqual([])
  expect(await tidemarkJson('account', 'transfers', 'acct_a', '--all')).toMatchObject([{ state: 'confirmed' }])
  expect(await tidemark(['account', 'confirm-transfer', 'trf_999', '--reason', 'x'], { environment })).toMatchObject({
    exit_code: 3,
    stderr: expect.stringContaining('TRANSFER_NOT_FOUND'),
  })
})

test('whoever approves sees account, amount and destination before, and signs them', async () => {
  const asked = await withdraw('IBAN 2')
  const file = join(home, 'act.json')
  await tidemarkJson(
    ...['account', 'confirm-transfer', asked.transfer_id, '--approved-by', 'risk-lead', '--save', file],
    ...['--actor', 'desk-lead', '--reason', 'statement 10'],
  )
  const terms = { account_id: 'acct_a', amount: '12.500000', destination: 'IBAN 2' }
  expect(await tidemarkJson('operator', 'show', file)).toMatchObject({ actor: 'desk-lead', transfer: terms })
  expect(JSON.parse(readFileSync(file, 'utf8')).command.transfer).toMatchObject(terms)
  await tidemarkJson('operator', 'approve', file, '--actor', 'risk-lead')
  expect(await tidemarkJson('account', 'transfers', 'acct_a', '--all')).toHaveLength(2)
  expect(await tidemarkJson('account', 'transfers')).toEqual([])
})

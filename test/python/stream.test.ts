import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pythonInterpreter } from '../support/python-interpreter.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { bustCommand } from '../support/trading/bust-command.ts'
import { withDatabase } from '../support/trading/postgres.ts'
import {
  ENVIRONMENT,
  MARKET_ID,
  OUTCOME_ID,
  PRIVATE_KEYS,
  type ServedAccounts,
  serveAccounts,
} from '../support/trading/served-accounts.ts'
import { type ServedStream, serveStream } from '../support/trading/served-streams.ts'
import { concluding, submitting } from '../support/trading/settling.ts'

const database = withDatabase()
const folder = tempFolder()
const python = pythonInterpreter('signing.txt', 'the private stream, by a client that is written apart,')
let served: ServedAccounts
let stream: ServedStream

beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  stream = await serveStream(served, { app: served.app })
}, 180_000)
afterAll(async () => {
  await stream.stop()
  await served.close()
})

type Act = { readonly act: string; readonly account_id: string; readonly fill_id: string; readonly blocked: boolean }

/** Performs an act that only an operator can. */
async function perform({ act, account_id, fill_id, blocked }: Act): Promise<object> {
  if (act === 'settle') return { state: await settle(account_id) }
  if (act === 'block') await served.act({ kind: 'block_account', account_id, blocked })
  else await served.act(bustCommand(fill_id))
  return { ok: true }
}

/** Every open settlement of an account: the first attempt fails, the second one is confirmed. */
async function settle(account_id: string): Promise<string> {
  const { rows } = await served.pool.query<{ settlement_id: string }>(
    `SELECT settlement_id FROM trading.settlement WHERE account_id = $1 AND state = 'pending'`,
    [account_id],
  )
  const ids = rows.map(({ settlement_id }) => settlement_id)
  for (const [number, result] of [
    [1, 'failed'],
    [2, 'confirmed'],
  ] as const) {
    await served.act(submitting(ids, number))
    await served.act(concluding(ids, result, number))
  }
  return 'confirmed'
}

function readyFile(): string {
  const accounts = (['acct_a', 'acct_b'] as const).map((account_id) => {
    const { key_id, secret } = served.keys[account_id] as { key_id: string; secret: string }
    return { account_id, key_id, secret, private_key: `0x${PRIVATE_KEYS[account_id].repeat(32)}` }
  })
  const { base_url, url: stream_url } = stream
  const file = join(folder, 'ready.json')
  const market = { market_id: MARKET_ID, outcome_id: OUTCOME_ID }
  writeFileSync(file, JSON.stringify({ base_url, stream_url, environment: ENVIRONMENT, ...market, accounts }))
  return file
}

test('a client in Python, written apart, hears six topics and reconciles by the procedure of docs/private-stream.md', async () => {
  const child = spawn(python, [join(ROOT, 'test/python/stream_checks.py'), readyFile()])
  let told = ''
  child.stderr.on('data', (text: Buffer) => {
    told += String(text)
  })
  const ended = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout }))
    child.stdin.write(`${JSON.stringify(await perform(JSON.parse(line) as Act))}\n`)
  const [status] = await ended
  expect(told.trim()).toMatch(/^(\d+) of \1 checks agree$/)
  expect(status).toBe(0)
}, 180_000)

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { LIMITS } from '../../../protocol/limit-table.ts'
import type { EngineReady } from '../../../service/trading/run-engine.ts'
import { BIN, tidemark } from '../../support/run-cli.ts'
import { until } from '../../support/service-process.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'

/** `tidemark engine` as processes: one leads, one stands by. */
const fresh = withDatabase()
const home = tempFolder()
const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

type Running = { readonly child: ChildProcess; readonly said: EngineReady; readonly notes: () => string }

async function startEngine(environment: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [BIN, 'engine', '--json'], { env: { ...process.env, ...environment } })
  started.push(child)
  let notes = ''
  child.stderr.on('data', (chunk: Buffer) => {
    notes += chunk.toString()
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, said: JSON.parse(line) as EngineReady, notes: () => notes }
}

test('the second stands by, takes over when the first is killed, and operators follow', async () => {
  const { url, pool } = await fresh()
  const environment = { DATABASE_URL: url, TIDEMARK_HOME: home }
  const first = await startEngine(environment)
  const second = await startEngine(environment)
  expect([first.said.phase, second.said.phase]).toEqual(['leading', 'standby'])
  expect(first.said.address).toMatch(/^127\.0\.0\.1:\d+$/)

  const add = (asset_id: string) => tidemark(['asset', 'add', asset_id, '--reason', 'a test'], { environment })
  expect((await add('asset_one')).exit_code).toBe(0)
  const ask = async ({ said }: Running, path: string) => (await fetch(new URL(path, said.metrics_url))).text()
  const [of_first, of_second] = [await ask(first, '/metrics'), await ask(second, '/metrics')]
  expect(of_first).toContain('tidemark_engine_phase{phase="leading"} 1')
  expect(of_first).toMatch(/tidemark_engine_commit_seconds_count [1-9]/)
  const named = LIMITS.flatMap(({ metric }) => (metric?.startsWith('tidemark_engine_') ? [metric] : []))
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter((name) => !of_first.includes(`# TYPE ${name} `))).toEqual([])
  expect(of_second).toContain('tidemark_engine_phase{phase="standby"} 1')
  expect(JSON.parse(await ask(second, '/readyz'))).toMatchObject({ status: 'ok', phase: 'standby' })
  const batches = await pool.query('SELECT DISTINCT epoch FROM trading.engine_batch')
  expect(batches.rows).toHaveLength(1)

  first.child.kill('SIGKILL')
  await until(() => second.notes().includes('leads with epoch'), 90_000, second.notes)
  expect(second.notes()).toMatch(/engine: leads with epoch \d+, \d+\.\d s after a leader was last seen/)
  expect(second.notes()).not.toMatch(/error/i)
  expect((await add('asset_two')).exit_code).toBe(0)
  const { stdout } = await tidemark(['asset', 'list', '--json'], { environment })
  expect(JSON.parse(stdout)).toHaveLength(2)

  second.child.kill('SIGTERM')
  expect(await once(second.child, 'exit')).toEqual([143, null])
  // Given back at an orderly end: the next one need not wait for it to expire.
  expect((await add('asset_three')).exit_code).toBe(0)
}, 120_000)

test('an address that is none is refused in one sentence', async () => {
  const { url } = await fresh()
  const environment = { DATABASE_URL: url, TIDEMARK_HOME: home }
  const { exit_code, stderr } = await tidemark(['engine', '--address', 'here'], { environment })
  expect([exit_code, stderr]).toEqual([2, expect.stringContaining('--address is "here"; allowed: host:port')])
})

test('an address that others on the network can reach is refused without TLS', async () => {
  const { url } = await fresh()
  const environment = { DATABASE_URL: url, TIDEMARK_HOME: home }
  const { exit_code, stderr } = await tidemark(['engine', '--address', '0.0.0.0:7300'], { environment })
  expect([exit_code, stderr]).toEqual([
    2,
    expect.stringMatching(/allowed without TLS: 127.0.0.1, ::1 or localhost.+TIDEMARK_ENGINE_TLS_CERT_FILE/),
  ])
})

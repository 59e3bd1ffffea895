import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { startCorrection } from '../../workflows/client/corrections.ts'
import { startReplay } from '../../workflows/client/replays.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TIDE_RANGE, tideWarehouse } from '../support/tide-warehouse.ts'
import { fakePorts } from './support/fake-ports.ts'
import { eventually, startWorker, type TestWorker, testServer } from './support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
let tide: Awaited<ReturnType<typeof tideWarehouse>>
let warehouse: Warehouse
let worker: TestWorker

beforeAll(async () => {
  tide = await tideWarehouse(folder)
  warehouse = await openWarehouse({ root: tide.root })
  worker = await startWorker(temporal, fakePorts(warehouse, folder), { queues: ['bulk'] })
}, 120_000)

afterAll(async () => {
  await worker.stop()
  await warehouse.close()
})

test('a week under two versions of a methodology: the lines of the command line, for each', async () => {
  const drafts = [tide.write('plain'), tide.write('other', { weights: ['0.8', '0.2'], parameters: 'mode: gauge' })]
  mkdirSync(join(folder, 'definitions'), { recursive: true })
  const texts: string[] = []
  for (const draft of drafts) {
    copyFileSync(draft, join(folder, 'definitions', basename(draft)))
    const { stdout } = await tidemark([
      'index',
      'replay',
      draft,
      '--from',
      TIDE_RANGE.from,
      '--to',
      TIDE_RANGE.to,
      '--json',
      '--warehouse',
      tide.root,
    ])
    const report = await replayed(basename(draft))
    expect(readFileSync(report.file, 'utf8')).toBe(stdout)
    expect(report).toMatchObject({ lines: 7, sha256: `sha256:${createHash('sha256').update(stdout).digest('hex')}` })
    texts.push(stdout)
  }
  expect(texts[0]).not.toBe(texts[1])
}, 120_000)

test('a published version, as known at an instant; and a file outside the home is refused', async () => {
  const as_of = '2026-01-07T00:00:00Z'
  const { stdout } = await tidemark([
    'index',
    'replay',
    'idx_tide@1',
    '--from',
    TIDE_RANGE.from,
    '--to',
    TIDE_RANGE.to,
    '--as-of',
    as_of,
    '--json',
    '--warehouse',
    tide.root,
  ])
  const report = await replayed('idx_tide@1', as_of)
  expect(readFileSync(report.file, 'utf8')).toBe(stdout)
  expect(report.as_of).toBe(as_of)
  await expect(replayed('../plain.yaml')).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
}, 120_000)

test('by a flag of the command line: the same lines, of a definition file from anywhere', async () => {
  const argv = ['index', 'replay', tide.write('flagged'), '--from', TIDE_RANGE.from, '--to', TIDE_RANGE.to]
  const here = await tidemark([...argv, '--json', '--warehouse', tide.root])
  const there = await tidemark([...argv, '--json', '--temporal'], { environment: environment() })
  expect(there.stderr).toMatch(/7 lines in .+ndjson/)
  expect(there).toMatchObject({ exit_code: 0, stdout: here.stdout })
  const split = await tidemark([...argv, '--json', '--temporal', '--parts', '3'], { environment: environment() })
  expect(split).toMatchObject({ exit_code: 0, stdout: here.stdout })
  expect((await tidemark([...argv, '--parts', '3'], { environment: environment() })).stderr).toContain(
    'parts is 3; allowed: only with --temporal',
  )
  const refused = await tidemark([...argv, '--temporal', '--levels'], { environment: environment() })
  expect(refused).toMatchObject({ exit_code: 2, stdout: '' })
}, 120_000)

describe('a correction', () => {
  const correction = (reason: string) => ({ index_id: 'idx_tide', from: null, to: null, reason })

  test('by a flag of the command line: what the command counts without it', async () => {
    const argv = ['index', 'correct', 'idx_tide', '--reason', 'LATE_DATA', '--json']
    const there = await tidemark([...argv, '--temporal'], { environment: environment() })
    const report = JSON.parse(there.stdout) as { ticks_checked: number; revised: number }
    expect(report.ticks_checked).toBeGreaterThan(0)
    const here = await tidemark([...argv, '--warehouse', tide.root])
    expect(JSON.parse(here.stdout)).toMatchObject({ ticks_checked: report.ticks_checked, revised: [] })
  }, 120_000)

  test('asked for twice alike it is one; another one follows it', async () => {
    const client = temporal.client()
    const [first, same] = await Promise.all([
      startCorrection(client, correction('LATE_DATA')),
      startCorrection(client, correction('LATE_DATA')),
    ])
    expect([first.is_started, same.is_started].toSorted()).toEqual([false, true])
    const other = await startCorrection(client, correction('CODE_ERROR'))
    const reports = await Promise.all([first.result(), same.result(), other.result()])
    expect(new Set(reports.map(({ ticks_checked }) => ticks_checked)).size).toBe(1)
    const runs = await corrections(3)
    const [last, before] = runs.toSorted((a, b) => +b.startTime - +a.startTime)
    expect(+last!.startTime).toBeGreaterThanOrEqual(+before!.closeTime!)
  }, 120_000)

  test('one that cannot be made tells why', async () => {
    const refused = startCorrection(temporal.client(), { ...correction('LATE_DATA'), index_id: 'idx_none' })
    await expect((await refused).result()).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
  }, 120_000)
})

/** Environment of another host than the worker's. */
const environment = () => ({
  TIDEMARK_HOME: join(folder, 'other-home'),
  TIDEMARK_WAREHOUSE: tide.root,
  TEMPORAL_ADDRESS: temporal.server().address,
})

/** Waits until the server lists `count` corrections of the index. */
/** Runs of the correction once the server lists so many as completed; its lists are behind its results. */
function corrections(count: number) {
  return eventually(async () => {
    const found = []
    for await (const run of temporal.client().workflow.list({ query: 'WorkflowId = "correct/idx_tide"' }))
      found.push(run)
    const are_done = found.every(({ status }) => status.name === 'COMPLETED')
    return found.length >= count && are_done ? found : null
  })
}

async function replayed(target: string, as_of: string | null = null) {
  const replay = await startReplay(temporal.client(), { target, ...TIDE_RANGE, as_of })
  return replay.result()
}

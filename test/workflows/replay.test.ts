import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { startReplay } from '../../workflows/client/replays.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { TIDE_RANGE, tideWarehouse } from '../support/tide-warehouse.ts'
import { fakePorts } from './support/fake-ports.ts'
import { startWorker, type TestWorker, testServer } from './support/temporal.ts'

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

async function replayed(target: string, as_of: string | null = null) {
  const replay = await startReplay(temporal.client(), { target, ...TIDE_RANGE, as_of })
  return replay.result()
}

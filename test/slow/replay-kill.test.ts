import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PublishWorld, publishWorld } from '../../bench/support/publish-world.ts'
import { MINUTE, YEAR_START } from '../../bench/support/synthetic-books.ts'
import { replayIndex, withoutReasons } from '../../operations/replay/replay-index.ts'
import { formatMicros, MICROS_PER_DAY } from '../../primitives/instants.ts'
import { startReplay } from '../../workflows/client/replays.ts'
import { childArgv } from '../support/child-argv.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { eventually, testServer } from '../workflows/support/temporal.ts'
import type { ChildOptions } from '../workflows/support/worker-child.ts'

const CHILD = fileURLToPath(new URL('../workflows/support/worker-child.ts', import.meta.url))
const DAYS = 8
const PARTS = 4
const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
const children = new Set<ChildProcess>()
let world: PublishWorld

beforeAll(async () => {
  world = await publishWorld({ indexes: 1, constituents: 8, markets: 8 })
  await world.history((DAYS * MICROS_PER_DAY) / MINUTE)
}, 300_000)

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await world.close()
})

test('a worker killed in the middle of its part: another one does it, and the lines are those of one process', async () => {
  const [from, to] = [YEAR_START, YEAR_START + DAYS * MICROS_PER_DAY].map(formatMicros) as [string, string]
  const request = { target: world.index_ids[0]!, from, to, as_of: to }
  const wanted: string[] = []
  for await (const line of replayIndex({ ...request, warehouse: world.warehouse }))
    wanted.push(JSON.stringify(withoutReasons(line)))

  const first = await startChild()
  const { workflow_id, result } = await startReplay(temporal.client(), { ...request, parts: PARTS })
  const handle = temporal.client().workflow.getHandle(workflow_id)
  const partsBegun = async () => {
    const { raw } = await handle.describe()
    return (raw.pendingActivities ?? []).filter(({ activityType }) => activityType?.name === 'replayPart')
  }
  // A worker replays one part at a time, so the part that has begun is the killed worker's.
  await eventually(async () => {
    const begun = (await partsBegun()).filter(({ lastStartedTime }) => lastStartedTime != null)
    return begun.length > 0 ? true : null
  }, 60_000)
  first.kill('SIGKILL')
  await startChild()
  const report = await result()
  expect(report.lines).toBe(wanted.length)
  expect(readFileSync(report.file, 'utf8')).toBe(`${wanted.join('\n')}\n`)
  const { events } = await handle.fetchHistory()
  const attempts = events!.map(({ activityTaskStartedEventAttributes: started }) => started?.attempt ?? 0)
  expect(Math.max(...attempts)).toBe(2)
}, 400_000)

async function startChild(): Promise<ChildProcess> {
  const options: ChildOptions = {
    address: temporal.server().address,
    root: world.warehouse.root,
    home: join(folder, `home-${children.size}`),
    base_urls: {},
    now: formatMicros(YEAR_START + DAYS * MICROS_PER_DAY),
    pause_ms: 0,
    fails: null,
  }
  const child = spawn(process.execPath, childArgv(CHILD, JSON.stringify(options)), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  await once(child.stdout, 'data')
  return child
}

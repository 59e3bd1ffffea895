import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '@temporalio/client'
import { beforeAll, expect, test } from 'vitest'
import { LIVE_VENUES } from '../../vocabulary/venue.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { connectTemporal } from '../../workflows/client/connect.ts'
import { hasWorkers, requireSameWarehouse } from '../../workflows/client/has-workers.ts'
import { reconcileSchedules } from '../../workflows/client/reconcile-schedules.ts'
import { DEFAULT_OWNER, scheduleTable } from '../../workflows/schedules.ts'
import { ingestQueue, TASK_QUEUES } from '../../workflows/task-queues.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { fakePorts } from './support/fake-ports.ts'
import { eventually, startWorker, testServer } from './support/temporal.ts'
import { versionTests } from './version-tests.ts'

const folder = tempFolder()
const home = join(folder, 'home')
const temporal = testServer(join(folder, 'temporal'))
const TABLE = scheduleTable(['kalshi', 'manifold'])
const PAUSED = /paused by ada at \S+Z \(wrong books\)/

beforeAll(async () => {
  mkdirSync(home)
  await (await openWarehouse({ root: join(home, 'warehouse'), create: true })).close()
  await reconcileSchedules(temporal.client(), TABLE, { owner: DEFAULT_OWNER })
}, 120_000)

const run = (...argv: readonly string[]) =>
  tidemark(['schedules', ...argv, '--home', home], { environment: { TEMPORAL_ADDRESS: temporal.server().address } })
const describeOf = (schedule_id: string) => temporal.client().schedule.getHandle(schedule_id).describe()

// First: its last test waits until the workers of its first ones are forgotten.
const forgotten = versionTests(temporal, home)

type Listed = { readonly schedule_id: string; readonly paused: boolean; readonly [column: string]: unknown }
async function listed(schedule_id: string, ...argv: readonly string[]): Promise<Listed | undefined> {
  const { stdout } = await run('list', '--json', ...argv)
  return (JSON.parse(stdout) as Listed[]).find((one) => one.schedule_id === schedule_id)
}

test('a pause is told, held on the server and listed with who, when and why; a second one joins it', async () => {
  const pause = ['pause', 'ingest-venue/kalshi', '--reason', 'wrong books', '--by', 'ada']
  const first = await run(...pause)
  expect([first.exit_code, first.stdout]).toEqual([0, ''])
  expect(first.stderr).toMatch(new RegExp(`^ingest-venue/kalshi is ${PAUSED.source}\n$`))
  const second = await run('pause', 'ingest-venue/kalshi', '--by', 'bob', '--reason', 'so')
  expect(second.stderr).toMatch(new RegExp(`^ingest-venue/kalshi is ${PAUSED.source} and by bob at \\S+Z`))
  const { state } = await describeOf('ingest-venue/kalshi')
  expect(state).toMatchObject({ paused: true, note: expect.stringMatching(PAUSED) })
  const view = await listed('ingest-venue/kalshi')
  expect(view).toMatchObject({
    paused: true,
    paused_by: 'ada',
    reason: 'wrong books',
    next_at: null,
    owner: 'tidemark',
  })
  expect((await run()).stdout).toMatch(new RegExp(`ingest-venue/kalshi .* paused .*${PAUSED.source}`))
  expect(await listed('ingest-venue/manifold')).toMatchObject({ paused: false, paused_by: null })
})

test.each([
  ['trigger', []],
  ['backfill', ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-01T01:00:00Z']],
])('%s of a paused schedule is refused, and says who paused it and how to go on', async (command, range) => {
  // The clock may have had a turn of it before the pause.
  const before = (await describeOf('ingest-venue/kalshi')).info.numActionsTaken
  const { exit_code, stderr } = await run(command, 'ingest-venue/kalshi', ...range)
  expect(exit_code).toBe(4)
  expect(stderr).toMatch(PAUSED)
  expect(stderr).toContain('allowed: after `tidemark schedules resume ingest-venue/kalshi` (SCHEDULE_PAUSED)')
  expect((await describeOf('ingest-venue/kalshi')).info.numActionsTaken).toBe(before)
})

test('resumed, it runs again, and can be triggered', async () => {
  expect((await run('resume', 'ingest-venue/kalshi', '--by', 'bob')).stderr).toContain(
    'ingest-venue/kalshi runs again; it was paused by ',
  )
  expect((await run('resume', 'ingest-venue/kalshi')).stderr).toBe('ingest-venue/kalshi was not paused\n')
  await eventually(async () => ((await describeOf('ingest-venue/kalshi')).state.paused ? null : true))
  expect((await run('trigger', 'seal')).exit_code).toBe(0)
  await eventually(async () => ((await describeOf('seal')).info.numActionsTaken > 0 ? true : null))
})

test('make-up is for pauses of publication that are over, each once; others make up by themselves', async () => {
  const other = await run('make-up', 'compact')
  expect([other.exit_code, other.stderr.split('\n')[0]]).toEqual([
    2,
    'error: id is compact; allowed: publish-tick; other schedules make up by themselves (VALIDATION_USAGE_INVALID)',
  ])
  expect((await run('make-up', 'publish-tick')).stderr).toContain('no pause of publication is to be made up for')
  await run('pause', 'publish-tick', '--by', 'ada', '--reason', 'wrong books')
  const early = await run('make-up', 'publish-tick')
  expect([early.exit_code, early.stderr]).toEqual([4, expect.stringMatching(PAUSED)])
  await run('resume', 'publish-tick')
  const { exit_code, stdout } = await run('make-up', 'publish-tick', '--json')
  expect(exit_code).toBe(0)
  expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ levels: 0, marks: 0, refused: [] })])
  expect((await run('make-up', 'publish-tick')).exit_code).toBe(2)
  const half = await run('make-up', 'publish-tick', '--from', '2026-01-01T00:00:00Z')
  expect(half.stderr).toContain('allowed: both --from and --to, or none')
})

test('remove deletes it from the server; a worker whose table has it makes it again', async () => {
  expect((await run('remove', 'ingest-venue/manifold')).exit_code).toBe(0)
  await expect(describeOf('ingest-venue/manifold')).rejects.toThrow()
  const { created } = await reconcileSchedules(temporal.client(), TABLE, { owner: DEFAULT_OWNER })
  expect(created).toEqual(['ingest-venue/manifold'])
})

test.each(['pause', 'resume'])('%s in a home without a warehouse is refused, and makes none', async (command) => {
  const bare = join(folder, 'bare')
  const { exit_code, stderr } = await tidemark(['schedules', command, 'compact', '--reason', 'so', '--home', bare])
  expect([exit_code, stderr]).toEqual([3, expect.stringContaining('there is no warehouse in')])
  expect(existsSync(join(bare, 'warehouse'))).toBe(false)
})

test('a pause without a reason is refused, and pauses nothing', async () => {
  const { exit_code, stderr } = await run('pause', 'seal')
  expect([exit_code, stderr]).toEqual([2, expect.stringContaining('--reason')])
  expect(await listed('seal')).toMatchObject({ paused: false })
})

test.each([
  ['pause', 'absent', '--reason', 'so'],
  ['resume', 'absent'],
  ['trigger', 'absent'],
  ['remove', 'absent'],
])('%s of an unknown schedule is refused', async (...argv) => {
  const { exit_code, stderr } = await run(...argv)
  expect(exit_code).toBe(3)
  expect(stderr).toBe(
    'error: there is no schedule absent; allowed: an id that `tidemark schedules list` shows (SCHEDULE_NOT_FOUND)\n',
  )
})

test('a server without schedules says so', async () => {
  const { workflowService } = temporal.client().connection as Connection
  await workflowService.registerNamespace({
    namespace: 'empty',
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  await eventually(async () => workflowService.describeNamespace({ namespace: 'empty' }).catch(() => null))
  const environment = { TEMPORAL_ADDRESS: temporal.server().address, TEMPORAL_NAMESPACE: 'empty' }
  const list = (...argv: readonly string[]) =>
    tidemark(['schedules', 'list', '--home', join(folder, 'empty'), ...argv], { environment })
  const listed = await eventually(async () => {
    const answer = await list()
    return answer.exit_code === 0 ? answer : null // the namespace is known everywhere some seconds later
  })
  expect([listed.stdout, listed.stderr]).toEqual(['', 'there are no schedules\n'])
  expect(JSON.parse((await list('--json')).stdout)).toEqual([])
}, 120_000)

test('without a server the same commands hold for the scheduler in the process', async () => {
  const alone = (...argv: readonly string[]) => tidemark(['schedules', ...argv, '--home', home])
  const paused = await alone('pause', 'compact', '--by', 'ada', '--reason', 'wrong books')
  expect([paused.exit_code, paused.stderr]).toEqual([0, expect.stringMatching(PAUSED)])
  const all = JSON.parse((await alone('list', '--json')).stdout) as Listed[]
  expect(all.find(({ schedule_id }) => schedule_id === 'compact')).toMatchObject({ paused: true, paused_by: 'ada' })
  const { stdout } = await alone()
  expect([stdout.includes(' paused '), stdout.includes(' unknown '), / runs /.test(stdout)]).toEqual([
    true,
    true,
    false,
  ])
  const triggered = await alone('trigger', 'compact')
  expect([triggered.exit_code, triggered.stderr]).toEqual([4, expect.stringContaining('no Temporal server runs for')])
  expect((await alone('resume', 'compact')).stderr).toContain('compact runs again; it was paused by ')
})

test('a backfill cannot be left alone where no worker goes on with it', async () => {
  const range = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-02T00:00:00Z']
  const argv = ['backfill', '--venue', 'kalshi', ...range, '--detach']
  const environment = { TEMPORAL_ADDRESS: temporal.server().address, TIDEMARK_HOME: home }
  const { exit_code, stderr } = await tidemark(argv, { environment })
  expect(exit_code).toBe(2)
  expect(stderr).toContain('detach is given; allowed: only while `tidemark up` or `tidemark worker` runs')
  const both = await tidemark([...argv, '--in-process'], { environment })
  expect([both.exit_code, both.stderr]).toEqual([
    2,
    expect.stringMatching(/^error: --in-process is given with --detach; allowed: one of the two/),
  ])
})

test('commands of a home whose warehouse is not that of the workers are refused', async () => {
  const of = async (name: string) => {
    const root = join(folder, name, 'warehouse')
    await (await openWarehouse({ root, create: true })).close()
    return root
  }
  const [theirs, ours] = [await of('theirs'), await of('ours')]
  const worker = await startWorker(temporal, fakePorts({ root: theirs }, folder), { queues: ['bulk'] })
  const connected = await connectTemporal(temporal.server())
  try {
    await eventually(async () => (await hasWorkers(connected, 'bulk')) || null)
    // It asks for activities and for workflows, one a moment after the other.
    const isOther = () =>
      requireSameWarehouse(connected, ours).then(
        () => null,
        () => true,
      )
    await eventually(isOther)
    const environment = { TEMPORAL_ADDRESS: temporal.server().address, TIDEMARK_HOME: join(folder, 'ours') }
    const range = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-02T00:00:00Z']
    for (const argv of [
      ['backfill', '--venue', 'kalshi', ...range],
      ['schedules', 'pause', 'compact', '--reason', 'so'],
    ]) {
      const { exit_code, stderr } = await tidemark(argv, { environment })
      expect([exit_code, stderr]).toEqual([
        2,
        expect.stringMatching(/^error: warehouse is \S*ours\S* \(\S+\), but at .* works/),
      ])
    }
    await requireSameWarehouse(connected, theirs)
    await expect(requireSameWarehouse(connected, ours)).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
  } finally {
    await connected.close()
    await worker.stop()
  }
}, 120_000)

test('the backlog counts tasks that wait and the workers that there are, by kind of work', async () => {
  type Queue = { readonly kind: string; readonly queue: string; readonly task: string; readonly workers: number }
  const environment = { TEMPORAL_ADDRESS: temporal.server().address, TIDEMARK_HOME: home }
  const measured = async () => {
    const { stdout, stderr, exit_code } = await tidemark(['backlog', '--json'], { environment })
    expect([exit_code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout) as (Queue & { readonly waiting: number; readonly oldest_s: number })[]
  }
  const start = { workflowId: 'correct/idx_a', taskQueue: TASK_QUEUES.settlement, args: [{ index_id: 'idx_a' }] }
  const handle = await temporal.client().workflow.start('correct', start)
  const worker = await startWorker(temporal, fakePorts({ root: home }, home), { queues: ['settlement'] })
  await eventually(async () => ((await handle.describe()).raw.pendingActivities?.length ? true : null))
  const compute = async () => (await measured()).find(({ kind, waiting }) => kind === 'compute' && waiting > 0)
  const waiting = await eventually(async () => (await compute()) ?? null)
  await worker.stop()
  await handle.terminate()
  // Its workflow was decided; its activity is of another kind, which nobody works on. A busy server counts one task twice.
  expect(waiting).toMatchObject({ kind: 'compute', queue: 'tidemark-compute', task: 'activity' })
  const all = await measured()
  expect(all.find(({ kind, task }) => kind === 'settlement' && task === 'activity')).toMatchObject({ workers: 1 })
  expect(all.filter(({ kind }) => kind === 'ingest').map(({ queue }) => queue)).toEqual(LIVE_VENUES.map(ingestQueue))
  expect((await tidemark(['backlog'], { environment })).stdout).toMatch(/compute +│? *tidemark-compute/)
}, 120_000)

forgotten()

import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backfillIdOf } from '../../operations/backfill/backfill-subject.ts'
import { recordPause } from '../../operations/pause/record-schedule-act.ts'
import { readSettings } from '../../service/configuration.ts'
import { outageNotes, problemNotes } from '../../service/outage-notes.ts'
import type { Output } from '../../service/output.ts'
import { runThroughTemporal } from '../../service/temporal/backfill-through-temporal.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { activityTroubles, startBackfill } from '../../workflows/client/backfills.ts'
import { connectTemporal } from '../../workflows/client/connect.ts'
import { hasWorkers } from '../../workflows/client/has-workers.ts'
import { workerNote } from '../../workflows/worker/run-worker.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { fakePorts } from './support/fake-ports.ts'
import { CHUNK } from './support/scenarios.ts'
import { DAYS, forever, scriptedBackfills, seconds, subjectOf } from './support/scripted-backfills.ts'
import { eventually, startWorker, type TestWorker, testServer } from './support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
const { script, interceptors } = scriptedBackfills()
let worker: TestWorker

beforeAll(async () => {
  const ports = fakePorts({ root: folder }, folder)
  worker = await startWorker(temporal, ports, { queues: ['bulk'], interceptors })
  // The server lists a worker after its first poll; until then a command would start one of its own.
  const connected = await connectTemporal(temporal.server())
  await eventually(async () => (await hasWorkers(connected, 'bulk')) || null)
  await connected.close()
}, 120_000)
afterAll(() => worker.stop())

function runOf(market: string, more: { readonly detach?: boolean } = {}) {
  const notes: string[] = []
  const stop = new AbortController()
  let follows = false
  const progress = async () => {
    follows = true
    return { update: () => undefined, finish: () => undefined }
  }
  const note = (text: string) => void notes.push(text)
  const output = { json: false, note, problem: note, progress } as unknown as Output
  const settings = {
    ...readSettings({ home: join(folder, 'home') }, {}),
    temporal_address: temporal.server().address,
  }
  const options = { settings, environment: {}, output, signal: stop.signal, base_url: null, detach: false, ...more }
  return { report: runThroughTemporal(subjectOf(market), options), notes, stop, isFollowing: () => follows }
}

const stateOf = async (workflow_id: string) =>
  (await temporal.client().workflow.getHandle(workflow_id).describe()).status.name

describe('a backfill through Temporal', () => {
  test('with --detach is started and nothing more: nobody waits for its worker, and an interruption cancels nothing', async () => {
    script.set('DETACHED', [forever])
    const { report, stop } = runOf('DETACHED', { detach: true })
    const { workflow_id, state, backfill_id } = await report
    expect(state).toBe('planning')
    stop.abort()
    const handle = temporal.client().workflow.getHandle(workflow_id)
    await eventually(async () =>
      ((await handle.query('progress')) as { state: string }).state === 'running' ? true : null,
    )
    expect(await stateOf(workflow_id)).toBe('RUNNING')
    await handle.cancel()
    expect(backfill_id).toMatch(/^bkf_/)
  }, 120_000)

  test('counts chunks, not parts, while a part is in progress', async () => {
    script.set('SLOW', [seconds(5.5), forever])
    const { report, stop, notes, isFollowing } = runOf('SLOW')
    await eventually(async () => (isFollowing() ? true : null))
    const handle = await startBackfill(temporal.client(), subjectOf('SLOW'))
    const seen = await eventually(async () => {
      const progress = await handle.progress()
      return progress !== null && progress.chunks_done > 0 ? progress : null
    })
    expect(seen).toMatchObject({ chunks_total: DAYS, chunks_done: 1, records_new: CHUNK.records_new, state: 'running' })
    stop.abort()
    await expect(report).rejects.toThrow('aborted')
    expect(await stateOf(handle.workflow_id)).toBe('CANCELLED')
    expect(notes.at(-2)).toBe(`cancelling ${handle.workflow_id}`)
    const so_far = `after 1 of ${DAYS} chunks, with ${CHUNK.records_new} new records stored`
    expect(notes.at(-1)).toBe(`the backfill was cancelled ${so_far}; the same command continues it`)
  }, 120_000)

  test('that another command started is only watched: an interruption cancels nothing, and says how to', async () => {
    script.set('WATCHED', [forever])
    const { workflow_id, is_started } = await startBackfill(temporal.client(), subjectOf('WATCHED'))
    expect(is_started).toBe(true)
    const { report, stop, notes, isFollowing } = runOf('WATCHED')
    await eventually(async () => (isFollowing() ? true : null))
    stop.abort()
    await expect(report).rejects.toThrow('aborted')
    const cancel = `tidemark backfill cancel ${backfillIdOf(subjectOf('WATCHED'))}`
    expect(notes.at(-1)).toBe(
      `stopped watching ${workflow_id}, which this command did not start: it goes on; to cancel it: ${cancel}`,
    )
    const handle = temporal.client().workflow.getHandle(workflow_id)
    expect((await handle.describe()).raw.workflowExtendedInfo?.cancelRequested ?? false).toBe(false)
    expect(await stateOf(workflow_id)).toBe('RUNNING')
    await handle.cancel()
  }, 120_000)

  test('that is cancelled during an outage says so, and not that the outage is over', async () => {
    const away = async () => Promise.reject(ApplicationFailure.retryable('kalshi does not answer', 'VENUE_UNAVAILABLE'))
    script.set(
      'GONE',
      Array.from({ length: 50 }, () => away),
    )
    const { report, stop, notes } = runOf('GONE')
    await eventually(async () => (notes.some((text) => text.includes('kalshi does not answer')) ? true : null))
    stop.abort()
    await expect(report).rejects.toThrow('aborted')
    expect(notes.at(-1)).toContain(`the backfill was cancelled after 0 of ${DAYS} chunks`)
    expect(notes.filter((text) => text.includes('over after'))).toEqual([])
  }, 120_000)

  test('says what it waits for while a venue is away, and that this is over', async () => {
    let fails = 4
    const away = async () => {
      if (fails-- > 0) throw ApplicationFailure.retryable('kalshi does not answer', 'VENUE_UNAVAILABLE')
    }
    script.set('AWAY', [away, away, away, away, away])
    const { report, notes } = runOf('AWAY')
    expect(await report).toMatchObject({ state: 'done', chunks_done: DAYS })
    const told = notes.filter((text) =>
      /backfillChunk failed \d times: kalshi does not answer \(VENUE_UNAVAILABLE\)/.test(text),
    )
    expect(told[0]).toMatch(/; retrying since \d{4}-/)
    expect(told.at(-1)).toMatch(/: over after \d+ s$/)
  }, 120_000)
})

describe('an outage of the Temporal server while the command waits', () => {
  test('is noted, and its end; the backfill goes on, also after a kill', async () => {
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    // Whatever the outage does to attempts, the first chunk is done after it.
    script.set(
      'OUTAGE',
      Array.from({ length: 20 }, () => () => opened),
    )
    const { report, notes, isFollowing } = runOf('OUTAGE')
    const noted = (pattern: RegExp) => async () => (notes.some((text) => pattern.test(text)) ? true : null)
    await eventually(async () => (isFollowing() ? true : null))
    temporal.freeze()
    await eventually(noted(/^the Temporal server does not answer; retrying since \d{4}-\S+Z$/)).finally(temporal.thaw)
    await eventually(noted(/^the Temporal server does not answer: over after \d+ s$/))
    temporal.kill()
    open()
    expect(await report).toMatchObject({ state: 'done', chunks_done: DAYS, failed: [] })
  }, 120_000)
})

describe('the command tidemark backfill', () => {
  const home = join(folder, 'cli')
  const command = (market: string, ...more: readonly string[]) => {
    const range = ['--from', '2026-01-01T00:00:00Z', '--to', '2026-01-04T00:00:00Z']
    const argv = ['backfill', '--venue', 'kalshi', ...range, '--market', market, ...more]
    return tidemark(argv, { environment: environmentOf() })
  }
  const environmentOf = () => ({ TEMPORAL_ADDRESS: temporal.server().address, TIDEMARK_HOME: home })

  test('with --detach prints what it started, and ends', async () => {
    script.set('LEFT', [forever])
    const { exit_code, stdout } = await command('LEFT', '--detach', '--json')
    const report = JSON.parse(stdout) as { workflow_id: string; state: string }
    expect([exit_code, report.state]).toEqual([0, 'planning'])
    await eventually(async () => ((await stateOf(report.workflow_id)) === 'RUNNING' ? true : null))
    await temporal.client().workflow.getHandle(report.workflow_id).cancel()
  }, 120_000)

  test('with --detach says what it started, that it runs already, and that a pause holds it', async () => {
    script.set('TOLD', [forever])
    const id = backfillIdOf(subjectOf('TOLD'))
    const later = `the same command without --detach follows it, and \`tidemark backfill cancel ${id}\` cancels it`
    const follow = `and goes on without this command; ${later}`
    const started = await command('TOLD', '--detach')
    expect([started.exit_code, started.stderr]).toEqual([0, `backfill/${id} was started ${follow}\n`])
    const [head, row] = started.stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(Object.fromEntries(head!.map((name, n) => [name, row![n]]))).toMatchObject({
      ...{ backfill: id, of: 'kalshi', from: '2026-01-01T00:00:00Z', to: '2026-01-04T00:00:00Z' },
      state: 'planning',
    })
    const warehouse = await openWarehouse({ root: join(home, 'warehouse'), create: true })
    await recordPause(warehouse, 'ingest-venue/kalshi', { actor: 'ada', reason: 'wrong books' })
    await warehouse.close()
    const again = await command('TOLD', '--detach')
    const lines = again.stderr.split('\n')
    expect([again.exit_code, lines[0]]).toEqual([0, `backfill/${id} was running already ${follow}`])
    expect(lines[1]).toMatch(
      /^it waits for the end of a pause: ingest-venue\/kalshi is paused by ada at \S+Z \(wrong books\); allowed: after `tidemark schedules resume ingest-venue\/kalshi`$/,
    )
    expect(lines.slice(2)).toEqual([''])
    await temporal.client().workflow.getHandle(`backfill/${id}`).cancel()
  }, 120_000)

  test('cancel ends a backfill that runs, by its id or its workflow, and says what is stored; others it leaves or refuses', async () => {
    script.set('CANCELLED', [forever])
    const id = backfillIdOf(subjectOf('CANCELLED'))
    await command('CANCELLED', '--detach')
    const handle = temporal.client().workflow.getHandle(`backfill/${id}`)
    const stateNow = () => handle.query<{ state: string }, []>('progress').catch(() => null)
    await eventually(async () => ((await stateNow())?.state === 'running' ? true : null))
    const cancel = (...argv: readonly string[]) =>
      tidemark(['backfill', 'cancel', ...argv], { environment: environmentOf() })
    const first = await cancel(id)
    const so_far = `the backfill was cancelled after 0 of ${DAYS} chunks, with 0 new records stored`
    expect([first.exit_code, first.stdout, first.stderr]).toEqual([
      ...[0, '', `cancelling backfill/${id}\n${so_far}; the command that began it continues it\n`],
    ])
    expect(await stateOf(`backfill/${id}`)).toBe('CANCELLED')
    const again = await cancel(`backfill/${id}`, '--json')
    expect([again.exit_code, again.stderr]).toEqual([0, `backfill/${id} was not running\n`])
    expect(JSON.parse(again.stdout)).toEqual({
      ...{ backfill_id: id, workflow_id: `backfill/${id}`, state: 'cancelled' },
      ...{ chunks_total: DAYS, chunks_done: 0, records_new: 0 },
    })
    for (const unknown of ['bkf_0123', 'kalshi']) {
      const refused = await cancel(unknown)
      expect([refused.exit_code, refused.stderr.split('\n')[0]]).toEqual([
        ...[2, expect.stringMatching(`^error: id is ${unknown}; allowed: the id of a backfill through Temporal`)],
      ])
    }
    expect((await cancel()).stderr).toContain('id is missing')
    const missing = await tidemark(['backfill', '--venue', 'kalshi'], { environment: environmentOf() })
    expect([missing.exit_code, missing.stderr]).toEqual([2, expect.stringContaining('--from is missing')])
  }, 120_000)

  test('ends with 1 when somebody else cancels its backfill: it is not done', async () => {
    script.set('TAKEN', [seconds(2), forever])
    const running = command('TAKEN', '--json')
    const handle = temporal.client().workflow.getHandle(`backfill/${backfillIdOf(subjectOf('TAKEN'))}`)
    const stateNow = () => handle.query<{ state: string }, []>('progress').catch(() => null)
    await eventually(async () => ((await stateNow())?.state === 'running' ? true : null))
    await handle.cancel()
    const { exit_code, stdout, stderr } = await running
    expect([exit_code, (JSON.parse(stdout) as { state: string }).state]).toEqual([1, 'cancelled'])
    expect(stderr).toContain('another command or a person cancelled this backfill; the same command continues it\n')
  }, 120_000)
})

describe('a namespace without our search attributes', () => {
  const NAMESPACE = 'bare'

  test('gets them from whoever starts first; without the right to register them, one sentence says what to do', async () => {
    const connection = await Connection.connect({ address: temporal.server().address })
    const day = { seconds: 86_400 as never }
    await connection.workflowService.registerNamespace({
      namespace: NAMESPACE,
      workflowExecutionRetentionPeriod: day,
    })
    const denied = async () => Promise.reject(Object.assign(new Error('denied'), { code: 7 }))
    const limited = new Proxy(connection, {
      get: (target, name) =>
        name === 'operatorService'
          ? { listSearchAttributes: denied, addSearchAttributes: denied }
          : Reflect.get(target, name, target),
    })
    const start = (through: Connection) =>
      startBackfill(new Client({ connection: through, namespace: NAMESPACE }), subjectOf('BARE'))
    await eventually(async () =>
      connection.workflowService.describeNamespace({ namespace: NAMESPACE }).catch(() => null),
    )
    await expect(start(limited)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('temporal operator search-attribute create --namespace bare --name venue_id'),
    })
    const { workflow_id } = await start(connection)
    const client = new Client({ connection, namespace: NAMESPACE })
    const found = await client.workflow.getHandle(workflow_id).describe()
    expect(found.searchAttributes).toMatchObject({ venue_id: ['kalshi'] })
    await connection.close()
  }, 120_000)
})

describe('problems that repeat', () => {
  const START = Date.parse('2026-01-01T00:00:00Z')
  const server = { cause: 'server', text: 'the Temporal server does not answer' }

  test('a wait is noted once per cause when it begins, at growing intervals, and when it is over', () => {
    let now = START
    const notes: string[] = []
    const waiting = outageNotes(
      (text) => notes.push(text),
      () => now,
    )
    for (let second = 0; second < 400; second += 1, now += 1_000) {
      waiting.report(server)
      waiting.report({ cause: 'venue', text: `chunk ${second} failed ${second} times` })
    }
    waiting.report(null)
    waiting.report(null)
    const since = 'retrying since 2026-01-01T00:00:00.000Z'
    expect(notes).toEqual([
      ...[0, 60, 180].flatMap((at) => [`${server.text}; ${since}`, `chunk ${at} failed ${at} times; ${since}`]),
      'chunk 399 failed 399 times: over after 400 s',
    ])
  })

  test('of many sources are one line, their count at intervals, and one line when they end', () => {
    let now = START
    const notes: string[] = []
    const problems = problemNotes(
      (text) => notes.push(text),
      () => now,
    )
    const full = (n: number) => `worker: Activity failed [backfill/bkf_${n} backfillChunk]: the disk is full`
    problems.report('kalshi does not answer; retrying')
    for (let n = 0; n < 16; n += 1, now += 5_000) problems.report(full(n))
    const counted = `${full(12)} (13 times since 2026-01-01T00:00:00.000Z)`
    expect(notes).toEqual(['kalshi does not answer; retrying', full(0), counted])
    now += 60_000
    problems.sweep()
    expect(notes).toHaveLength(3)
    now += 100_000
    problems.sweep()
    problems.sweep()
    const span = 'from 2026-01-01T00:00:00.000Z to 2026-01-01T00:01:15.000Z'
    expect(notes.slice(3)).toEqual([`over: ${full(15)} (16 times ${span})`])
    problems.report(full(0))
    expect(notes.at(-1)).toBe(full(0))
  })
})

test('an activity that failed is told with its reason; a missing heartbeat says what stopped', () => {
  const of = (lastFailure: object) =>
    activityTroubles('backfill/bkf_1/M/a', [{ activityType: { name: 'backfillChunk' }, attempt: 3, lastFailure }])
  const failed = 'backfill/bkf_1/M/a: backfillChunk failed 2 times'
  const away = { message: 'kalshi does not answer', applicationFailureInfo: { type: 'VENUE_UNAVAILABLE' } }
  expect(of(away)).toEqual([
    { cause: 'backfillChunk VENUE_UNAVAILABLE', text: `${failed}: kalshi does not answer (VENUE_UNAVAILABLE)` },
  ])
  const timedOut = (timeoutType: number) =>
    of({ message: 'activity timeout', timeoutFailureInfo: { timeoutType } })[0]?.text
  expect(timedOut(4)).toBe(`${failed}: its worker stopped, or sent no sign of life in time`)
  expect(timedOut(1)).toBe(`${failed}: it took longer than it may`)
  expect(activityTroubles('backfill/bkf_1/M/a', [{ attempt: 1 }])).toEqual([])
})

test('a failing task of a worker is told with the workflow that it is of', () => {
  const meta = { workflowId: 'backfill/bkf_1', activityType: 'backfillChunk', error: new Error('no such market') }
  expect(workerNote('Activity failed', meta)).toBe(
    'worker: Activity failed [backfill/bkf_1 backfillChunk]: no such market',
  )
  expect(workerNote('Failing workflow task', { run_id: 'r-1' })).toBe('worker: Failing workflow task [r-1]')
})

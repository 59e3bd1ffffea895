import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Connection, WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aborted } from '../../workflows/aborted.ts'
import { connectTemporal, type TemporalClient } from '../../workflows/client/connect.ts'
import { hasWorkers } from '../../workflows/client/has-workers.ts'
import { joinDeployment } from '../../workflows/client/join-deployment.ts'
import type { WorkerVersion } from '../../workflows/client/worker-versions.ts'
import { TASK_QUEUES } from '../../workflows/task-queues.ts'
import { tidemark } from '../support/run-cli.ts'
import { fakePorts, TICK } from './support/fake-ports.ts'
import { eventually, startWorker, type TestServer, type TestWorker } from './support/temporal.ts'

const NAMESPACE = 'versions'
/** A server forgets a worker after a minute; so often is enough to look. */
const LOOK_MS = 3_000
const POLL = { interval: 250, timeout: 110_000 }

/**
 * Tests of a fleet with versions, in a namespace of a server that other tests use too.
 * @returns declares the last test, for which the workers of the first ones must be forgotten
 */
export function versionTests(temporal: TestServer, home: string): () => void {
  const server = () => ({ ...temporal.server(), namespace: NAMESPACE })
  const environment = () => ({ TEMPORAL_ADDRESS: server().address, TEMPORAL_NAMESPACE: NAMESPACE, TIDEMARK_HOME: home })
  const worker = (...argv: readonly string[]) => tidemark(['worker', ...argv], { environment: environment() })
  const versions = async () => JSON.parse((await worker('versions', '--json')).stdout) as WorkerVersion[]
  const versionOf = async (build_id: string) => (await versions()).find((one) => one.build_id === build_id)
  const becomes = (build_id: string, expected: Partial<WorkerVersion>) =>
    expect.poll(() => versionOf(build_id), POLL).toMatchObject(expected)
  const ending = new AbortController()
  const notes: string[] = []
  const problems: unknown[] = []
  const working: TestWorker[] = []
  let connected: TemporalClient
  let client: Client

  /** Gates of a tick and of a session; each build publishes ticks that name it. */
  const gate = { tick: new AbortController(), session: new AbortController() }

  async function begin(
    build_id: string | null,
    queues: readonly ('publish' | 'ingest' | 'live')[],
  ): Promise<TestWorker> {
    const ports = fakePorts({ root: home }, home, {
      publish: async () => {
        if (build_id === 'one') await aborted(gate.tick.signal)
        return { ...TICK, at: String(build_id) }
      },
      ...(build_id === 'one' && {
        ingest: async () => {
          await aborted(gate.session.signal)
          return { records_new: 1, gaps: 0, quarantined: 0, last_source_at: null }
        },
      }),
    })
    const started = await startWorker({ server }, ports, { queues, venues: ['kalshi'], build_id })
    working.push(started)
    await join(build_id)
    return started
  }

  async function join(build_id: string | null): Promise<void> {
    const { signal } = ending
    const on_note = (text: string) => void notes.push(text)
    const on_problem = (error: unknown) => void problems.push(error)
    await joinDeployment({ server: server(), build_id, kind: 'publish', signal, on_note, on_problem })
  }

  const start = (type: string, args: object) =>
    client.workflow.start(type, {
      workflowId: `${type}/${JSON.stringify(args)}`,
      taskQueue: TASK_QUEUES.live,
      args: [args],
    })

  /** Builds that completed tasks of a run, in turn. */
  async function buildsOf(handle: WorkflowHandle): Promise<readonly (string | null | undefined)[]> {
    const { events } = await handle.fetchHistory()
    return (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
      done ? [done.deploymentVersion?.buildId] : [],
    )
  }

  beforeAll(async () => {
    const { workflowService } = temporal.client().connection as Connection
    const day = { seconds: 86_400 as never }
    await workflowService.registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod: day })
    await eventually(async () => workflowService.describeNamespace({ namespace: NAMESPACE }).catch(() => null))
    connected = await connectTemporal(server())
    client = connected.client
  }, 120_000)

  afterAll(async () => {
    for (const one of [ending, gate.tick, gate.session]) one.abort()
    await Promise.all(working.map((one) => one.stop()))
    await connected?.close()
  })

  let tick: WorkflowHandle
  let stuck: WorkflowHandle
  let endless: WorkflowHandle

  test('the first build is current at once, and receives the work', async () => {
    expect(await versions()).toEqual([
      { build_id: 'unversioned', state: 'current', workers: 0, open_workflows: 0, may_stop: false },
    ])
    await begin('one', ['live'])
    await becomes('one', { state: 'current', workers: 1, open_workflows: 0, may_stop: false })
    expect((await versions()).length).toBe(1)
    tick = await start('publishTick', { tick_at: '2026-01-01T00:01:00Z' })
    endless = await start('ingestVenue', { venue_id: 'kalshi', session_ms: 1, sessions: 0, records_new: 0 })
    stuck = await start('correct', { index_id: 'idx_a' }) // nobody serves the queue of its activity
    for (const handle of [tick, endless, stuck])
      await eventually(async () => ((await buildsOf(handle)).length > 0 ? true : null))
    expect(notes).toEqual([])
  })

  test('a later build waits until it is promoted, which needs workers for all that the current one serves', async () => {
    await begin('two', ['publish'])
    expect(notes.splice(0)).toEqual([expect.stringContaining('before `tidemark worker promote two`; current is one')])
    await becomes('two', { state: 'inactive', workers: 1, may_stop: true })
    const unknown = await worker('promote', 'three')
    expect([unknown.exit_code, unknown.stderr]).toEqual([
      2,
      expect.stringMatching(/^error: build is three; allowed: (one, two|two, one), unversioned/),
    ])
    await eventually(async () => {
      const { exit_code, stderr } = await worker('promote', 'two')
      expect(exit_code).toBe(2)
      return stderr.includes('build is two, whose workers do not serve tidemark-ingest-kalshi; allowed: after') || null
    })
    const none = await worker('promote', 'unversioned')
    expect([none.exit_code, none.stderr]).toEqual([2, expect.stringContaining('unversioned, which no worker serves')])
    await begin('two', ['ingest'])
    notes.length = 0
    await eventually(async () => (await worker('promote', 'two')).stderr === 'two is current; it was one\n' || null)
    await becomes('two', { state: 'current', workers: 1, may_stop: false })
    await becomes('one', { state: 'draining', workers: 1, may_stop: false })
  })

  test('a short workflow ends with its build while the next one begins with the new one; an endless one moves', async () => {
    const next = await start('publishTick', { tick_at: '2026-01-01T00:02:00Z' })
    expect(await next.result()).toMatchObject({ at: 'two' })
    gate.tick.abort()
    expect(await tick.result()).toMatchObject({ at: 'one' })
    expect(new Set(await buildsOf(tick))).toEqual(new Set(['one']))
    expect(new Set(await buildsOf(next))).toEqual(new Set(['two']))
    const first = (await endless.describe()).runId
    gate.session.abort()
    const run = await eventually(async () => {
      const { runId } = await client.workflow.getHandle(endless.workflowId).describe()
      const later = client.workflow.getHandle(endless.workflowId, runId)
      return runId !== first && (await buildsOf(later)).length > 0 ? later : null
    })
    expect(await buildsOf(client.workflow.getHandle(endless.workflowId, first))).toEqual(['one', 'two'])
    expect(await buildsOf(run)).toEqual(['two'])
    await becomes('one', { open_workflows: 1 })
    await Promise.all(working.splice(0).map((one) => one.stop()))
    expect([notes, problems]).toEqual([[], []])
  })

  return () => {
    test('a build without workers is listed with the workflows that wait for it', async () => {
      await eventually(async () => {
        const found = await versions()
        if (found.every(({ workers }) => workers === 0)) return true
        await sleep(LOOK_MS)
        return null
      })
      const { stdout, stderr, exit_code } = await worker('versions')
      expect([exit_code, stderr]).toEqual([0, '1 open workflow waits for a worker of build one, which has none\n'])
      expect(stdout).toMatch(/one +│? *(draining|drained)/)
      await becomes('one', { open_workflows: 1, may_stop: false })
      await stuck.terminate()
    })

    test('a worker without a version receives nothing until it is promoted; after that no build promotes itself', async () => {
      await begin(null, ['publish'])
      expect(notes.splice(0)).toEqual([expect.stringContaining('receives no new work: build two is current')])
      await becomes('unversioned', { state: 'inactive', workers: 1, may_stop: true })
      expect(await hasWorkers(connected, 'publish')).toBe(false)
      expect((await worker('promote', 'unversioned')).stderr).toBe('unversioned is current; it was two\n')
      await eventually(async () => (await hasWorkers(connected, 'publish')) || null)
      const next = await start('publishTick', { tick_at: '2026-01-01T00:03:00Z' })
      expect(await next.result()).toMatchObject({ at: 'null' })
      await join('two')
      expect(notes.splice(0)).toEqual([expect.stringContaining('promote two`; current is unversioned')])
      expect(problems).toEqual([])
    })
  }
}

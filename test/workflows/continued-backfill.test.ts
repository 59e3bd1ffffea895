import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from '@temporalio/activity'
import type { WorkerInterceptors } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import { formatMicros, MICROS_PER_DAY } from '../../primitives/instants.ts'
import { emptyTally } from '../../simulator/truth/trade-tally.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/warehouse.ts'
import { openChunkJournal } from '../../workflows/activities/chunk-journal.ts'
import { readChunkNotes } from '../../workflows/activities/chunk-notes.ts'
import type { BackfillReport } from '../../workflows/backfill-course.ts'
import { NO_CHUNKS } from '../../workflows/backfill-plan.ts'
import { startBackfill } from '../../workflows/client/backfills.ts'
import { FROM, portsOf, recordsOf, servePast, TO } from '../operations/backfill/served-past.ts'
import { START } from '../simulator/support/small-world.ts'
import type { ServedVenue } from '../support/served-venue.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { fakePorts } from './support/fake-ports.ts'
import { CHUNK } from './support/scenarios.ts'
import { eventually, startWorker, type TestWorker, testServer } from './support/temporal.ts'

const folder = tempFolder()
const temporal = testServer(join(folder, 'temporal'))
/** Chunks that may begin before one hangs until it is cancelled, how many of them are done, and the chunks that began. */
const gate = { open: 0, done: 0, begun: [] as string[] }
let served: ServedVenue
let warehouse: Warehouse
/** Two hosts with a home of their own each, and the chunks that each began. */
let hosts: Host[]
type Host = { readonly worker: TestWorker; readonly begun: Set<string>; close(): Promise<void> }

const gated = (begun: Set<string>): WorkerInterceptors => ({
  activity: [
    () => ({
      inbound: {
        execute: async (input, next) => {
          if (Context.current().info.activityType !== 'backfillChunk') return next(input)
          const { source_market_id, from } = input.args[0] as { source_market_id: string; from: string }
          const chunk = `${source_market_id} ${from}`
          gate.begun.push(chunk)
          begun.add(chunk)
          if (gate.open-- <= 0) await hang()
          const report = await next(input)
          gate.done += 1
          return report
        },
      },
    }),
  ],
})

/** Waits until the gate is opened. @throws the cancellation of the activity */
async function hang(): Promise<void> {
  const context = Context.current()
  while (gate.open < 0) {
    context.heartbeat()
    await Promise.race([sleep(100), context.cancelled])
  }
}

async function startHost(name: string): Promise<Host> {
  const own = await openWarehouse({ root: warehouse.root })
  const { ports, close } = portsOf(served, own)
  const begun = new Set<string>()
  const all = fakePorts(own, join(folder, name), { connectorOf: ports.connectorOf })
  const worker = await startWorker(temporal, all, { queues: ['bulk'], interceptors: gated(begun) })
  return { worker, begun, close: async () => void (await Promise.all([close(), own.close()])) }
}

beforeAll(async () => {
  served = await servePast('kalshi')
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  hosts = [await startHost('home'), await startHost('other-home')]
}, 120_000)
afterAll(async () => {
  for (const { worker, close } of hosts) await worker.stop().then(close)
  await warehouse.close()
  await served.close()
})

/** Three markets, each a part with a chunk a day. */
const subjectOf = (from: string, to: string): BackfillSubject => {
  const markets = served.venue.truth(emptyTally()).markets.map(({ source_market_id }) => source_market_id)
  return { kind: 'venue', request: { venue_id: 'kalshi', from, to, markets: markets.slice(0, 3) } }
}

/** Starts or continues a backfill whose venue stops answering after some chunks. */
async function runOf(subject: BackfillSubject, chunks: number, parts_per_run?: number) {
  gate.open = chunks
  gate.done = 0
  gate.begun = []
  const handle = await startBackfill(temporal.client(), subject, parts_per_run)
  // Chunks that are still in progress would end with the backfill.
  if (chunks < 100) await eventually(async () => (gate.open < 0 && gate.done >= chunks ? true : null))
  return handle
}

async function observed(): Promise<number> {
  const { market_quote, public_trade, market_resolution } = await recordsOf(warehouse)
  return [market_quote, public_trade, market_resolution].reduce((sum, rows) => sum + rows!.length, 0)
}

async function lastRow(backfill_id: string) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const [row] = await session.query(
      'select state, chunks_total, chunks_done, records_new from backfill_run where backfill_id = $backfill_id',
      { backfill_id },
    )
    return row
  } finally {
    await session.close()
  }
}

test('a cancelled or terminated backfill goes on from the chunks that are done, and counts the runs before it', async () => {
  const subject = subjectOf(FROM, formatMicros(START + 2 * MICROS_PER_DAY))
  const first = await runOf(subject, 3)
  await first.cancel()
  const cancelled = await first.result()
  const { chunks_total } = cancelled
  expect(chunks_total).toBe(6)
  expect(cancelled).toMatchObject({ state: 'cancelled', chunks_resumed: 0, records_new: await observed() })
  const done_first = cancelled.chunks_done
  expect(done_first).toBeGreaterThanOrEqual(3)
  expect(await lastRow(first.backfill_id)).toMatchObject({ state: 'cancelled', chunks_done: done_first })

  // Ended before it does anything of its own: it states what is stored.
  const second = await runOf(subject, 0)
  await second.cancel()
  const again = await second.result()
  expect(again).toMatchObject({ state: 'cancelled', chunks_done: done_first, records_new: await observed() })
  expect(again).toMatchObject({ chunks_total, chunks_resumed: done_first })
  expect(await lastRow(first.backfill_id)).toMatchObject({ chunks_done: done_first, records_new: again.records_new })

  const third = await runOf(subject, 1)
  await temporal.client().workflow.getHandle(third.workflow_id).terminate()
  const last = await runOf(subject, 1_000)
  const report = (await last.result()) as BackfillReport
  expect(report).toMatchObject({
    state: 'done',
    chunks_total,
    chunks_done: chunks_total,
    records_new: await observed(),
  })
  expect(report.chunks_resumed).toBeGreaterThanOrEqual(done_first)
  expect(await lastRow(first.backfill_id)).toEqual({
    ...{ state: 'done', chunks_total, chunks_done: chunks_total, records_new: report.records_new },
  })
  // Once it has come to its end it begins anew, and finds everything there.
  const anew = await (await runOf(subject, 1_000)).result()
  expect(anew).toMatchObject({ state: 'done', chunks_resumed: 0, records_new: 0 })
}, 240_000)

test('parts that are done are not begun again, also in later histories', async () => {
  const subject = subjectOf(FROM, formatMicros(START + MICROS_PER_DAY))
  const first = await runOf(subject, 1, 1)
  const done = gate.begun[0]!
  await first.cancel()
  expect(await first.result()).toMatchObject({ state: 'cancelled', chunks_done: 1, chunks_total: 3 })
  const report = await (await runOf(subject, 1_000, 1)).result()
  expect(report).toMatchObject({ state: 'done', chunks_done: 3, chunks_resumed: 1 })
  expect(gate.begun).not.toContain(done)
  expect(gate.begun).toHaveLength(2)
}, 120_000)

test('a host that ends leaves its chunks to another one, which reads the same plan and the same journal', async () => {
  const subject = subjectOf(FROM, TO)
  for (const { begun } of hosts) begun.clear()
  const handle = await runOf(subject, 2, 2)
  const done = gate.begun.slice(0, 2)
  expect(hosts.every(({ begun }) => begun.size > 0)).toBe(true)
  const [first] = hosts.splice(0, 1)
  await first!.worker.stop().then(first!.close)
  gate.begun = []
  gate.open = 1_000
  const report = await handle.result()
  expect(report).toMatchObject({ state: 'done', chunks_done: report.chunks_total, failed: [] })
  expect(gate.begun.filter((chunk) => done.includes(chunk))).toEqual([])
}, 240_000)

test('the notes of a journal sum chunks that are done, and what planning and unfinished chunks have stored', async () => {
  const { store } = warehouse
  const journal = await openChunkJournal(store, 'bkf_notes')
  const stored = { records_new: 2, records_revised: 1, marks_published: 4 }
  const report = { ...CHUNK, marks_published: 3 }
  for (const key of ['plan', `A ${FROM}`, `B ${FROM}`]) {
    const tally = journal.counts(key)
    tally.note(stored)
    await tally.sum()
  }
  await journal.add(`A ${FROM}`, report)
  await journal.add(`A ${FROM}`, report)
  const notes = await readChunkNotes(store, 'bkf_notes')
  expect(notes.sums).toEqual({
    ...{ ...report, chunks_done: 1 },
    records_new: report.records_new + 4,
    records_revised: report.records_revised + 2,
    marks_published: 3 + 8,
  })
  const subject = subjectOf(FROM, TO)
  const part = (market: string, days: number) => ({
    subject: market,
    from: FROM,
    to: formatMicros(START + days * MICROS_PER_DAY),
    chunks: days,
  })
  expect(notes.sumsOf(subject, part('A', 1))).toEqual({ ...report, chunks_done: 1 })
  expect([notes.sumsOf(subject, part('A', 2)), notes.sumsOf(subject, part('B', 1))]).toEqual([null, null])
  expect((await readChunkNotes(store, 'bkf_other')).sums).toEqual(NO_CHUNKS)
})

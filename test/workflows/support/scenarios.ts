import { ApplicationFailure } from '@temporalio/common'
import type { Activities } from '../../../workflows/activities/activity-types.ts'
import { type BackfillPart, type ChunkSums, NO_CHUNKS } from '../../../workflows/backfill-plan.ts'
import type { TaskQueue } from '../../../workflows/task-queues.ts'
import { TICK } from './fake-ports.ts'

/** Outcome of an activity in a scenario: a result, a failure, or running until it is cancelled. */
export type Step = { readonly gives: unknown } | { readonly fails: ApplicationFailure } | 'until cancelled'
/** Outcome of each activity by attempt, from 1, and arguments. */
export type Script = { readonly [name in keyof Activities]?: (attempt: number, args: unknown) => Step }

/** One course that a workflow can take. */
export type Scenario = {
  readonly name: string
  readonly workflow: string
  readonly args: unknown
  readonly queue: TaskQueue
  readonly script: Script
  /** Cancelled as soon as an activity goes on until then, if one does. */
  readonly cancels?: true
  /** Number of people's acts sent, one after the other; refusals are part of it. */
  readonly acts?: number
  /** Ids of workflows that it starts and leaves to themselves; their activities do what its script says. */
  readonly starts?: readonly string[]
}

export const gives = (value: unknown) => (): Step => ({ gives: value })
export const outage = () => ApplicationFailure.retryable('table index_observation is busy', 'WAREHOUSE_BUSY')
export const bad = () => ApplicationFailure.nonRetryable('to is x; allowed: an instant', 'VALIDATION_INSTANT_INVALID')
const retried =
  (value: unknown) =>
  (attempt: number): Step =>
    attempt < 3 ? { fails: outage() } : { gives: value }
/** Retried for longer than a part waits before it tells its backfill. */
const slow =
  (value: unknown) =>
  (attempt: number): Step =>
    attempt < 4 ? { fails: outage() } : { gives: value }
const fails = () => (): Step => ({ fails: bad() })
const hangs = () => (): Step => 'until cancelled'

const UPKEEP = { tables: 20, changed: 3 }
export const CHUNK = {
  records_read: 3,
  records_new: 2,
  records_revised: 0,
  records_duplicate: 1,
  records_quarantined: 0,
}
const RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' }
const MARKETS = ['M1', 'M2', 'M3', 'M4', 'M5']
const PARTS: readonly BackfillPart[] = MARKETS.map((subject) => ({ subject, ...RANGE, chunks: 2 }))

/** A workflow that has one activity done. */
type OneActivity = {
  readonly workflow: string
  readonly queue: TaskQueue
  readonly activity: keyof Activities
  readonly args: unknown
  /** Result of the activity. */
  readonly value: unknown
}

export const ONE_ACTIVITY: readonly OneActivity[] = [
  { workflow: 'publishTick', queue: 'live', activity: 'publishDue', args: { tick_at: RANGE.from }, value: TICK },
  {
    workflow: 'ingestVenue',
    queue: 'live',
    activity: 'ingestSession',
    args: { venue_id: 'kalshi', session_ms: 1, sessions: 0, records_new: 0 },
    value: { records_new: 4, gaps: 0, quarantined: 0, last_source_at: RANGE.from },
  },
  {
    workflow: 'followOwnVenue',
    queue: 'venue',
    activity: 'ownVenueSession',
    args: { session_ms: 1, sessions: 0, records_new: 0 },
    value: { records_new: 4, last_source_at: RANGE.from, cursor: 12 },
  },
  { workflow: 'tellMarks', queue: 'venue', activity: 'tellMarks', args: {}, value: { told: 2 } },
  {
    workflow: 'listMarkets',
    queue: 'venue',
    activity: 'listMarkets',
    args: {},
    value: { done: 2, refused: 0, notes: 1 },
  },
  {
    workflow: 'replayMethodology',
    queue: 'bulk',
    activity: 'replayMethodology',
    args: { target: 'idx_demo@1', ...RANGE, as_of: null },
    value: { file: 'replays/0.ndjson', lines: 2, sha256: `sha256:${'0'.repeat(64)}` },
  },
  {
    workflow: 'correct',
    queue: 'bulk',
    activity: 'correctIndex',
    args: { index_id: 'idx_demo', from: null, to: null, reason: 'LATE_DATA' },
    value: { index_id: 'idx_demo', ticks_checked: 2, revised: 1 },
  },
  { workflow: 'compact', queue: 'bulk', activity: 'compactTables', args: { whole: false }, value: UPKEEP },
  { workflow: 'vacuum', queue: 'bulk', activity: 'vacuumTables', args: { retention: 'P7D' }, value: UPKEEP },
  { workflow: 'seal', queue: 'bulk', activity: 'sealTables', args: { scheduled_at: RANGE.from }, value: UPKEEP },
  { workflow: 'digests', queue: 'bulk', activity: 'recordDigests', args: {}, value: UPKEEP },
]

/** Ordinary, retried, finally failed and cancelled courses of a workflow with one activity. */
function simple({ workflow, queue, activity, args, value }: OneActivity): Scenario[] {
  const base = { workflow, args, queue }
  return [
    { ...base, name: 'ordinary', script: { [activity]: gives(value) } },
    { ...base, name: 'retried', script: { [activity]: retried(value) } },
    { ...base, name: 'failed', script: { [activity]: fails() } },
    { ...base, name: 'cancelled', script: { [activity]: hangs() }, cancels: true },
  ]
}

const venue = (parts_per_run: number) => ({
  backfill_id: 'bkf_example',
  subject: { kind: 'venue', request: { venue_id: 'kalshi', ...RANGE, markets: null } },
  state: null,
  parts_per_run,
})
const planned = {
  planBackfill: gives({ parts: PARTS.length, chunks: 2 * PARTS.length }),
  recordBackfill: gives(null),
}
/** A run before it did the whole first part, and a chunk of the second. */
const DONE_BEFORE: ChunkSums = { ...NO_CHUNKS, chunks_done: 3, records_read: 30, records_new: 15 }
const continued = {
  planBackfill: gives({ parts: PARTS.length, chunks: 2 * PARTS.length }),
  recordBackfill: gives(DONE_BEFORE),
  readBackfillPlan: gives([
    { ...PARTS[0]!, done: { ...NO_CHUNKS, chunks_done: 2, records_read: 20, records_new: 10 } },
    ...PARTS.slice(1),
  ]),
}
const backfill = { workflow: 'backfill', queue: 'bulk' } as const

const BACKFILLS: readonly Scenario[] = [
  { ...backfill, name: 'ordinary', args: venue(10), script: { ...planned, backfillChunk: gives(CHUNK) } },
  { ...backfill, name: 'in several histories', args: venue(2), script: { ...planned, backfillChunk: gives(CHUNK) } },
  { ...backfill, name: 'retried', args: venue(10), script: { ...planned, backfillChunk: retried(CHUNK) } },
  { ...backfill, name: 'told meanwhile', args: venue(10), script: { ...planned, backfillChunk: slow(CHUNK) } },
  { ...backfill, name: 'incomplete', args: venue(10), script: { ...planned, backfillChunk: fails() } },
  { ...backfill, name: 'continued', args: venue(10), script: { ...continued, backfillChunk: gives(CHUNK) } },
  { ...backfill, name: 'unplanned', args: venue(10), script: { ...planned, planBackfill: fails() } },
  { ...backfill, name: 'cancelled', args: venue(10), script: { ...planned, backfillChunk: hangs() }, cancels: true },
  {
    ...backfill,
    name: 'of an index',
    args: {
      backfill_id: 'bkf_index',
      subject: { kind: 'index', request: { index_id: 'idx_demo', ...RANGE } },
      state: null,
    },
    script: {
      planBackfill: gives({ parts: 1, chunks: 2 }),
      recordBackfill: gives(null),
      readBackfillPlan: gives([{ subject: 'idx_demo', ...RANGE, chunks: 2 }]),
      computeIndexRange: retried({ ticks: 2, published: 1, already_published: 1 }),
    },
  },
]

export const scheduled = (workflow: string, workflow_id: string, waits: boolean, script: Script): Scenario => ({
  name: workflow_id.replace(/[^a-z]+/gi, '-'),
  workflow: 'startScheduled',
  queue: 'live',
  args: {
    workflow,
    workflow_id,
    args: waits ? {} : { venue_id: 'kalshi', session_ms: 1, sessions: 0, records_new: 0 },
    instant_key: waits ? 'tick_at' : null,
    queue: 'live',
    every_us: 60_000_000,
    offset_us: 5_000_000,
    waits,
    venue_id: waits ? null : 'kalshi',
  },
  script,
})

/** Replay in three parts; the later ones begin in other states than those before end in, and are replayed from the first tick. */
const REPLAY_IN_PARTS: Scenario = {
  name: 'in-parts',
  workflow: 'replayMethodology',
  queue: 'bulk',
  args: { target: 'idx_demo@1', ...RANGE, as_of: null, parts: 3 },
  script: {
    replayPart: (_, args) => {
      const { from, whole } = args as { readonly from: string; readonly whole: boolean }
      return { gives: { key: `${from}${whole}`, lines: 2, start: whole ? null : `${from} cold`, end: `${from} end` } }
    },
    joinReplay: gives({ file: 'replays/0.ndjson', lines: 6, sha256: `sha256:${'0'.repeat(64)}` }),
  },
}

/** Courses of every workflow type. */
export const SCENARIOS: readonly Scenario[] = [
  ...ONE_ACTIVITY.flatMap(simple),
  REPLAY_IN_PARTS,
  ...BACKFILLS,
  scheduled('publishTick', 'scheduled-tick/<scheduled_at>', true, { publishDue: retried(TICK) }),
  scheduled('ingestVenue', 'scheduled-ingest', false, { ingestSession: hangs() }),
]

/** Parts [offset, offset + limit) of the plan, as the scenarios' activities give them. */
export function planPage(offset: number, limit: number): readonly BackfillPart[] {
  return PARTS.slice(offset, offset + limit)
}

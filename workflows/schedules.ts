import type { PayloadVenue } from '../pipelines/venues/payload-venues.ts'
import type { DurationString } from '../primitives/instants.ts'
import { ingestScheduleOf, SCHEDULE_IDS } from '../vocabulary/schedules.ts'
import { LIVE_VENUES } from '../vocabulary/venue.ts'
import type { TaskQueue } from './task-queues.ts'

/** Row of the schedule table. */
export type ScheduleRow = {
  readonly schedule_id: string
  /** Interval between turns, which are at its multiples since 1970 plus the offset. */
  readonly every: DurationString
  readonly offset: DurationString
  /**
   * A turn due while the previous one runs is skipped (SKIP), or follows it, at most one (BUFFER_ONE). A turn lasts until its
   * workflow ends: that of an endless workflow costs nothing until somebody ends it.
   */
  readonly overlap: 'SKIP' | 'BUFFER_ONE'
  /** Turns missed for longer than this are not repeated. */
  readonly catch_up: DurationString
  /** Largest random delay of a turn, so that not everything starts at once. */
  readonly jitter: DurationString | null
  /** Also run when a worker starts. */
  readonly at_start: boolean
  readonly workflow: string
  /** `<scheduled_at>` is replaced by the turn's instant. */
  readonly workflow_id: string
  readonly args: Readonly<Record<string, unknown>>
  /** Key of the argument that receives the turn's instant. */
  readonly instant_key: string | null
  readonly queue: TaskQueue
  readonly venue_id: PayloadVenue | null
  readonly note: string
}

/** Length of a venue's session; the next one reopens the streams for the markets in the catalogue by then. */
const SESSION_MS = 60 * 60_000
/** Time for which replaced files are kept for readers. */
const RETENTION = 'P7D'

const LIVE = {
  offset: 'PT0S',
  overlap: 'SKIP',
  jitter: null,
  queue: 'live',
  instant_key: null,
  venue_id: null,
} as const
const UPKEEP = { ...LIVE, queue: 'bulk', at_start: false, args: {} } as const

/**
 * Generation of the table. Raised with every change of a row, so that a worker of an earlier release never undoes the change
 * (test/workflows/schedules.test.ts).
 */
export const SCHEDULES_GENERATION = 2

/** Owner of the schedules of workers that follow every live venue. */
export const DEFAULT_OWNER = 'tidemark'

/** Returns the owner of a worker's schedules where none is named: workers with other venues have schedules of their own. */
export function ownerOf(venues: readonly PayloadVenue[]): string {
  const all = LIVE_VENUES.every((venue) => venues.includes(venue))
  return all ? DEFAULT_OWNER : `${DEFAULT_OWNER}/${[...new Set(venues)].sort().join('+')}`
}

/**
 * Returns all schedules: the one place that defines what runs when, and what a missed or late turn means. A starting worker
 * updates the schedules of its Temporal server to this table.
 * @param venues followed venues
 */
export function scheduleTable(venues: readonly PayloadVenue[]): readonly ScheduleRow[] {
  return [PUBLISH, ...venues.map(ingestRow), SETTLEMENT, ...OWN_VENUE_ROWS, ...ASSESSMENT_ROWS, ...UPKEEP_ROWS]
}

const PUBLISH: ScheduleRow = {
  ...LIVE,
  schedule_id: SCHEDULE_IDS.publish,
  every: 'PT1M',
  // The default grace of the methodology: before it, a tick is not due.
  offset: 'PT5S',
  overlap: 'BUFFER_ONE',
  // A tick publishes whatever the ones before it missed.
  catch_up: 'PT1M',
  at_start: true,
  workflow: 'publishTick',
  workflow_id: 'publish-tick/<scheduled_at>',
  args: {},
  instant_key: 'tick_at',
  note: 'levels of every due index and marks of every market',
}

const SETTLEMENT: ScheduleRow = {
  ...LIVE,
  schedule_id: SCHEDULE_IDS.settle,
  every: 'PT1M',
  catch_up: 'PT1M',
  at_start: true,
  workflow: 'followSettlement',
  workflow_id: 'follow-settlement',
  args: { looks_per_run: 100, known: { assets: [], resolutions: [] } },
  queue: 'settlement',
  note: 'settles what is traded here, and resolves its markets; restarted if it has ended',
}

/** Run by workers with a trading database, which serve this queue. */
const OWN_VENUE_ROWS: readonly ScheduleRow[] = [
  {
    ...LIVE,
    schedule_id: SCHEDULE_IDS.own_venue,
    every: 'PT1M',
    catch_up: 'PT1M',
    at_start: true,
    workflow: 'followOwnVenue',
    workflow_id: 'own-venue',
    args: { session_ms: SESSION_MS, sessions: 0, records_new: 0 },
    queue: 'venue',
    note: 'stores what is traded here; restarted if it has ended',
  },
  {
    ...LIVE,
    schedule_id: SCHEDULE_IDS.tell_marks,
    every: 'PT1M',
    // After the tick has published them.
    offset: 'PT10S',
    catch_up: 'PT10S',
    at_start: false,
    workflow: 'tellMarks',
    workflow_id: 'tell-marks/<scheduled_at>',
    args: {},
    queue: 'venue',
    note: 'tells the engine the marks of its markets',
  },
  {
    ...LIVE,
    schedule_id: SCHEDULE_IDS.list_markets,
    every: 'PT1M',
    offset: 'PT30S',
    catch_up: 'PT10S',
    at_start: false,
    workflow: 'listMarkets',
    workflow_id: 'list-markets/<scheduled_at>',
    args: {},
    queue: 'venue',
    note: 'lists markets by the policy, and has them follow their references',
  },
]

function ingestRow(venue_id: PayloadVenue): ScheduleRow {
  return {
    ...LIVE,
    schedule_id: ingestScheduleOf(venue_id),
    every: 'PT1M',
    catch_up: 'PT1M',
    at_start: true,
    workflow: 'ingestVenue',
    workflow_id: `ingest-venue/${venue_id}`,
    args: { venue_id, session_ms: SESSION_MS, sessions: 0, records_new: 0 },
    venue_id,
    note: `follows ${venue_id}; restarted if it has ended`,
  }
}

/** Runs of a committee's program; acts of people are updates of their reviews (workflows/review.ts). */
const ASSESSMENT_ROWS: readonly ScheduleRow[] = [
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.rate,
    every: 'PT1H',
    offset: 'PT10M',
    catch_up: 'PT1H',
    workflow: 'rate',
    workflow_id: 'rate/<scheduled_at>',
    instant_key: 'scheduled_at',
    note: 'ratings of the day, of markets that have none yet',
  },
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.assess,
    every: 'PT15M',
    offset: 'PT1M',
    catch_up: 'PT15M',
    workflow: 'assess',
    workflow_id: 'assess/<scheduled_at>',
    instant_key: 'scheduled_at',
    note: 'severity of events with news, and severity indexes',
  },
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.expire,
    every: 'PT5M',
    offset: 'PT30S',
    catch_up: 'PT5M',
    workflow: 'expire',
    workflow_id: 'expire/<scheduled_at>',
    note: 'overrides that have ended',
  },
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.govern,
    every: 'PT5M',
    offset: 'PT45S',
    catch_up: 'PT5M',
    workflow: 'govern',
    workflow_id: 'govern/<scheduled_at>',
    note: 'votes, notices and emergencies that have ended, at their instants',
  },
]

const UPKEEP_ROWS: readonly ScheduleRow[] = [
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.merge_files,
    every: 'PT1M',
    offset: 'PT20S',
    catch_up: 'PT10S',
    jitter: 'PT10S',
    workflow: 'compact',
    workflow_id: 'merge-files/<scheduled_at>',
    args: { whole: false },
    note: 'merges small files',
  },
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.compact,
    every: 'P1D',
    offset: 'PT2H30M',
    catch_up: 'PT12H',
    jitter: 'PT5M',
    workflow: 'compact',
    workflow_id: 'compact/<scheduled_at>',
    args: { whole: true },
    note: 'interval files of large tables',
  },
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.seal,
    every: 'PT1H',
    catch_up: 'PT1M',
    workflow: 'seal',
    workflow_id: 'seal/<scheduled_at>',
    instant_key: 'scheduled_at',
    note: 'answers as of each full hour are final',
  },
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.digests,
    every: 'P1D',
    offset: 'PT3H',
    catch_up: 'PT12H',
    jitter: 'PT5M',
    workflow: 'digests',
    workflow_id: 'digests/<scheduled_at>',
    note: 'what tables answer as of sealed instants, for audits',
  },
  {
    ...UPKEEP,
    schedule_id: SCHEDULE_IDS.vacuum,
    every: 'P1D',
    offset: 'PT3H30M',
    catch_up: 'PT12H',
    jitter: 'PT5M',
    workflow: 'vacuum',
    workflow_id: 'vacuum/<scheduled_at>',
    args: { retention: RETENTION },
    note: `deletes files that no version of the last ${RETENTION} names`,
  },
]

import type { PayloadVenue } from '../pipelines/venues/payload-venues.ts'
import type { DurationString } from '../primitives/instants.ts'
import type { TaskQueue } from './task-queues.ts'

/** One row of the table: what happens when. */
export type ScheduleRow = {
  readonly schedule_id: string
  /** Distance of its instants, which are multiples of it since 1970 plus the offset. */
  readonly every: DurationString
  readonly offset: DurationString
  /** A turn that comes while the one before runs is left out (SKIP), or follows it, at most one (BUFFER_ONE). */
  readonly overlap: 'SKIP' | 'BUFFER_ONE'
  /** Turns missed for longer than this are not made up for. */
  readonly catch_up: DurationString
  /** Turns come up to so much later, so that not everything begins at once. */
  readonly jitter: DurationString | null
  /** Also done when a worker starts. */
  readonly at_start: boolean
  readonly workflow: string
  /** `<scheduled_at>` stands for the turn's instant. */
  readonly workflow_id: string
  readonly args: Readonly<Record<string, unknown>>
  /** The key of its argument that takes the turn's instant. */
  readonly instant_key: string | null
  readonly queue: TaskQueue
  /** Whether a turn ends with its workflow; one that goes on for ever is only started. */
  readonly waits: boolean
  readonly venue_id: PayloadVenue | null
  readonly note: string
}

/** A venue's session: then its streams are opened anew, of the markets that its catalogue shows then. */
const SESSION_MS = 60 * 60_000
/** Old files stay for whoever still reads them. */
const RETENTION = 'P7D'

const LIVE = {
  offset: 'PT0S',
  overlap: 'SKIP',
  jitter: null,
  queue: 'live',
  instant_key: null,
  venue_id: null,
} as const
const UPKEEP = { ...LIVE, queue: 'bulk', at_start: false, waits: true, args: {} } as const

/**
 * Everything that happens with the clock: the one place that says what, when, and what a missed or late turn means. A worker
 * makes the schedules of a Temporal server like this table at its start.
 * @param venues those that are followed
 */
export function scheduleTable(venues: readonly PayloadVenue[]): readonly ScheduleRow[] {
  return [PUBLISH, ...venues.map(ingestRow), ...UPKEEP_ROWS]
}

const PUBLISH: ScheduleRow = {
  ...LIVE,
  schedule_id: 'publish-tick',
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
  waits: true,
  note: 'levels of every due index and marks of every market',
}

function ingestRow(venue_id: PayloadVenue): ScheduleRow {
  return {
    ...LIVE,
    schedule_id: `ingest-venue/${venue_id}`,
    every: 'PT1M',
    catch_up: 'PT1M',
    at_start: true,
    workflow: 'ingestVenue',
    workflow_id: `ingest-venue/${venue_id}`,
    args: { venue_id, session_ms: SESSION_MS, sessions: 0, records_new: 0 },
    waits: false,
    venue_id,
    note: `follows ${venue_id}; started again where it was ended`,
  }
}

const UPKEEP_ROWS: readonly ScheduleRow[] = [
  {
    ...UPKEEP,
    schedule_id: 'merge-files',
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
    schedule_id: 'compact',
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
    schedule_id: 'seal',
    every: 'PT1H',
    catch_up: 'PT1M',
    workflow: 'seal',
    workflow_id: 'seal/<scheduled_at>',
    instant_key: 'scheduled_at',
    note: 'answers as of each full hour are final',
  },
  {
    ...UPKEEP,
    schedule_id: 'digests',
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
    schedule_id: 'vacuum',
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

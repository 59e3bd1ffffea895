import { openPauses } from '../../operations/pause/pauses.ts'
import { type Pause, standingPauses } from '../../operations/pause/schedule-acts.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { durationMicros, type Instant } from '../../primitives/instants.ts'
import { LIVE_VENUES } from '../../vocabulary/venue.ts'
import type { TemporalClient } from '../../workflows/client/connect.ts'
import { listSchedules, type ServerSchedule } from '../../workflows/client/schedules.ts'
import { scheduleTable } from '../../workflows/schedules.ts'
import type { Settings } from '../configuration.ts'
import { withWarehouse } from '../with-warehouse.ts'

/** Schedule as shown to people. `paused` is the record's word, whoever runs the schedule. */
export type ScheduleView = Omit<ServerSchedule, 'paused'> & {
  readonly paused: boolean
  readonly paused_by: string | null
  readonly paused_at: Instant | null
  readonly reason: string | null
  /** Others who paused it too. */
  readonly also: NonNullable<Pause['also']>
}

const UNPAUSED = { paused_by: null, paused_at: null, reason: null, also: [] } as const

/**
 * Lists the schedules of a server, or those of the scheduler in the process where there is no server, with what is paused by whom,
 * when and why.
 */
export async function scheduleViews(
  settings: Settings,
  connected: TemporalClient | null,
): Promise<readonly ScheduleView[]> {
  const pauses = await recordedPauses(settings)
  const rows = connected === null ? ownSchedules() : await listSchedules(connected.client)
  const known = new Set(rows.map(({ schedule_id }) => schedule_id))
  const others = [...pauses.values()].filter(({ schedule_id }) => !known.has(schedule_id)).map(absent)
  return [...rows, ...others]
    .map((row) => viewOf(row, pauses.get(row.schedule_id)))
    .sort((a, b) => (a.schedule_id < b.schedule_id ? -1 : 1))
}

/** Schedules of the scheduler in a process, which has no instants to tell. */
function ownSchedules(): ServerSchedule[] {
  return scheduleTable(LIVE_VENUES).map(({ schedule_id, every, note }) => {
    const every_s = durationMicros(every) / 1_000_000
    return { schedule_id, every_s, paused: false, note, owner: null, last_at: null, next_at: null }
  })
}

/** A paused schedule that no server has at the moment. */
function absent({ schedule_id }: Pause): ServerSchedule {
  return { schedule_id, every_s: null, paused: true, note: null, owner: null, last_at: null, next_at: null }
}

function viewOf(row: ServerSchedule, pause: Pause | undefined): ScheduleView {
  if (pause === undefined) return { ...row, ...UNPAUSED }
  const { paused_by, paused_at, reason, also = [] } = pause
  return { ...row, paused: true, paused_by, paused_at, reason, also, next_at: null }
}

async function recordedPauses(settings: Settings): Promise<ReadonlyMap<string, Pause>> {
  try {
    return await withWarehouse(settings, { create: false }, async (warehouse) =>
      standingPauses(await openPauses(warehouse).acts()),
    )
  } catch (error) {
    if (isServiceError(error, 'WAREHOUSE_NOT_FOUND')) return new Map() // nobody can have paused anything
    throw error
  }
}

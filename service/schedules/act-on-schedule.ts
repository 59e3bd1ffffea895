import { hostname, userInfo } from 'node:os'
import { type MadeUp, type MakeUpRequest, makeUpLevels } from '../../operations/pause/make-up.ts'
import { openPauses, requireUnpaused } from '../../operations/pause/pauses.ts'
import { type ActBy, recordPause, recordResume } from '../../operations/pause/record-schedule-act.ts'
import type { Pause } from '../../operations/pause/schedule-acts.ts'
import { PAYLOAD_VENUES } from '../../pipelines/venues/payload-venues.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { TemporalClient } from '../../workflows/client/connect.ts'
import { listSchedules, pauseSchedule, resumeSchedule, scheduleNotFound } from '../../workflows/client/schedules.ts'
import { scheduleTable } from '../../workflows/schedules.ts'
import type { Settings } from '../configuration.ts'
import { followedIndexes } from '../live/followed-indexes.ts'
import { withWarehouse } from '../with-warehouse.ts'

const NO_REASON = 'no reason given'

/** Reads who acts and why from the flags of a command; the person is the user of this machine unless named. */
export function actBy({ by, reason }: { readonly by?: string; readonly reason?: string }): ActBy {
  return { actor: by || thisUser(), reason: reason || NO_REASON }
}

function thisUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return hostname() // a container without a user table
  }
}

/**
 * Pauses a schedule: records it for every process of the warehouse, and pauses it on the server where there is one.
 * @throws {ServiceError} SCHEDULE_NOT_FOUND; WAREHOUSE_NOT_FOUND: there is nothing to record it in
 */
export async function pauseByHand(
  settings: Settings,
  connected: TemporalClient | null,
  schedule_id: string,
  by: ActBy,
): Promise<Pause> {
  await requireSchedule(connected, schedule_id)
  const pause = await withWarehouse(settings, { create: false }, (warehouse) => recordPause(warehouse, schedule_id, by))
  if (connected !== null) await pauseSchedule(connected.client, pause).catch(unlessAbsent)
  return pause
}

/** Resumes a schedule. @returns the pause that ended; null if it was not paused @throws {ServiceError} SCHEDULE_NOT_FOUND */
export async function resumeByHand(
  settings: Settings,
  connected: TemporalClient | null,
  schedule_id: string,
  by: ActBy,
): Promise<Pause | null> {
  await requireSchedule(connected, schedule_id)
  const ended = await withWarehouse(settings, { create: false }, (warehouse) =>
    recordResume(warehouse, schedule_id, by),
  )
  if (connected !== null) await resumeSchedule(connected.client, schedule_id, by.actor).catch(unlessAbsent)
  return ended
}

/**
 * Checks that a schedule is not paused, for work that its turn would do. Nobody can have paused it here without a warehouse.
 * @throws {ServiceError} SCHEDULE_PAUSED
 */
export async function requireUnpausedByHand(settings: Settings, schedule_id: string): Promise<void> {
  const check = (warehouse: Warehouse) => requireUnpaused(openPauses(warehouse), [schedule_id])
  await withWarehouse(settings, { create: false }, check).catch((error: unknown) => {
    if (!isServiceError(error, 'WAREHOUSE_NOT_FOUND')) throw error
  })
}

/** Makes up for what pauses of publication withheld. @throws {ServiceError} what makeUpLevels throws */
export async function makeUpByHand(
  settings: Settings,
  request: Pick<MakeUpRequest, 'range' | 'actor' | 'reason' | 'signal'>,
): Promise<readonly MadeUp[]> {
  const follows = await followedIndexes()
  return withWarehouse(settings, { create: false }, (warehouse) => makeUpLevels({ ...request, warehouse, follows }))
}

/** A schedule of the table may be paused before a server has it; any other has to be on the server. */
async function requireSchedule(connected: TemporalClient | null, schedule_id: string): Promise<void> {
  if (scheduleTable(PAYLOAD_VENUES).some((row) => row.schedule_id === schedule_id)) return
  const listed = connected === null ? [] : await listSchedules(connected.client)
  if (!listed.some((found) => found.schedule_id === schedule_id)) throw scheduleNotFound(schedule_id)
}

function unlessAbsent(error: unknown): void {
  if (!isServiceError(error, 'SCHEDULE_NOT_FOUND')) throw error
}

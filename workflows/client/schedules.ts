import { type Client, ScheduleNotFoundError, type ScheduleSummary } from '@temporalio/client'
import { pauseText } from '../../operations/pause/pauses.ts'
import type { Pause } from '../../operations/pause/schedule-acts.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'

/** Schedules with an endless workflow, whose id is the schedule's. */
const ENDLESS = /^(ingest-venue\/.+|follow-settlement|own-venue)$/

/** Schedule of a server, as shown to people. */
export type ServerSchedule = {
  readonly schedule_id: string
  readonly every_s: number | null
  readonly paused: boolean
  readonly note: string | null
  /** Fleet of workers whose table has it; null: not one of ours. */
  readonly owner: string | null
  readonly last_at: Instant | null
  readonly next_at: Instant | null
}

/** Lists all schedules of the namespace, sorted by id. */
export async function listSchedules({ schedule }: Client): Promise<readonly ServerSchedule[]> {
  const found: ServerSchedule[] = []
  for await (const summary of schedule.list()) found.push(viewOf(summary))
  return found.sort((a, b) => (a.schedule_id < b.schedule_id ? -1 : 1))
}

function viewOf({ scheduleId, spec, state, info, memo }: ScheduleSummary): ServerSchedule {
  const every_ms = spec?.intervals?.[0]?.every
  return {
    schedule_id: scheduleId,
    every_s: every_ms === undefined ? null : every_ms / 1_000,
    paused: state.paused,
    note: state.note ?? null,
    owner: (memo?.owner as string | undefined) ?? null,
    last_at: info.recentActions.at(-1)?.takenAt.toISOString() ?? null,
    next_at: info.nextActionTimes[0]?.toISOString() ?? null,
  }
}

/**
 * Applies a recorded pause to the server at once. The schedule's endless workflow is cancelled and stores the received data.
 * @throws {ServiceError} SCHEDULE_NOT_FOUND
 */
export async function pauseSchedule(client: Client, pause: Pause): Promise<void> {
  const { schedule_id } = pause
  await onSchedule(schedule_id, () => client.schedule.getHandle(schedule_id).pause(pauseText(pause)))
  await endEndless(client, schedule_id)
}

/** Cancels the endless workflow of a schedule; nothing for schedules without one. */
export async function endEndless(client: Client, schedule_id: string): Promise<void> {
  if (!ENDLESS.test(schedule_id)) return
  await client.workflow
    .getHandle(schedule_id)
    .cancel()
    .catch(() => undefined) // it is not running
}

/** Applies the recorded end of a pause to the server at once, and runs a turn. @throws {ServiceError} SCHEDULE_NOT_FOUND */
export async function resumeSchedule(client: Client, schedule_id: string, by: string): Promise<void> {
  const handle = client.schedule.getHandle(schedule_id)
  // The note of an earlier pause or resume stays where there is nothing to end.
  await onSchedule(schedule_id, async () => {
    if ((await handle.describe()).state.paused) await handle.unpause(`resumed by ${by}`)
  })
  if (ENDLESS.test(schedule_id)) await triggerSchedule(client, schedule_id)
}

/** Runs a turn now; nothing while an endless workflow runs. @throws {ServiceError} SCHEDULE_NOT_FOUND */
export async function triggerSchedule(client: Client, schedule_id: string): Promise<void> {
  const overlap = ENDLESS.test(schedule_id) ? 'SKIP' : undefined
  await onSchedule(schedule_id, () => client.schedule.getHandle(schedule_id).trigger(overlap))
}

/** Deletes a schedule; the next worker whose table has it makes it again as its own. @throws {ServiceError} SCHEDULE_NOT_FOUND */
export async function removeSchedule(client: Client, schedule_id: string): Promise<void> {
  await onSchedule(schedule_id, () => client.schedule.getHandle(schedule_id).delete())
}

/**
 * Runs the missed turns of a past range; those already done are not repeated.
 * @throws {ServiceError} SCHEDULE_NOT_FOUND; VALIDATION_INSTANT_INVALID
 */
export async function backfillSchedule(client: Client, schedule_id: string, from: Instant, to: Instant): Promise<void> {
  const range = { start: dateOf(from, 'from'), end: dateOf(to, 'to') }
  const handle = client.schedule.getHandle(schedule_id)
  await onSchedule(schedule_id, () => handle.backfill({ ...range, overlap: 'BUFFER_ALL' }))
}

function dateOf(text: Instant, field: string): Date {
  return new Date(toMicros(text, field) / 1_000)
}

async function onSchedule(schedule_id: string, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) throw scheduleNotFound(schedule_id)
    throw error
  }
}

/** Makes the error for an unknown schedule. */
export function scheduleNotFound(schedule_id: string): ServiceError {
  return new ServiceError(
    'SCHEDULE_NOT_FOUND',
    `there is no schedule ${schedule_id}; allowed: an id that \`tidemark schedules list\` shows`,
    { schedule_id },
  )
}

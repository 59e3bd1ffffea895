import { type Client, ScheduleNotFoundError, type ScheduleSummary } from '@temporalio/client'
import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, toMicros } from '../../primitives/instants.ts'

/** Schedules with an endless workflow, whose id is the schedule's. */
const ENDLESS = /^(ingest-venue\/.+|follow-settlement|own-venue)$/

/** Schedule as shown to people. */
export type ScheduleView = {
  readonly schedule_id: string
  readonly every_s: number | null
  readonly paused: boolean
  readonly note: string | null
  readonly last_at: Instant | null
  readonly next_at: Instant | null
}

/** Lists all schedules of the namespace, sorted by id. */
export async function listSchedules({ schedule }: Client): Promise<readonly ScheduleView[]> {
  const found: ScheduleView[] = []
  for await (const summary of schedule.list()) found.push(viewOf(summary))
  return found.sort((a, b) => (a.schedule_id < b.schedule_id ? -1 : 1))
}

function viewOf({ scheduleId, spec, state, info }: ScheduleSummary): ScheduleView {
  const every_ms = spec?.intervals?.[0]?.every
  return {
    schedule_id: scheduleId,
    every_s: every_ms === undefined ? null : every_ms / 1_000,
    paused: state.paused,
    note: state.note ?? null,
    last_at: info.recentActions.at(-1)?.takenAt.toISOString() ?? null,
    next_at: info.nextActionTimes[0]?.toISOString() ?? null,
  }
}

/**
 * Pauses a schedule until it is resumed, also across restarts. Its endless workflow is cancelled and stores the received data.
 * @throws {ServiceError} SCHEDULE_NOT_FOUND
 */
export async function pauseSchedule(client: Client, schedule_id: string): Promise<void> {
  await onSchedule(schedule_id, () => client.schedule.getHandle(schedule_id).pause('paused by an operator'))
  if (!ENDLESS.test(schedule_id)) return
  await client.workflow
    .getHandle(schedule_id)
    .cancel()
    .catch(() => undefined) // it is not running
}

/** Resumes a paused schedule. @throws {ServiceError} same as pauseSchedule */
export async function resumeSchedule(client: Client, schedule_id: string): Promise<void> {
  await onSchedule(schedule_id, () => client.schedule.getHandle(schedule_id).unpause('resumed by an operator'))
}

/** Runs a turn now, paused or not. @throws {ServiceError} same as pauseSchedule */
export async function triggerSchedule(client: Client, schedule_id: string): Promise<void> {
  await onSchedule(schedule_id, () => client.schedule.getHandle(schedule_id).trigger())
}

/**
 * Runs the missed turns of a past range; those already done are not repeated.
 * @throws {ServiceError} same as pauseSchedule; VALIDATION_INSTANT_INVALID
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
    if (!(error instanceof ScheduleNotFoundError)) throw error
    throw new ServiceError(
      'SCHEDULE_NOT_FOUND',
      `there is no schedule ${schedule_id}; allowed: an id that \`tidemark schedules list\` shows`,
      { schedule_id },
    )
  }
}

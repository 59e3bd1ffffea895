import { type Client, ScheduleAlreadyRunning, type ScheduleHandle, ScheduleNotFoundError } from '@temporalio/client'
import type { ScheduleRow } from '../schedules.ts'
import { type CompiledSchedule, OWNER, scheduleOptions } from './schedule-options.ts'

export type Reconciled = {
  readonly created: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Makes the schedules of a server equal to the table: creates missing ones, updates changed ones and removes others of ours. A
 * paused one stays paused. Idempotent, also when two workers run it at once.
 */
export async function reconcileSchedules({ schedule }: Client, table: readonly ScheduleRow[]): Promise<Reconciled> {
  const [created, changed, removed]: [string[], string[], string[]] = [[], [], []]
  for (const row of table) {
    const made = await reconcileOne(schedule.getHandle(row.schedule_id), scheduleOptions(row), schedule)
    if (made === 'created') created.push(row.schedule_id)
    if (made === 'changed') changed.push(row.schedule_id)
  }
  const known = new Set(table.map(({ schedule_id }) => schedule_id))
  for await (const { scheduleId, memo } of schedule.list()) {
    if (memo?.owner !== OWNER || known.has(scheduleId)) continue
    await schedule.getHandle(scheduleId).delete().catch(unlessMissing)
    removed.push(scheduleId)
  }
  return { created, changed, removed }
}

async function reconcileOne(
  handle: ScheduleHandle,
  options: CompiledSchedule,
  schedules: Client['schedule'],
): Promise<'created' | 'changed' | 'same'> {
  const found = await handle.describe().catch(unlessMissing)
  const { fingerprint, scheduleId: _id, memo: _memo, ...wanted } = options
  if (found === undefined) {
    try {
      await schedules.create(options)
      return 'created'
    } catch (error) {
      if (error instanceof ScheduleAlreadyRunning) return 'same' // another worker was first
      throw error
    }
  }
  if (found.action.memo?.fingerprint === fingerprint) return 'same'
  // Keeps the note of a paused one, which gives the reason.
  await handle.update(({ state }) => ({ ...wanted, state: state.paused ? state : { ...state, ...wanted.state } }))
  return 'changed'
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof ScheduleNotFoundError) return undefined
  throw error
}

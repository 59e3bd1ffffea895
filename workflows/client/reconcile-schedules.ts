import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
} from '@temporalio/client'
import { SCHEDULES_GENERATION, type ScheduleRow } from '../schedules.ts'
import { type CompiledSchedule, scheduleOptions } from './schedule-options.ts'

/** Owner whose schedules are reconciled, by one generation of the table. */
export type ScheduleOwner = {
  /** Name that a fleet of equal workers shares. */
  readonly owner: string
  readonly generation?: number
}

export type Reconciled = {
  readonly created: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Schedules of the table that another owner, or a later generation, keeps; they are left as they are. */
  readonly left: readonly string[]
}

/**
 * Makes an owner's schedules equal to its table: creates missing ones, updates those of an earlier generation and removes those
 * that the table lost. Schedules of other owners and of later generations are never touched, and a paused one stays paused.
 * Idempotent, also when several workers run it at once.
 */
export async function reconcileSchedules(
  { schedule }: Client,
  table: readonly ScheduleRow[],
  { owner, generation = SCHEDULES_GENERATION }: ScheduleOwner,
): Promise<Reconciled> {
  const done: { [fate in keyof Reconciled]: string[] } = { created: [], changed: [], removed: [], left: [] }
  const mine = { owner, generation }
  for (const row of table) {
    const fate = await reconcileOne(schedule.getHandle(row.schedule_id), scheduleOptions(row, mine), schedule)
    if (fate !== 'same') done[fate].push(row.schedule_id)
  }
  const known = new Set(table.map(({ schedule_id }) => schedule_id))
  for await (const { scheduleId, memo } of schedule.list()) {
    if (memo?.owner !== owner || known.has(scheduleId)) continue
    const handle = schedule.getHandle(scheduleId)
    const found = await handle.describe().catch(unlessMissing)
    if (found === undefined || stampOf(found).generation > generation) continue
    await handle.delete().catch(unlessMissing)
    done.removed.push(scheduleId)
  }
  return done
}

async function reconcileOne(
  handle: ScheduleHandle,
  options: CompiledSchedule,
  schedules: Client['schedule'],
): Promise<'created' | 'changed' | 'left' | 'same'> {
  const found = await handle.describe().catch(unlessMissing)
  if (found === undefined) {
    try {
      await schedules.create(options)
      return 'created'
    } catch (error) {
      if (error instanceof ScheduleAlreadyRunning) return 'same' // another worker was first
      throw error
    }
  }
  const { stamp, scheduleId: _id, memo: _memo, ...wanted } = options
  const theirs = stampOf(found)
  if (theirs.owner !== stamp.owner || theirs.generation > stamp.generation) return 'left'
  if (theirs.fingerprint === stamp.fingerprint && theirs.generation === stamp.generation) return 'same'
  // Keeps the note of a paused one, which gives the reason.
  await handle.update(({ state }) => ({ ...wanted, state: state.paused ? state : { ...state, ...wanted.state } }))
  return 'changed'
}

/** Owner, generation and fingerprint of a schedule. Those of earlier releases have no generation. */
function stampOf({ memo, action }: Pick<ScheduleDescription, 'memo' | 'action'>): {
  readonly owner: string | null
  readonly generation: number
  readonly fingerprint: string | null
} {
  const { fingerprint = null, generation = 0 } = (action.memo ?? {}) as { fingerprint?: string; generation?: number }
  return { owner: (memo?.owner as string | undefined) ?? null, generation, fingerprint }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof ScheduleNotFoundError) return undefined
  throw error
}

import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ScheduleActKind } from '../../vocabulary/schedules.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type Pause, type ScheduleAct, standingPauses } from './schedule-acts.ts'

/**
 * Pauses as every process of a warehouse sees them. Whatever publishes or ingests by the clock asks here, so a pause holds
 * across restarts, schedulers and machines.
 */
export type Pauses = {
  /** Returns every act, in the order of publication. */
  acts(): Promise<readonly ScheduleAct[]>
  /** Returns the pause of a schedule; null if it is not paused. */
  of(schedule_id: string): Promise<Pause | null>
}

/** Opens the pauses of a warehouse. The acts are read again only when there are new ones. */
export function openPauses(warehouse: Warehouse): Pauses {
  let known: { readonly head: Micros | null; readonly acts: readonly ScheduleAct[] } = { head: null, acts: [] }
  const acts = async () => {
    const { head_stamp: head } = await warehouse.log('schedule_act').snapshot()
    if (head !== known.head) known = { head, acts: await readActs(warehouse) }
    return known.acts
  }
  return { acts, of: async (schedule_id) => standingPauses(await acts()).get(schedule_id) ?? null }
}

type ActRow = {
  readonly schedule_id: string
  readonly act: ScheduleActKind
  readonly actor: string
  readonly reason: string
  readonly range_from: Instant | null
  readonly range_to: Instant | null
  readonly source_at: Instant
  readonly published_at: Instant
}

async function readActs(warehouse: Warehouse): Promise<ScheduleAct[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['schedule_act'] })
  try {
    const rows = await session.query(readSql(import.meta.url, 'sql/schedule_acts.sql'))
    return (rows as unknown as readonly ActRow[]).map((row) => {
      const { schedule_id, act, actor, reason, range_from: from, range_to: to } = row
      const range = from === null || to === null ? null : { from: toMicros(from), to: toMicros(to) }
      return { schedule_id, act, actor, reason, range, at: toMicros(row.published_at), acted_at: row.source_at }
    })
  } finally {
    await session.close()
  }
}

/**
 * Checks that none of some schedules is paused.
 * @throws {ServiceError} SCHEDULE_PAUSED names who paused it, when and why
 */
export async function requireUnpaused(pauses: Pauses, schedule_ids: readonly string[]): Promise<void> {
  const standing = standingPauses(await pauses.acts())
  for (const schedule_id of schedule_ids) {
    const pause = standing.get(schedule_id)
    if (pause !== undefined) throw pausedError(pause)
  }
}

function pausedError(pause: Pause): ServiceError {
  const { schedule_id } = pause
  const text = `${schedule_id} is ${pauseText(pause)}; allowed: after \`tidemark schedules resume ${schedule_id}\``
  return new ServiceError('SCHEDULE_PAUSED', text, { schedule_id })
}

/** Describes a pause: by whom, when and why, for each who paused it. */
export function pauseText({ also = [], ...first }: Pause): string {
  const acts = [first, ...also].map(({ paused_by, paused_at, reason }) => `by ${paused_by} at ${paused_at} (${reason})`)
  return `paused ${acts.join(' and ')}`
}

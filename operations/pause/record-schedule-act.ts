import { deriveId } from '../../primitives/ids.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openPauses } from './pauses.ts'
import { type Pause, type ScheduleAct, type Span, standingPauses } from './schedule-acts.ts'

/** Person who acts, and why. */
export type ActBy = { readonly actor: string; readonly reason: string }

/** Pauses a schedule. Another person or reason joins the pause that holds. @returns that pause */
export async function recordPause(warehouse: Warehouse, schedule_id: string, by: ActBy): Promise<Pause> {
  for (;;) {
    const acts = await openPauses(warehouse).acts()
    const standing = standingPauses(acts).get(schedule_id)
    if (standing !== undefined && states(standing, by)) return standing
    await recordAct(warehouse, acts, { schedule_id, act: 'paused', ...by, range: null })
  }
}

function states({ also = [], ...first }: Pause, { actor, reason }: ActBy): boolean {
  return [first, ...also].some((one) => one.paused_by === actor && one.reason === reason)
}

/** Resumes a schedule. @returns the pause that it ended; null if there was none */
export async function recordResume(warehouse: Warehouse, schedule_id: string, by: ActBy): Promise<Pause | null> {
  let ended: Pause | null = null
  for (;;) {
    const acts = await openPauses(warehouse).acts()
    const standing = standingPauses(acts).get(schedule_id)
    if (standing === undefined) return ended
    ended = standing
    await recordAct(warehouse, acts, { schedule_id, act: 'resumed', ...by, range: null })
  }
}

/** Records that the ticks of a range were made up for. */
export async function recordMadeUp(warehouse: Warehouse, range: Span, by: ActBy): Promise<void> {
  const act = { schedule_id: SCHEDULE_IDS.publish, act: 'made_up', ...by, range } as const
  while (!(await recordAct(warehouse, await openPauses(warehouse).acts(), act)));
}

/** Stores an act unless another one was published meanwhile. @returns true if it was stored */
async function recordAct(
  warehouse: Warehouse,
  seen: readonly ScheduleAct[],
  { range, ...act }: Omit<ScheduleAct, 'at' | 'acted_at'>,
): Promise<boolean> {
  const acted_at = formatMicros(await warehouse.now())
  const act_id = deriveId('sca', act.schedule_id, act.act, acted_at)
  const range_columns = range === null ? {} : { range_from: formatMicros(range.from), range_to: formatMicros(range.to) }
  const row = { act_id, ...act, ...range_columns, source_at: acted_at }
  const { overtaken } = await warehouse.append('schedule_act', [row], {
    app_id: `schedule-act/${act_id}`,
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'SCHEDULE_ACT',
    unless_published_after: seen.at(-1)?.at ?? Number.MIN_SAFE_INTEGER,
  })
  return !overtaken
}

import type { Client } from '@temporalio/client'
import { pauseText } from '../../operations/pause/pauses.ts'
import { recordPause } from '../../operations/pause/record-schedule-act.ts'
import { type ScheduleAct, standingPauses } from '../../operations/pause/schedule-acts.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { endEndless, listSchedules, type ServerSchedule } from './schedules.ts'

export type PausePorts = {
  readonly client: Client
  readonly owner: string
  readonly warehouse: Warehouse
  readonly acts: readonly ScheduleAct[]
}

/** Actor of a pause that was made in Temporal's own interface, which does not say who made it. */
const IN_TEMPORAL = 'Temporal'

/**
 * Makes the server's schedules agree with the record of pauses, which is the one that counts. A schedule that is recorded as
 * paused is paused on the server, too; one that the record resumed is resumed. A pause that somebody made in Temporal's own
 * interface is recorded, so that it holds for every scheduler.
 */
export async function syncPauses(ports: PausePorts): Promise<void> {
  const listed = await listSchedules(ports.client)
  for (const found of listed) if (found.owner === ports.owner) await syncPause(found, ports)
}

async function syncPause(found: ServerSchedule, { client, warehouse, acts }: PausePorts): Promise<void> {
  const { schedule_id, paused, note } = found
  const handle = client.schedule.getHandle(schedule_id)
  const pause = standingPauses(acts).get(schedule_id)
  if (pause !== undefined) {
    if (!paused || note !== pauseText(pause)) await handle.pause(pauseText(pause))
    if (!paused) await endEndless(client, schedule_id)
    return
  }
  // The list may be some moments old.
  if (!paused || !(await handle.describe()).state.paused) return
  if (isRecorded(acts, schedule_id, note)) return handle.unpause('resumed')
  const by = { actor: IN_TEMPORAL, reason: note || 'paused in the interface of Temporal' }
  await handle.pause(pauseText(await recordPause(warehouse, schedule_id, by)))
}

/** True if a note is that of a recorded pause, which has ended meanwhile. */
function isRecorded(acts: readonly ScheduleAct[], schedule_id: string, note: string | null): boolean {
  const own = acts.filter((act) => act.schedule_id === schedule_id)
  return own.some((_, n) => {
    const pause = standingPauses(own.slice(0, n + 1)).get(schedule_id)
    return pause !== undefined && note === pauseText(pause)
  })
}

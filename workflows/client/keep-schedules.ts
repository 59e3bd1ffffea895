import type { Client } from '@temporalio/client'
import { waitFor } from '../../operations/live/wait-for.ts'
import type { Pauses } from '../../operations/pause/pauses.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { ScheduleRow } from '../schedules.ts'
import type { ServerAddress } from '../server/server-file.ts'
import { connectTemporal } from './connect.ts'
import { reconcileSchedules } from './reconcile-schedules.ts'
import { triggerSchedule } from './schedules.ts'
import { ensureSearchAttributes } from './search-attributes.ts'
import { serverError } from './server-error.ts'
import { syncPauses } from './sync-pauses.ts'

export type KeepOptions = {
  readonly server: ServerAddress
  readonly table: readonly ScheduleRow[]
  /** Name of the fleet whose table it is. */
  readonly owner: string
  readonly warehouse: Warehouse
  readonly pauses: Pauses
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
  readonly every_ms?: number
}

const EVERY_MS = 15_000

/**
 * Keeps an owner's schedules equal to its table and to the record of pauses until the signal is aborted, and triggers those that
 * a starting worker needs. A server that lost its database, or was unavailable, gets them again.
 */
export async function keepSchedules(options: KeepOptions): Promise<void> {
  const { server, table, owner, warehouse, pauses, signal, on_problem, every_ms = EVERY_MS } = options
  let due = new Set(table.filter(({ at_start }) => at_start).map(({ schedule_id }) => schedule_id))
  while (!signal.aborted) {
    try {
      const connected = await connectTemporal(server)
      try {
        const { client } = connected
        await ensureSearchAttributes(client)
        const { created } = await reconcileSchedules(client, table, { owner })
        await syncPauses({ client, owner, warehouse, acts: await pauses.acts() })
        for (const { schedule_id, at_start } of table)
          if (at_start && created.includes(schedule_id)) due.add(schedule_id)
        for (const schedule_id of due) await triggerUnlessPaused(client, schedule_id)
        due = new Set()
      } finally {
        await connected.close()
      }
    } catch (error) {
      on_problem(serverError(error, server))
    }
    await waitFor(every_ms, signal)
  }
}

async function triggerUnlessPaused(client: Client, schedule_id: string): Promise<void> {
  const { state } = await client.schedule.getHandle(schedule_id).describe()
  if (!state.paused) await triggerSchedule(client, schedule_id)
}

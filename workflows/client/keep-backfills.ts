import { reportBackfill, unendedBackfills } from '../../operations/backfill/backfill-progress.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { ServerAddress } from '../server/server-file.ts'
import { findBackfill } from './backfills.ts'
import { connectTemporal } from './connect.ts'
import { serverError } from './server-error.ts'

export type KeepBackfillsOptions = {
  readonly server: ServerAddress
  readonly warehouse: Warehouse
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
  readonly every_ms?: number
}

const EVERY_MS = 60_000

/**
 * Records the progress of every backfill that runs on the server, once a minute until the signal is aborted: also of one that waits
 * for a venue or the end of a pause. One without further reports is shown as interrupted.
 */
export async function keepBackfills(options: KeepBackfillsOptions): Promise<void> {
  const { server, warehouse, signal, on_problem, every_ms = EVERY_MS } = options
  while (!signal.aborted) {
    await waitFor(every_ms, signal)
    if (signal.aborted) return
    try {
      const unended = await unendedBackfills(warehouse)
      const silent = unended.filter(({ age_ms }) => age_ms >= every_ms)
      if (silent.length > 0) await reportAll(options, silent)
    } catch (error) {
      on_problem(serverError(error, server))
    }
  }
}

type Unended = Awaited<ReturnType<typeof unendedBackfills>>

async function reportAll({ server, warehouse }: KeepBackfillsOptions, unended: Unended): Promise<void> {
  const connected = await connectTemporal(server)
  try {
    for (const { backfill_id, head } of unended) {
      const handle = findBackfill(connected.client, backfill_id, false)
      const progress = (await handle.isRunning()) === true ? await handle.progress() : null
      if (progress !== null) await reportBackfill(warehouse, progress, head)
    }
  } finally {
    await connected.close()
  }
}

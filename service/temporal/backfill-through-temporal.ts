import { setTimeout as delay } from 'node:timers/promises'
import type { BackfillSubject } from '../../operations/backfill/backfill-subject.ts'
import type { BackfillReport } from '../../workflows/backfill.ts'
import { startBackfill } from '../../workflows/client/backfills.ts'
import type { TemporalClient } from '../../workflows/client/connect.ts'
import { type ThroughOptions, withTemporal, workflowPage } from './with-temporal.ts'

/** The signal cancels the backfill. */
export type ThroughTemporalOptions = ThroughOptions & { readonly base_url: string | null; readonly detach: boolean }

export type ThroughTemporalReport = BackfillReport & {
  readonly workflow_id: string
  /** Its page in Temporal's own interface; null where we do not know of one. */
  readonly ui_url: string | null
}

const LOOK_MS = 1_000

/**
 * A backfill through Temporal: by the workers that are there, or by one of this process while it lasts. Its progress is shown;
 * the signal cancels it, and the same command goes on with it.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is no server; what planning throws; the signal's reason
 */
export function runThroughTemporal(
  subject: BackfillSubject,
  options: ThroughTemporalOptions,
): Promise<ThroughTemporalReport> {
  return withTemporal(options, (connected) => follow(subject, connected, options))
}

/** Until it has ended. A server that is away for a while is waited for; one that lost its database gets it again. */
async function follow(
  subject: BackfillSubject,
  connected: TemporalClient,
  { output, signal, detach }: ThroughTemporalOptions,
): Promise<ThroughTemporalReport> {
  const { client } = connected
  const handle = await startBackfill(client, subject)
  const { workflow_id } = handle
  const place = { workflow_id, ui_url: workflowPage(connected, workflow_id) }
  if (place.ui_url !== null) output.note(place.ui_url)
  const cancel = () => void handle.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const bar = await output.progress('backfill')
  try {
    for (;;) {
      const so_far = await handle.progress()
      if (so_far !== null && detach) return { ...so_far, ...place }
      if (so_far !== null) bar.update({ done: so_far.chunks_done, total: so_far.chunks_total || null })
      const runs = await handle.isRunning().catch(() => true)
      if (runs === false) break
      if (runs === null) await startBackfill(client, subject)
      await delay(LOOK_MS)
    }
  } finally {
    bar.finish()
    signal.removeEventListener('abort', cancel)
  }
  const report = await handle.result()
  signal.throwIfAborted()
  return { ...report, ...place }
}

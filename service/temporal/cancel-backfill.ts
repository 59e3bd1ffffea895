import { requireNotHeld } from '../../operations/backfill/hold-backfill.ts'
import { waitFor } from '../../operations/live/wait-for.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import type { BackfillReport } from '../../workflows/backfill-course.ts'
import { type BackfillHandle, findBackfill } from '../../workflows/client/backfills.ts'
import { cancelledNote } from '../backfill-notes.ts'
import type { Settings } from '../configuration.ts'
import type { Output } from '../output.ts'
import { onServer } from './on-server.ts'

export type CancelOptions = {
  readonly settings: Settings
  readonly output: Output
  readonly signal: AbortSignal
  /** Longest wait for the end of the backfill; a minute when left out. */
  readonly wait_ms?: number
}

export type CancelReport = {
  readonly backfill_id: string
  readonly workflow_id: string
  /** Progress at its end; null: no worker answers. */
  readonly progress: BackfillReport | null
}

const WAIT_MS = 60_000
const LOOK_MS = 500

/**
 * Cancels a backfill that runs through Temporal, whoever started it, and waits for its end. One that has ended stays as it is.
 * @param id of the backfill or of its workflow
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: there is no such backfill; WAREHOUSE_BUSY: a process runs it without Temporal;
 *   SERVICE_UNAVAILABLE: there is no server, or the backfill does not end; the signal's reason
 */
export async function cancelBackfill(id: string, options: CancelOptions): Promise<CancelReport> {
  const { settings, output, signal } = options
  const backfill_id = id.replace(/^backfill\//, '')
  if (!/^bkf_[0-9a-z]+$/.test(backfill_id)) throw unknown(id)
  await requireNotHeld(settings.home, backfill_id)
  return onServer(settings, signal, async ({ client }) => {
    const handle = findBackfill(client, backfill_id, false)
    const { workflow_id } = handle
    const runs = await handle.isRunning()
    if (runs === null) throw unknown(id)
    if (runs) await cancelRunning(handle, options)
    else output.note(`${workflow_id} was not running`)
    const progress = await handle.progress()
    if (runs) output.note(endNote(workflow_id, progress))
    return { backfill_id, workflow_id, progress }
  })
}

async function cancelRunning(
  handle: BackfillHandle,
  { output, signal, wait_ms = WAIT_MS }: CancelOptions,
): Promise<void> {
  output.note(`cancelling ${handle.workflow_id}`)
  await handle.cancel()
  const end = performance.now() + wait_ms
  while ((await handle.isRunning()) === true) {
    if (performance.now() > end) throw stillRuns(handle.workflow_id, wait_ms)
    await waitFor(LOOK_MS, signal)
    signal.throwIfAborted()
  }
}

function endNote(workflow_id: string, progress: BackfillReport | null): string {
  if (progress === null) return `${workflow_id} has ended; no worker answers what it has done`
  if (progress.state === 'cancelled') return cancelledNote(progress, 'the command that began it')
  return `${workflow_id} had ended before: ${progress.state}`
}

function unknown(id: string): ServiceError {
  const allowed = 'the id of a backfill through Temporal, as the table backfill_run has it'
  return notAllowed('VALIDATION_USAGE_INVALID', 'id', id, allowed)
}

function stillRuns(workflow_id: string, wait_ms: number): ServiceError {
  return new ServiceError(
    'SERVICE_UNAVAILABLE',
    `${workflow_id} was asked to end and still runs after ${wait_ms / 1_000} s; allowed: start a worker, which ends it`,
    { workflow_id },
  )
}

import { setTimeout as delay } from 'node:timers/promises'
import { type BackfillSubject, schedulesOf, subjectIdOf } from '../../operations/backfill/backfill-subject.ts'
import { openPauses, requireUnpaused } from '../../operations/pause/pauses.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { BackfillReport } from '../../workflows/backfill-course.ts'
import { NO_CHUNKS } from '../../workflows/backfill-plan.ts'
import { type BackfillHandle, startBackfill } from '../../workflows/client/backfills.ts'
import { cancelCommandOf, cancelledNote } from '../backfill-notes.ts'
import { outageNotes, type Waiting } from '../outage-notes.ts'
import type { Progress } from '../output.ts'
import { withWarehouse } from '../with-warehouse.ts'
import { untilInterrupted } from './interruption.ts'
import { requireUnmoved } from './moved-server.ts'
import { type ThroughOptions, type WorkingClient, withTemporal, workflowPage } from './with-temporal.ts'

/** The signal cancels a backfill of this command, and ends the watching of another one. With `detach` it does neither. */
export type ThroughTemporalOptions = ThroughOptions & { readonly base_url: string | null; readonly detach: boolean }

export type ThroughTemporalReport = BackfillReport & {
  readonly workflow_id: string
  /** Its page in Temporal's own interface; null where we do not know of one. */
  readonly ui_url: string | null
}

const LOOK_MS = 1_000
/** Time without progress after which the reason is looked for. */
const STILL_MS = 10_000

/**
 * A backfill through Temporal: by the workers that are there, or by one of this process while it lasts. Its progress is shown.
 * The signal cancels it if this command started it or does its work, and the same command goes on with it. With `detach` it is only
 * started: nothing is waited for and nothing cancels it.
 * @throws {ServiceError} SERVICE_UNAVAILABLE: there is no server, or search attributes are missing; what planning throws; the
 *   signal's reason
 */
export function runThroughTemporal(
  subject: BackfillSubject,
  options: ThroughTemporalOptions,
): Promise<ThroughTemporalReport> {
  return withTemporal(options, async (connected) => {
    const { output, signal, detach } = options
    signal.throwIfAborted()
    const handle = await startBackfill(connected.client, subject)
    const { workflow_id } = handle
    const place = { workflow_id, ui_url: workflowPage(connected, workflow_id) }
    if (place.ui_url !== null) output.note(place.ui_url)
    if (detach) {
      output.note(startedNote(handle))
      await notePause(subject, options)
    }
    const report = detach ? begun(subject, handle) : await follow(subject, handle, connected, options)
    return { ...report, ...place }
  })
}

/** Says what --detach did, and how to see the rest. */
function startedNote({ backfill_id, workflow_id, is_started }: BackfillHandle): string {
  const what = is_started ? 'was started' : 'was running already'
  const later = `the same command without --detach follows it, and \`${cancelCommandOf(backfill_id)}\` cancels it`
  return `${workflow_id} ${what} and goes on without this command; ${later}`
}

/** Says that a backfill that is only started will wait; who waits for one is told while it waits. */
async function notePause(subject: BackfillSubject, { settings, output }: ThroughTemporalOptions): Promise<void> {
  const held = await withWarehouse(settings, { create: false }, (warehouse) =>
    requireUnpaused(openPauses(warehouse), schedulesOf(subject)),
  ).catch((error: unknown) => error)
  if (isServiceError(held, 'SCHEDULE_PAUSED')) output.note(`it waits for the end of a pause: ${held.message}`)
}

/** Report of a backfill that was only started: what it has done is not asked. */
function begun(subject: BackfillSubject, { backfill_id }: BackfillHandle): BackfillReport {
  const { from, to } = subject.request
  const now = new Date().toISOString()
  const course = { state: 'planning', chunks_total: 0, chunks_done: 0, records_new: 0, failed: [] } as const
  const of = { backfill_id, subject_kind: subject.kind, subject_id: subjectIdOf(subject), from, to }
  return { ...of, ...course, started_at: now, updated_at: now, sums: NO_CHUNKS }
}

/** Until it has ended, or until the signal where it is somebody else's. Says how it was cancelled. */
async function follow(
  subject: BackfillSubject,
  handle: BackfillHandle,
  connected: WorkingClient,
  { settings, output, signal }: ThroughTemporalOptions,
): Promise<BackfillReport> {
  const isOwn = () => handle.is_started || connected.worksHere()
  const followed = { ...handle, isOwn, cancel_command: cancelCommandOf(handle.backfill_id) }
  const notes = outageNotes((text) => output.note(text))
  const note = (waiting: Waiting | null) => (signal.aborted ? undefined : notes.report(waiting))
  const report = await untilInterrupted(followed, connected, { output, signal }, async (over) => {
    const checkServer = () => requireUnmoved(settings, connected.server)
    const bar = await output.progress('backfill')
    await untilEnded(subject, handle, connected, { bar, note, over, checkServer })
    return handle.result()
  })
  if (report.state !== 'cancelled') note(null)
  else if (signal.aborted) output.note(cancelledNote(report))
  signal.throwIfAborted()
  return report
}

type Watching = {
  readonly bar: Progress
  /** Receives what is waited for; null: nothing. */
  readonly note: (waiting: Waiting | null) => void
  readonly over: AbortSignal
  /** Called while the server does not answer. @throws it will never answer again */
  readonly checkServer: () => Promise<void>
}

/**
 * Shows the progress of a backfill until it has ended or the watching is over. A server that is away for a while is waited for; one
 * that lost its database gets the backfill again, and a backfill whose workers are gone gets one here.
 * @throws what `checkServer` throws
 */
async function untilEnded(
  subject: BackfillSubject,
  handle: BackfillHandle,
  { client, ensureWorker }: WorkingClient,
  { bar, note, over, checkServer }: Watching,
): Promise<void> {
  let seen = { done: -1, at_ms: Date.now() }
  try {
    while (!over.aborted) {
      const runs = await handle.isRunning().catch(() => undefined)
      if (runs === false) return
      if (runs === undefined) await checkServer()
      if (runs === null) await startBackfill(client, subject).catch(() => undefined)
      const so_far = runs === true ? await handle.progress() : null
      if (so_far !== null) {
        bar.update({ done: so_far.chunks_done, total: so_far.chunks_total || null })
        if (so_far.chunks_done !== seen.done) seen = { done: so_far.chunks_done, at_ms: Date.now() }
      }
      const is_still = Date.now() - seen.at_ms >= STILL_MS
      if (runs === true && so_far === null && is_still) await ensureWorker().catch(() => undefined)
      note(await waitingFor(handle, { answers: runs !== undefined, so_far, is_still }))
      await delay(LOOK_MS)
    }
  } finally {
    bar.finish()
  }
}

/** Says what a backfill waits for; null: nothing that is known. */
async function waitingFor(
  handle: BackfillHandle,
  seen: { readonly answers: boolean; readonly so_far: BackfillReport | null; readonly is_still: boolean },
): Promise<Waiting | null> {
  if (!seen.answers) return known('the Temporal server does not answer')
  if (!seen.is_still) return null
  const [trouble] = await handle.troubles()
  if (trouble !== undefined) return trouble
  return seen.so_far === null ? known('no worker answers') : null
}

function known(text: string): Waiting {
  return { cause: text, text }
}

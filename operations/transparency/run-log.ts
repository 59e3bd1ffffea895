import type { LogWriter } from '../../warehouse/transparency/log-writer.ts'
import { waitFor } from '../live/wait-for.ts'

export type RunLogOptions = {
  /** Opens the writer; called again after a failure. */
  readonly open: () => Promise<LogWriter>
  /** Called after each checkpoint, such as to have it cosigned. */
  readonly afterwards?: (writer: LogWriter, size: number) => Promise<void>
  readonly every_ms: number
  readonly signal: AbortSignal
  readonly on_problem: (error: unknown) => void
}

/** Interval between two checkpoints. */
export const CHECKPOINT_EVERY_MS = 60_000

/**
 * Appends what was published to the log, at once and then repeatedly until the signal is aborted. Levels do not wait for it: a failure is
 * reported, and the next turn opens the log again.
 */
export async function runLog(options: RunLogOptions): Promise<void> {
  const { open, afterwards, every_ms, signal, on_problem } = options
  let writer: LogWriter | null = null
  while (!signal.aborted) {
    try {
      writer ??= await open()
      const size = await appendAll(writer, signal)
      if (size !== null) await afterwards?.(writer, size)
    } catch (error) {
      if (!signal.aborted) on_problem(error)
      writer?.close()
      writer = null
    }
    await waitFor(every_ms, signal)
  }
  writer?.close()
}

/** Appends batches until everything published is in the log. @returns the size of the log; null: the signal was aborted before */
export async function appendAll(writer: LogWriter, signal: AbortSignal): Promise<number | null> {
  while (!signal.aborted) {
    const { size, more } = await writer.append()
    if (!more) return size
  }
  return null
}

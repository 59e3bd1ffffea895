import { waitFor } from '../live/wait-for.ts'
import type { Pauses } from './pauses.ts'

const LOOK_MS = 2_000

/**
 * Runs work while a schedule is not paused: waits for the end of a pause, and ends the work's signal when one begins.
 * @returns the result of the work; null if the signal was aborted before the work could begin
 * @throws errors of the work; of reading the pauses before it
 */
export async function holdWhilePaused<T>(
  { pauses, schedule_id, signal }: { pauses: Pauses; schedule_id: string; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const isPaused = async () => (await pauses.of(schedule_id)) !== null
  while (!signal.aborted && (await isPaused())) await waitFor(LOOK_MS, signal)
  if (signal.aborted) return null
  const paused = new AbortController()
  const over = new AbortController()
  const looking = (async () => {
    while (!over.signal.aborted && !paused.signal.aborted) {
      await waitFor(LOOK_MS, AbortSignal.any([signal, over.signal]))
      if (signal.aborted) return
      // A warehouse that cannot be read for a moment changes nothing: the work stores to it and fails by itself.
      if (await isPaused().catch(() => false)) paused.abort()
    }
  })()
  try {
    return await work(AbortSignal.any([signal, paused.signal]))
  } finally {
    over.abort()
    await looking
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Micros } from '../../primitives/instants.ts'

/** Least time between two stamps, in milliseconds. */
const STAMP_EVERY_MS = 1000

/**
 * Creates the stamp that the reads of a process share: an empty batch of the engine, so that no later batch is stamped at or before
 * an instant. Whoever asks before it begins is answered by the same batch, and at most one begins in a second.
 * @param submit lets the engine commit an empty batch stamped at an instant or after it
 */
export function sharedStamp(submit: (at: Micros) => Promise<unknown>): (at: Micros) => Promise<void> {
  let [last_ms, wanted] = [Number.NEGATIVE_INFINITY, 0]
  let waiting: Promise<void> | null = null
  const stampOnce = async (): Promise<void> => {
    await sleep(Math.max(0, last_ms + STAMP_EVERY_MS - performance.now()))
    waiting = null // whoever asks from here on may ask for a later instant
    last_ms = performance.now()
    await submit(wanted)
  }
  return (at) => {
    wanted = Math.max(wanted, at)
    waiting ??= stampOnce()
    return waiting
  }
}

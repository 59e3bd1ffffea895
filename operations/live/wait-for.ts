import { setTimeout as delay } from 'node:timers/promises'

/** Waits, and wakes early when the signal is aborted. Never throws. @param wait_ms not negative */
export async function waitFor(wait_ms: number, signal: AbortSignal): Promise<void> {
  await delay(wait_ms, undefined, { signal }).catch(() => undefined)
}

/** Longest time for an answer, in milliseconds. */
export const HANG_MS = 2_000
/** Number of times a slow request is sent again: one that its input makes slow is slow each time. */
const AGAIN = 3
/** On a busy machine a request may take this many times what an ordinary one takes. */
const CONTROLS = 4

/**
 * Decides whether a request that took longer than HANG_MS is slow by itself. It is sent again alone, each time after an ordinary request
 * that shows how busy the machine is.
 * @param send     sends it and returns the milliseconds until its answer
 * @param control  the same for an ordinary request
 */
export async function isHang(send: () => Promise<number>, control: () => Promise<number>): Promise<boolean> {
  for (let again = 0; again < AGAIN; again += 1) {
    const allowed_ms = Math.max(HANG_MS, CONTROLS * (await control()))
    if ((await send()) <= allowed_ms) return false
  }
  return true
}

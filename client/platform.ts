/** Random bytes as hex, twice as many digits. */
export function randomHex(byte_count: number): string {
  return toHex(crypto.getRandomValues(new Uint8Array(byte_count)))
}

/** Lower-case hex of bytes. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/**
 * Calls a function of the caller. What it throws is a fault of the caller's: it is thrown on its own, as by the listener of an event, and
 * ends nothing here.
 */
export function callBack<A extends readonly unknown[]>(call: ((...args: A) => void) | undefined, ...args: A): void {
  try {
    call?.(...args)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** Longest time that a timer of the platform holds: a longer one would end at once. */
export const TIMER_MS_MAX = 2_147_483_647

/** Waits. @throws the signal's reason, at once, if it is aborted */
export function sleep(wait_ms: number, signal?: AbortSignal): Promise<void> {
  return abortable(signal, (resolve, aborted) => {
    const timer = setTimeout(resolve, Math.min(wait_ms, TIMER_MS_MAX))
    aborted(() => clearTimeout(timer))
  })
}

/**
 * Waits for a result or for a signal, whichever comes first.
 * @param begin  starts the work and registers the function that ends it when the signal is aborted
 */
export function abortable<T>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, aborted: (end: () => void) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    let end: () => void = () => undefined
    const abort = () => {
      end()
      reject(signal!.reason)
    }
    const settled = () => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort, { once: true })
    begin(
      (value) => {
        settled()
        resolve(value)
      },
      (ending) => {
        end = ending
      },
      (error) => {
        settled()
        reject(error)
      },
    )
  })
}

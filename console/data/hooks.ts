import { useEffect, useState } from 'preact/hooks'
import { ApiError } from './api-error.ts'
import type { Cell } from './cell.ts'

/** Returns the value of a cell and re-renders when it changes. */
export function useCell<T>(cell: Cell<T>): T {
  const [, redraw] = useState(0)
  const value = cell.get()
  useEffect(() => {
    // It may have changed between rendering and this effect.
    if (!Object.is(cell.get(), value)) redraw((count) => count + 1)
    return cell.watch(() => redraw((count) => count + 1))
  }, [cell])
  return value
}

export type Loaded<T> =
  | { readonly state: 'loading'; readonly data: null; readonly error: null }
  | { readonly state: 'ready'; readonly data: T; readonly error: null }
  | { readonly state: 'failed'; readonly data: null; readonly error: ApiError }

/** Delay before a failed read is retried, in milliseconds. */
const RETRY_MS = 10_000

const LOADING = { state: 'loading', data: null, error: null } as const

/**
 * Loads a value for a key; a new key discards the previous value. A change of `again` repeats the read and keeps the value until the next
 * one arrives. Failures of the service are reported and retried.
 */
export function useLoaded<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  again: unknown = 0,
): Loaded<T> {
  const [held, hold] = useState<{ key: string | null; loaded: Loaded<T> }>({ key, loaded: LOADING })
  useEffect(() => {
    if (key === null) return
    const ending = new AbortController()
    const settle = (loaded: Loaded<T>) => {
      if (!ending.signal.aborted) hold({ key, loaded })
    }
    let timer: ReturnType<typeof setTimeout> | null = null
    const read = () => {
      load(ending.signal).then(
        (data) => settle({ state: 'ready', data, error: null }),
        (cause: unknown) => {
          const error = asApiError(cause)
          settle({ state: 'failed', data: null, error })
          if (mayPass(error) && !ending.signal.aborted) timer = setTimeout(read, error.retry_after_ms ?? RETRY_MS)
        },
      )
    }
    read()
    return () => {
      ending.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [key, again])
  return held.key === key ? held.loaded : LOADING
}

/** Whether a retry may succeed: not for errors of the request itself. */
function mayPass({ status, code }: ApiError): boolean {
  return status >= 500 || status === 429 || code === 'UNREACHABLE'
}

/** Converts a failure of the page itself, shown like one of the service. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError('PAGE_FAILED', `The page could not read this answer: ${String(error)}`, {})
}

/** Returns the current time in milliseconds, updated every `step_ms`. */
export function useNow(step_ms = 5000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), step_ms)
    return () => clearInterval(timer)
  }, [step_ms])
  return now
}

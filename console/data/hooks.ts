import { useEffect, useState } from 'preact/hooks'
import { ApiError } from './api-error.ts'
import type { Cell } from './cell.ts'

/** The value of a cell; the component is drawn again when it changes. */
export function useCell<T>(cell: Cell<T>): T {
  const [, redraw] = useState(0)
  const value = cell.get()
  useEffect(() => {
    // It may have changed between drawing and here.
    if (!Object.is(cell.get(), value)) redraw((count) => count + 1)
    return cell.watch(() => redraw((count) => count + 1))
  }, [cell])
  return value
}

export type Loaded<T> =
  | { readonly state: 'loading'; readonly data: null; readonly error: null }
  | { readonly state: 'ready'; readonly data: T; readonly error: null }
  | { readonly state: 'failed'; readonly data: null; readonly error: ApiError }

/** How long after a failure a read is tried again. */
const RETRY_MS = 10_000

const LOADING = { state: 'loading', data: null, error: null } as const

/**
 * Loads a value for a key; another key begins anew and shows nothing of the key before it. `again` reads the same once more
 * and leaves the value in its place until the next one is there. A failure of the service is told, and the read tried again until
 * it is answered.
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
          if (mayPass(error) && !ending.signal.aborted) timer = setTimeout(read, RETRY_MS)
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

/** What the service could not do now it may do later; what was asked wrongly stays wrong. */
function mayPass({ status, code }: ApiError): boolean {
  return status >= 500 || code === 'UNREACHABLE'
}

/** A failure of the page itself is told like one of the service: in a sentence, in its place. */
function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError('PAGE_FAILED', `The page could not read this answer: ${String(error)}`, {})
}

/** The time in milliseconds, about once a `step_ms`, for ages that grow. */
export function useNow(step_ms = 5000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), step_ms)
    return () => clearInterval(timer)
  }, [step_ms])
  return now
}

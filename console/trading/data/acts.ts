import { ApiError } from '../../data/api-error.ts'
import { createCell } from '../../data/cell.ts'
import type { PrivateApi, Repeat, Write } from './private-api.ts'

/** Action of the user and its result. */
export type Act = {
  readonly number: number
  readonly at: number
  /** In words, such as "Place BUY 10 Yes at 0.52". */
  readonly what: string
  /** repeating: the outcome is unknown and the request is sent again under the same Idempotency-Key. */
  readonly state: 'sending' | 'repeating' | 'done' | 'refused'
  readonly summary: string | null
  readonly repeat: Repeat | null
  readonly error: ApiError | null
}

/** Newest first. */
export const acts = createCell<readonly Act[]>([])
const SHOWN_MAX = 8
let made = 0

/**
 * Performs an action and records its progress in `acts`.
 * @param summaryOf describes the answer in words
 */
export async function perform<T>(
  api: PrivateApi,
  what: string,
  write: Write,
  summaryOf: (data: T) => string,
): Promise<{ readonly data: T } | { readonly error: ApiError }> {
  made += 1
  const number = made
  const begun: Act = { number, at: Date.now(), what, state: 'sending', summary: null, repeat: null, error: null }
  acts.set([begun, ...acts.get()].slice(0, SHOWN_MAX))
  const change = (next: Partial<Act>) =>
    acts.set(acts.get().map((act) => (act.number === number ? { ...act, ...next } : act)))
  try {
    const { data } = await api.write<T>(write, (repeat) => change({ state: 'repeating', repeat }))
    change({ state: 'done', summary: summaryOf(data) })
    return { data }
  } catch (cause) {
    const error = cause instanceof ApiError ? cause : new ApiError('PAGE_FAILED', String(cause), {})
    change({ state: 'refused', error })
    return { error }
  }
}

/** Records an action that could not be signed. */
export function notSigned(what: string, error: ApiError): void {
  made += 1
  const act: Act = { number: made, at: Date.now(), what, state: 'refused', summary: null, repeat: null, error }
  acts.set([act, ...acts.get()].slice(0, SHOWN_MAX))
}

import { JsonFault, parseStrictText } from '../../primitives/strict-json.ts'
import { shown } from '../given.ts'
import { clientError, type ErrorObject, errorObject, TidemarkError } from '../tidemark-error.ts'

/** Answer of the service as it is sent; what is in it is checked by whoever takes it. */
export type Answer = {
  readonly data?: unknown
  readonly meta?: Readonly<Record<string, unknown>>
  readonly page?: { readonly next_cursor: string | null }
  readonly error?: ErrorObject
}

/** Reads the body of an answer, and the wait of its `Retry-After`. @returns the answer, or what is wrong with the body */
export function parsedAnswer(text: string, retry_after_ms: number | null): Answer | string {
  try {
    const value = parseStrictText(text)
    if (!isRecord(value) || !hasExactNumbers(value)) return OTHER
    const { data, meta, page, error } = value
    const of_all = { ...(isRecord(meta) ? { meta } : {}), ...(data === undefined ? {} : { data }) }
    if (error === undefined)
      return data === undefined ? OTHER : ({ ...of_all, ...(isRecord(page) ? { page } : {}) } as Answer)
    const stated = errorObject(error, retry_after_ms)
    return stated === null ? OTHER : { ...of_all, error: stated }
  } catch (error) {
    // A text that is nested too deep exhausts the stack.
    return error instanceof JsonFault && error.is_doubled ? ` with a body that ${error.message}` : OTHER
  }
}

/** Fault of an answer that another program gave. */
export const OTHER = ', not as this API does'

/** Tests whether a value is an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether each number is what the text says: no integer is rounded, and none is infinite. */
function hasExactNumbers(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
  return typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers)
}

/** Returns the data of an answer that is to have a record. @throws {TidemarkError} SERVICE_UNAVAILABLE */
export function recordOf<T>(data: T): T {
  if (isRecord(data)) return data
  throw misshapen(`data is ${shown(data)}; allowed: an object`)
}

/** Returns the data of an answer that is to have a list of records. @throws {TidemarkError} SERVICE_UNAVAILABLE */
export function recordsOf<T>(data: T): T {
  if (Array.isArray(data) && data.every(isRecord)) return data
  throw misshapen(`data is ${shown(data)}; allowed: a list of objects`)
}

/** Empty pages in a row after which a list counts as endless. */
const EMPTY_PAGES_MAX = 100

/** Creates the check of the pages of one list, which must end. @returns the cursor of the next page; null: there is none */
export function createPageCheck(): (answer: {
  readonly data?: unknown
  readonly next_cursor: unknown
}) => string | null {
  const seen = new Set<unknown>([''])
  let empty = 0
  return ({ data, next_cursor }) => {
    empty = (recordsOf(data) as readonly unknown[]).length === 0 ? empty + 1 : 0
    if (next_cursor == null) return null
    if (typeof next_cursor !== 'string' || seen.has(next_cursor) || empty > EMPTY_PAGES_MAX)
      throw misshapen(`next_cursor is ${shown(next_cursor)}; allowed: null, or the cursor of a further page`)
    seen.add(next_cursor)
    return next_cursor
  }
}

/** Creates the error of an answer that is not of this API; the request is not repeated. */
export function misshapen(what: string, status: number | null = null, data: unknown = null): TidemarkError {
  const { error } = clientError('SERVICE_UNAVAILABLE', `the answer is not this API's: ${what}`, false)
  return new TidemarkError(error, status, data)
}

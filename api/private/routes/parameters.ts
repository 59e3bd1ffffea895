import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Page, Part } from '../../../trading/store/read/trading-reads.ts'
import type { CursorState } from '../../server/handler.ts'
import { type PrivateAnswer, type PrivateRequest, shownText } from '../private-request.ts'
import { boundedTexts } from './bounded-texts.ts'

/** Returns a text, or null if it was not given. */
export function textOrNull({ parameters }: PrivateRequest, name: string): string | null {
  return (parameters[name] as string | undefined) ?? null
}

/** Returns an integer, or null if it was not given. */
export function integerOrNull({ parameters }: PrivateRequest, name: string): number | null {
  return (parameters[name] as number | undefined) ?? null
}

/** Returns an instant, or null if it was not given. */
export function instantOrNull(request: PrivateRequest, name: string): Micros | null {
  const text = textOrNull(request, name)
  return text === null ? null : toMicros(text, name)
}

/** Returns the range of the requested page plus one row, which shows whether another page follows. */
export function partOf({ parameters, cursor }: PrivateRequest): Part {
  return { after: cursor?.key ?? null, limit: (parameters.limit as number) + 1 }
}

/** Builds the answer of a page, and the cursor state of the next one. A page ends early at PAGE_BYTES_MAX. */
export function shownPage<R>(
  { parameters }: PrivateRequest,
  { head, rows, cut = false }: Page<R>,
  {
    keyOf,
    recordOf,
    as_of = head.at,
  }: {
    readonly keyOf: (row: R) => CursorState['key']
    readonly recordOf: (row: R) => object
    /** Instant of the further pages. */
    readonly as_of?: Micros
  },
): PrivateAnswer {
  const asked = rows.slice(0, parameters.limit as number)
  const texts = boundedTexts(asked, recordOf)
  const last = asked[texts.length - 1]
  const has_more = last !== undefined && (cut || rows.length > texts.length)
  return {
    ...shownText(`[${texts.join(',')}]`),
    next: has_more ? { as_of, key: keyOf(last) } : null,
    is_cut: has_more && texts.length < (parameters.limit as number),
  }
}

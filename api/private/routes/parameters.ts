import { type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Part } from '../../../trading/store/read/trading-reads.ts'
import type { CursorState } from '../../server/handler.ts'
import type { PrivateRequest } from '../private-request.ts'

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

/** Returns the rows of a page, and the cursor state of the next one. */
export function pageOf<R>(
  { parameters }: PrivateRequest,
  rows: readonly R[],
  as_of: Micros,
  keyOf: (row: R) => CursorState['key'],
): { readonly rows: readonly R[]; readonly next: CursorState | null } {
  const shown = rows.slice(0, parameters.limit as number)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > shown.length && last !== undefined ? { as_of, key: keyOf(last) } : null }
}

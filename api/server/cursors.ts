import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { invariant } from '../../primitives/errors.ts'
import { CURSOR_LENGTH_MAX } from '../../protocol/limits.ts'
import type { CursorState } from './handler.ts'
import type { ParameterValues } from './read-parameters.ts'
import { RequestRefusal, violation } from './request-refusal.ts'

/**
 * Cursors of one service: `<state>.<mac>`, both base64url. The state is readable and means nothing to clients; the MAC
 * (HMAC-SHA256, 128 bits kept) covers it together with the operation and every path and query parameter but `limit`, so that a
 * cursor works only for the request that returned it. Processes with the same secret accept each other's cursors.
 */
export type Cursors = {
  write(operation_id: string, values: ParameterValues, state: CursorState): string
  /** @throws {RequestRefusal} VALIDATION_CURSOR_INVALID: forged, damaged, or from another request */
  read(operation_id: string, values: ParameterValues, cursor: string): CursorState
}

const MAC_BYTES = 16

/** Creates the cursors of a service. @param secret  at least 32 random bytes */
export function createCursors(secret: Uint8Array): Cursors {
  invariant(secret.length >= 32, `createCursors: the secret has ${secret.length} bytes, fewer than 32`)
  const macOf = (operation_id: string, values: ParameterValues, state: string): string =>
    createHmac('sha256', secret)
      .update(canonicalJson([1, operation_id, filtersOf(values), state]))
      .digest()
      .subarray(0, MAC_BYTES)
      .toString('base64url')
  return {
    write: (operation_id, values, { as_of, known, key }) => {
      const instants = known === undefined ? as_of : [as_of, ...known]
      const state = Buffer.from(JSON.stringify([instants, ...key])).toString('base64url')
      const cursor = `${state}.${macOf(operation_id, values, state)}`
      invariant(cursor.length <= CURSOR_LENGTH_MAX, `cursor of ${operation_id} has ${cursor.length} characters`)
      return cursor
    },
    read: (operation_id, values, cursor) => {
      const [state = '', mac = '', ...rest] = cursor.split('.')
      // The texts are compared, not the bytes they decode to: base64url has several texts for the same bytes.
      const authentic = rest.length === 0 && isEqual(mac, macOf(operation_id, values, state))
      if (!authentic) throw foreign(cursor)
      const [instants, ...key] = JSON.parse(Buffer.from(state, 'base64url').toString()) as [
        number | [number, ...number[]],
        ...CursorState['key'],
      ]
      if (typeof instants === 'number') return { as_of: instants, key }
      const [as_of, ...known] = instants
      return { as_of, known, key }
    },
  }
}

function filtersOf(values: ParameterValues): Record<string, unknown> {
  const { cursor: _cursor, limit: _limit, ...filters } = values
  return filters
}

function isEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

function foreign(cursor: string): RequestRefusal {
  const rule =
    'allowed: next_cursor of a page with the same path and filters, from a process with the same TIDEMARK_CURSOR_SECRET; leave it out for the first page'
  return new RequestRefusal([violation('VALIDATION_CURSOR_INVALID', 'cursor', cursor, rule)])
}

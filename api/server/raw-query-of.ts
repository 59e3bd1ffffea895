import { ServiceError } from '../../primitives/errors.ts'
import { URL_BYTES_MAX } from '../../protocol/limits.ts'
import { RequestRefusal, violation } from './request-refusal.ts'

/** Characters not allowed in a request target: fragment, spaces, control characters, bytes beyond ASCII. */
const UNWRITABLE = /[^\x21\x22\x24-\x7e]/

/**
 * Returns the query string of a request target as sent, without `?`; empty: none.
 * @throws {ServiceError} VALIDATION_BODY_TOO_LARGE: the target is too long; VALIDATION_REQUEST_MALFORMED: it has a fragment, or bytes
 * that must be percent-encoded
 */
export function rawQueryOf(target: string): string {
  const too_long = tooLongUrl(target)
  if (too_long !== null) throw too_long
  const at = target.indexOf('?')
  if (at < 0 && !target.includes('#')) return ''
  if (UNWRITABLE.test(target)) {
    const rule = 'allowed: an address without a fragment, of printable ASCII; other characters percent-encoded'
    throw new RequestRefusal([violation('VALIDATION_REQUEST_MALFORMED', 'url', target, rule)])
  }
  return target.slice(at + 1)
}

/** Returns the error of a request target that is too long; null: it is not. */
export function tooLongUrl(target: string): ServiceError | null {
  if (target.length <= URL_BYTES_MAX) return null
  const message = `the address has ${target.length} bytes; allowed: at most ${URL_BYTES_MAX}`
  return new ServiceError('VALIDATION_BODY_TOO_LARGE', message, { field: 'url', value: `${target.slice(0, 100)}...` })
}

const LIMIT = /(^|&)limit=/

/** Reports whether a request names the size of a page. */
export function namesPage(raw_query: string): boolean {
  return LIMIT.test(raw_query)
}

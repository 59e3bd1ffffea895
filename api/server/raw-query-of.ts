import { ServiceError } from '../../primitives/errors.ts'
import { URL_BYTES_MAX } from '../../protocol/limits.ts'
import { RequestRefusal, violation } from './request-refusal.ts'

/**
 * The query string of a request target as sent, without `?`; empty: there is none.
 * @throws {ServiceError} VALIDATION_BODY_TOO_LARGE: the target is too long; VALIDATION_PARAMETER_INVALID: it has a fragment
 */
export function rawQueryOf(target: string): string {
  if (target.length > URL_BYTES_MAX) {
    const message = `the address has ${target.length} bytes; allowed: at most ${URL_BYTES_MAX}`
    throw new ServiceError('VALIDATION_BODY_TOO_LARGE', message, { field: 'url', value: `${target.slice(0, 100)}...` })
  }
  if (target.includes('#')) {
    throw new RequestRefusal([
      violation('VALIDATION_PARAMETER_INVALID', 'url', target, 'allowed: an address without a fragment'),
    ])
  }
  const at = target.indexOf('?')
  return at < 0 ? '' : target.slice(at + 1)
}

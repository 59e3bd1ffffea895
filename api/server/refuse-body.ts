import type { IncomingHttpHeaders } from 'node:http'
import { ServiceError } from '../../primitives/errors.ts'
import { BODY_BYTES_MAX } from '../../protocol/limits.ts'
import { echoValue } from './echo-value.ts'

/**
 * Rejects the body of a request that takes none.
 * @throws {ServiceError} VALIDATION_BODY_TOO_LARGE, VALIDATION_MEDIA_TYPE_UNSUPPORTED, VALIDATION_BODY_INVALID
 */
export function refuseBody(headers: IncomingHttpHeaders): void {
  const length = headers['content-length']
  if (length === undefined && headers['transfer-encoding'] === undefined) return
  if (length === '0') return
  if (length !== undefined && +length > BODY_BYTES_MAX) {
    const message = `the body has ${length} bytes; allowed: at most ${BODY_BYTES_MAX}, and none with GET`
    throw new ServiceError('VALIDATION_BODY_TOO_LARGE', message, { field: 'body', value: length })
  }
  const type = headers['content-type']
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    const message = `Content-Type is ${JSON.stringify(echoValue(type))}; allowed: application/json, and no body with GET`
    throw new ServiceError('VALIDATION_MEDIA_TYPE_UNSUPPORTED', message, {
      field: 'content-type',
      value: echoValue(type),
    })
  }
  throw new ServiceError('VALIDATION_BODY_INVALID', 'the request has a body; allowed: none with GET, HEAD and DELETE', {
    field: 'body',
  })
}

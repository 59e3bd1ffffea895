import type { IncomingHttpHeaders } from 'node:http'
import type { TSchema } from 'typebox'
import { ServiceError } from '../../primitives/errors.ts'
import { bodyFaults } from './body-faults.ts'
import { compiledCheck } from './compiled-check.ts'
import { echoValue } from './echo-value.ts'
import { parseStrictJson } from './parse-strict-json.ts'
import { RequestRefusal } from './request-refusal.ts'

/** Reads the body of one endpoint: a valid value, exactly as sent, or every fault at once. */
export type BodyReader = (bytes: Uint8Array) => unknown

/**
 * Creates the reader of a schema. Nothing is coerced, dropped or filled in.
 * @throws {RequestRefusal} from the reader: VALIDATION_BODY_INVALID
 */
export function bodyReader(schema: TSchema): BodyReader {
  const check = compiledCheck(schema)
  return (bytes) => {
    const value = parseStrictJson(bytes)
    if (check(value)) return value
    const [first, ...others] = bodyFaults(schema, value)
    throw new RequestRefusal([first!, ...others])
  }
}

/**
 * Rejects a media type other than JSON before the body is read.
 * @throws {ServiceError} VALIDATION_MEDIA_TYPE_UNSUPPORTED
 */
export function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? ''
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type)) {
    throw unsupported('content-type', type, 'application/json, in UTF-8')
  }
  const coding = headers['content-encoding']
  if (coding !== undefined && coding !== 'identity') throw unsupported('content-encoding', coding, 'none')
}

function unsupported(field: string, value: string, allowed: string): ServiceError {
  const seen = echoValue(value)
  const message = `${field} is ${JSON.stringify(seen)}; allowed: ${allowed}`
  return new ServiceError('VALIDATION_MEDIA_TYPE_UNSUPPORTED', message, { field, value: seen })
}

import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../../primitives/errors.ts'
import { BODY_BYTES_MAX } from '../../protocol/limits.ts'

/**
 * Reads the body of a request as sent; a signature covers its bytes.
 * @returns null: the caller disconnected before the end
 * @throws {ServiceError} VALIDATION_BODY_TOO_LARGE; the rest of it is not read
 */
export function readBytes(request: IncomingMessage): Promise<Buffer | null> {
  const length = request.headers['content-length']
  if (length !== undefined && +length > BODY_BYTES_MAX) return Promise.reject(tooLarge(length))
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= BODY_BYTES_MAX) {
        parts.push(part)
        return
      }
      request.pause()
      reject(tooLarge(`more than ${BODY_BYTES_MAX}`))
    })
    request.once('end', () => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts)))
    request.once('error', () => resolve(null))
    request.once('close', () => resolve(null))
  })
}

function tooLarge(bytes: string): ServiceError {
  const message = `the body has ${bytes} bytes; allowed: at most ${BODY_BYTES_MAX}`
  return new ServiceError('VALIDATION_BODY_TOO_LARGE', message, { field: 'body', value: bytes })
}

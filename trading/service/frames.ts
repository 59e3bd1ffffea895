import { ServiceError } from '../../primitives/errors.ts'

/** Longest message: a batch of 50 orders with their signatures is far below it. */
const BYTES_MAX = 4 * 1024 * 1024
const HEAD_BYTES = 4

/** A message as it goes over a socket: its length in four bytes, then JSON. */
export function encodeFrame(message: unknown): Buffer {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(HEAD_BYTES + length)
  frame.writeUInt32BE(length, 0)
  frame.write(text, HEAD_BYTES)
  return frame
}

/** Puts messages together again, however a socket cut them. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  /** @throws {ServiceError} VALIDATION_MESSAGE_INVALID: too long, or no JSON; the socket is of no further use */
  push(chunk: Buffer): unknown[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const messages: unknown[] = []
    let from = 0
    while (this.#rest.length - from >= HEAD_BYTES) {
      const length = this.#rest.readUInt32BE(from)
      if (length > BYTES_MAX) refuse(`${length} bytes`, `at most ${BYTES_MAX} bytes`)
      const end = from + HEAD_BYTES + length
      if (end > this.#rest.length) break
      messages.push(parse(this.#rest.toString('utf8', from + HEAD_BYTES, end)))
      from = end
    }
    this.#rest = this.#rest.subarray(from)
    return messages
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse('no JSON', 'JSON')
  }
}

function refuse(seen: string, allowed: string): never {
  throw new ServiceError(
    'VALIDATION_MESSAGE_INVALID',
    `a message of the engine's socket is ${seen}; allowed: ${allowed}`,
  )
}

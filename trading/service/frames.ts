import type { Socket } from 'node:net'
import { ServiceError } from '../../primitives/errors.ts'
import { ENGINE } from '../../protocol/limits.ts'

const BYTES_MAX = ENGINE.message_bytes_max
const HEAD_BYTES = 4
/** Most bytes of UTF-8 that one unit of a text's length may take. */
const BYTES_OF_CHARACTER = 3

/**
 * Sends messages over a socket, each as its length in four bytes, then JSON. Messages of one turn of the event loop go out in one
 * write, because every write wakes the receiving process; the last one leaves before the next turn.
 */
export class FrameWriter {
  readonly #socket: Pick<Socket, 'destroyed' | 'write'>
  #texts: string[] = []

  constructor(socket: Pick<Socket, 'destroyed' | 'write'>) {
    this.#socket = socket
  }

  /** @throws {ServiceError} VALIDATION_MESSAGE_INVALID: the message is too long; nothing is sent, and others are not affected */
  send(message: unknown): void {
    const text = JSON.stringify(message)
    const bytes = text.length * BYTES_OF_CHARACTER > BYTES_MAX ? Buffer.byteLength(text) : 0
    if (bytes > BYTES_MAX) refuse(`${bytes} bytes`, `at most ${BYTES_MAX} bytes`)
    this.#texts.push(text)
    if (this.#texts.length === 1) process.nextTick(() => this.#flush())
  }

  #flush(): void {
    const texts = this.#texts
    this.#texts = []
    if (!this.#socket.destroyed) this.#socket.write(encodeFrames(texts))
  }
}

function encodeFrames(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const frames = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + HEAD_BYTES + length, 0))
  let at = 0
  for (const [n, text] of texts.entries()) {
    at = frames.writeUInt32BE(lengths[n]!, at)
    at += frames.write(text, at)
  }
  return frames
}

/** Reassembles messages from the chunks of a socket. */
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

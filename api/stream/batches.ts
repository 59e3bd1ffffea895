import type { Message } from './message.ts'

/** Joins messages into one buffer for one write. Sockets with the same waiting messages share the buffer. */
export class Batches {
  #messages: readonly Message[] = []
  #bytes = Buffer.alloc(0)

  /** @param length total bytes of the messages */
  of(messages: readonly Message[], length: number): Buffer {
    if (messages.length === 1) return messages[0]!.bytes
    if (!this.#isLast(messages)) {
      this.#bytes = Buffer.concat(
        messages.map(({ bytes }) => bytes),
        length,
      )
      this.#messages = messages
    }
    return this.#bytes
  }

  #isLast(messages: readonly Message[]): boolean {
    if (messages === this.#messages) return true
    if (messages.length !== this.#messages.length) return false
    for (let i = 0; i < messages.length; i += 1) if (messages[i] !== this.#messages[i]) return false
    return true
  }
}

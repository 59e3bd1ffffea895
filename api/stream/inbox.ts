import type { WebSocket } from 'ws'
import type { Sending } from './channel.ts'
import { refused } from './decode-client-message.ts'
import type { Turns } from './turns.ts'

/** Most messages that wait while an auth message is checked. */
const WAITING_MAX = 100
/** Messages to be answered above which the socket is not read. */
const INBOX_MAX = 100

export type InboxPorts = {
  /** Shared by all connections. */
  readonly turns: Turns
  readonly socket: Pick<WebSocket, 'pause' | 'resume' | 'isPaused'>
  /** Answers a message. @returns the snapshot or missed events that it asked for, not sent yet; null: none */
  readonly answer: (text: string) => Sending | null
  readonly refuse: (text: string, error: unknown) => void
  /** Charges the client for the bytes of a message. */
  readonly spend: (bytes: number) => void
  readonly isEnding: () => boolean
}

/** Messages of one client, answered in order, in turns with other connections: each once what the one before asked for is sent. */
export class Inbox {
  readonly #ports: InboxPorts
  readonly #messages: string[] = []
  /** Messages received while an auth message is checked; null: none is checked. */
  #waiting: string[] | null = null
  /** Rest of the snapshot or missed events that the last message asked for; null: all is sent. */
  #sending: Sending | null = null
  #is_answering = false

  constructor(ports: InboxPorts) {
    this.#ports = ports
  }

  add(text: string): void {
    this.#messages.push(text)
    if (this.#messages.length > INBOX_MAX) this.#ports.socket.pause()
    this.#begin()
  }

  /** Keeps the messages that follow until `release`. */
  hold(): void {
    this.#waiting = []
  }

  /** Answers the messages that were kept, before later ones. */
  release(): void {
    this.#messages.unshift(...(this.#waiting ?? []))
    this.#waiting = null
    this.#begin()
  }

  /** Sends something that no message asked for. */
  send(sending: Sending): void {
    this.#ports.turns.run(() => this.#stepSending(sending))
  }

  #begin(): void {
    if (this.#is_answering || this.#messages.length === 0) return
    this.#is_answering = true
    this.#ports.turns.run(() => this.#step())
  }

  /** Answers the next message, or continues to send what the last one asked for. @returns whether nothing is left to do */
  #step(): boolean {
    const { isEnding, socket } = this.#ports
    if (isEnding()) return true
    if (this.#sending === null) this.#answerNext(this.#messages.shift()!)
    if (this.#sending !== null && this.#stepSending(this.#sending)) this.#sending = null
    if (this.#messages.length === 0 && socket.isPaused) socket.resume()
    this.#is_answering = this.#sending !== null || this.#messages.length > 0
    return !this.#is_answering
  }

  #answerNext(text: string): void {
    const { answer, refuse } = this.#ports
    try {
      if (this.#waiting === null) this.#sending = answer(text)
      else if (this.#waiting.length < WAITING_MAX) this.#waiting.push(text)
      else throw refused(`more than ${WAITING_MAX} messages wait for the answer to auth`)
    } catch (error) {
      refuse(text, error)
    }
  }

  /** Sends what the turn has time for, at least one message. @returns whether all is sent */
  #stepSending(sending: Sending): boolean {
    const { turns, spend, isEnding } = this.#ports
    do {
      const { done, value } = sending.next()
      if (done === true || isEnding()) return true
      spend(value)
    } while (turns.hasTime())
    return false
  }
}

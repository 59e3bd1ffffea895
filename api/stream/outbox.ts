import { WebSocket } from 'ws'
import type { Batches } from './batches.ts'
import type { Message } from './message.ts'

/** Waiting messages are written at once when they reach this, else with the next flush. */
export const FLUSH_BYTES = 16 * 1024
/** One write takes at most this much, so that a socket that stops reading holds little more. */
const WRITE_BYTES_MAX = 64 * 1024

/**
 * What an outbox without such messages has: one of all outboxes, because with thousands of sockets the memory that is walked over
 * for each message is most of its cost beside the write itself.
 */
const NONE: readonly Message[] = []
const NO_LATEST = new Map<string, Message>()

/** What all outboxes of a server share. */
export type OutboxPorts = {
  readonly batches: Batches
  readonly buffered_bytes_max: number
  readonly now: () => number
  /** Asks for a flush soon. */
  readonly schedule: (outbox: Outbox) => void
}

/** Whose outbox it is. One object with methods: functions of each socket's own would be more memory to walk for each message. */
export type OutboxOwner = {
  /** The bound was passed: these data messages will not be sent. */
  onDropped(messages: readonly Message[]): void
  /** Answers alone pass the bound. */
  onStuck(): void
  /** Everything was taken by the socket. */
  onEmpty(): void
}

/** Where an outbox writes to: frames go around the WebSocket, straight to the bytes beneath it. */
export type OutboxSocket = {
  readonly websocket: Pick<WebSocket, 'readyState'>
  /** false: it takes no more until it says so. */
  readonly bytes: { write(bytes: Buffer): boolean }
}

/**
 * What waits for one socket. Messages keep their order; those of a conflated topic wait apart while the socket is behind, one a
 * key. Bytes that wait are bounded: past the bound the data messages are given up and their subscriptions told so.
 */
export class Outbox {
  // What every message looks at stands first, side by side.
  readonly #websocket: OutboxSocket['websocket']
  readonly #bytes: OutboxSocket['bytes']
  #waiting_bytes = 0
  #blocked_since: number | null = null
  #latest = NO_LATEST
  readonly #ports: OutboxPorts
  readonly #owner: OutboxOwner
  /** The message that waits where no other does: nearly all are written alone, and need no list. */
  #sole: Message | null = null
  /** Other outboxes may have the same list: it is never changed, but by `append`. */
  #waiting: readonly Message[] = NONE
  /** The list that is this outbox's own. */
  #own: Message[] | null = null
  #is_scheduled = false

  constructor(ports: OutboxPorts, owner: OutboxOwner, { websocket, bytes }: OutboxSocket) {
    this.#websocket = websocket
    this.#bytes = bytes
    this.#ports = ports
    this.#owner = owner
  }

  /** Since when the socket takes nothing, in milliseconds of the clock; null: it does. */
  get stalled_since(): number | null {
    return this.#blocked_since
  }

  get buffered_bytes(): number {
    return this.#waiting_bytes
  }

  get conflated_count(): number {
    return this.#latest.size
  }

  /** @param at_once written now, with what waits: nothing else is to come with it */
  push(message: Message, at_once = false): void {
    if (at_once && this.#isClear()) {
      this.#write(message.bytes)
      return
    }
    if (message.latest_of !== null && (this.#blocked_since !== null || this.#latest.size > 0)) {
      this.#setLatest(message.latest_of, message)
    } else {
      this.#queue(message)
      this.#waiting_bytes += message.bytes.length
    }
    if (this.#blocked_since === null && this.#waiting_bytes >= FLUSH_BYTES) this.flush()
    else if (this.#waiting_bytes > this.#ports.buffered_bytes_max) this.#giveUpData()
    else if (at_once) this.flush()
    else if (!this.#is_scheduled) this.#schedule()
  }

  /** As each of them by itself. Where nothing waits the list is taken as it is, so that sockets share it. @param bytes of all */
  pushAll(messages: readonly Message[], bytes: number, at_once = false): void {
    const { batches, buffered_bytes_max } = this.#ports
    if (!this.#isClear() || bytes >= FLUSH_BYTES || bytes > buffered_bytes_max) {
      for (const message of messages) this.push(message)
    } else if (at_once) this.#write(batches.of(messages, bytes))
    else {
      this.#wait(messages)
      this.#waiting_bytes = bytes
      if (!this.#is_scheduled) this.#schedule()
    }
  }

  /** Forgets the waiting messages of a subscription that ended. */
  forget(sid: string): void {
    for (const [name, message] of this.#latest) if (message.sid === sid) this.#latest.delete(name)
    this.#keep((message) => message.sid !== sid)
  }

  /** Writes as much as the socket takes. */
  flush(): void {
    this.#is_scheduled = false
    if (this.#sole !== null && this.#blocked_since === null) this.#writeSole(this.#sole)
    while (this.#blocked_since === null && (this.#waiting.length > 0 || this.#latest.size > 0)) {
      if (this.#waiting.length === 0) this.#takeLatest()
      const batch = this.#nextBatch()
      this.#write(batch)
    }
    if (this.#blocked_since === null) this.#owner.onEmpty()
  }

  /** The socket takes bytes again. */
  unblock(): void {
    this.#blocked_since = null
    this.flush()
  }

  /** Writes these last messages after what waits, whether or not the socket reads; `at_once`: in place of what waits. */
  end(messages: readonly Message[], at_once: boolean): void {
    this.#list()
    const last = at_once ? messages : [...this.#waiting, ...messages]
    this.#wait(NONE)
    this.#waiting_bytes = 0
    this.#latest = NO_LATEST
    this.#write(Buffer.concat(last.map(({ bytes }) => bytes)))
  }

  /** Nothing waits, and the socket takes bytes. */
  #isClear(): boolean {
    return this.#waiting_bytes === 0 && this.#blocked_since === null && this.#latest.size === 0
  }

  /** Nothing may follow the frame with which a WebSocket closes. */
  #write(bytes: Buffer): void {
    const is_taken = this.#websocket.readyState === WebSocket.OPEN && this.#bytes.write(bytes)
    if (!is_taken) this.#blocked_since = this.#ports.now()
  }

  #queue(message: Message): void {
    if (this.#sole === null && this.#waiting.length === 0) {
      this.#sole = message
      return
    }
    this.#list()
    this.#append(message)
  }

  /** Puts the message that waited alone into the list. */
  #list(): void {
    if (this.#sole !== null) this.#append(this.#sole)
    this.#sole = null
  }

  #append(message: Message): void {
    if (this.#own === null) {
      this.#own = [...this.#waiting]
      this.#waiting = this.#own
    }
    this.#own.push(message)
  }

  #wait(messages: readonly Message[]): void {
    this.#waiting = messages
    this.#own = null
  }

  #setLatest(name: string, message: Message): void {
    if (this.#latest === NO_LATEST) this.#latest = new Map()
    this.#latest.set(name, message)
  }

  #schedule(): void {
    this.#is_scheduled = true
    this.#ports.schedule(this)
  }

  #writeSole(message: Message): void {
    this.#sole = null
    this.#waiting_bytes = 0
    this.#write(message.bytes)
  }

  #nextBatch(): Buffer {
    let [count, bytes] = [0, 0]
    while (count < this.#waiting.length) {
      const next = bytes + this.#waiting[count]!.bytes.length
      if (count > 0 && next > WRITE_BYTES_MAX) break
      bytes = next
      count += 1
    }
    const messages = count === this.#waiting.length ? this.#waiting : this.#waiting.slice(0, count)
    this.#wait(count === this.#waiting.length ? NONE : this.#waiting.slice(count))
    this.#waiting_bytes -= bytes
    return this.#ports.batches.of(messages, bytes)
  }

  #takeLatest(): void {
    let bytes = 0
    for (const [name, message] of this.#latest) {
      this.#latest.delete(name)
      this.#append(message)
      bytes += message.bytes.length
      if (bytes >= WRITE_BYTES_MAX) break
    }
    this.#waiting_bytes += bytes
  }

  #giveUpData(): void {
    const dropped = this.#keep((message) => message.sid === null)
    for (const message of dropped.filter(({ latest_of }) => latest_of !== null && !this.#latest.has(latest_of)))
      this.#setLatest(message.latest_of!, message)
    this.#owner.onDropped(dropped.filter(({ latest_of }) => latest_of === null))
    if (this.#waiting_bytes > this.#ports.buffered_bytes_max) this.#owner.onStuck()
  }

  /** Keeps some of the waiting messages, and gives the others. */
  #keep(kept: (message: Message) => boolean): Message[] {
    this.#list()
    const others = this.#waiting.filter((message) => !kept(message))
    this.#wait(this.#waiting.filter(kept))
    this.#waiting_bytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0)
    return others
  }
}

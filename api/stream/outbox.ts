import { WebSocket } from 'ws'
import type { Batches } from './batches.ts'
import type { Message } from './message.ts'

/** Queued bytes from which an outbox is written at once, instead of with the next flush. */
export const FLUSH_BYTES = 16 * 1024
/** Most bytes of one write, so that a socket that stops reading buffers little more. */
const WRITE_BYTES_MAX = 64 * 1024

/**
 * Empty list that all outboxes share: with thousands of sockets, most of a message's cost beside the write is the memory it
 * touches.
 */
const NONE: readonly Message[] = []
const NO_LATEST = new Map<string, Message>()

/** Ports that all outboxes of a server share. */
export type OutboxPorts = {
  readonly batches: Batches
  readonly buffered_bytes_max: number
  readonly now: () => number
  /** Schedules a flush of the outbox. */
  readonly schedule: (outbox: Outbox) => void
}

/** Owner of an outbox. An object with methods: separate functions for each socket would touch more memory per message. */
export type OutboxOwner = {
  /** Called when the bound was exceeded and these data messages were dropped. */
  onDropped(messages: readonly Message[]): void
  /** Called when responses alone exceed the bound. */
  onStuck(): void
  /** Called when the socket has accepted everything. */
  onEmpty(): void
}

/** Socket of an outbox: frames are written to its byte stream, bypassing the WebSocket object. */
export type OutboxSocket = {
  readonly websocket: Pick<WebSocket, 'readyState'>
  /** false: the stream is full until it emits `drain`. */
  readonly bytes: { write(bytes: Buffer): boolean }
}

/**
 * Queue of one socket. Messages keep their order; while the socket is behind, those of a conflated topic are queued separately, one
 * per key. Queued bytes are bounded: beyond the bound, data messages are dropped and their subscriptions notified.
 */
export class Outbox {
  // Fields that every message reads come first, for locality.
  readonly #websocket: OutboxSocket['websocket']
  readonly #bytes: OutboxSocket['bytes']
  #waiting_bytes = 0
  #blocked_since: number | null = null
  #latest = NO_LATEST
  readonly #ports: OutboxPorts
  readonly #owner: OutboxOwner
  /** The only waiting message: nearly all are written alone and need no list. */
  #sole: Message | null = null
  /** Waiting messages; other outboxes may share the list, so only `append` changes it. */
  #waiting: readonly Message[] = NONE
  /** The waiting list, if this outbox owns it. */
  #own: Message[] | null = null
  #is_scheduled = false

  constructor(ports: OutboxPorts, owner: OutboxOwner, { websocket, bytes }: OutboxSocket) {
    this.#websocket = websocket
    this.#bytes = bytes
    this.#ports = ports
    this.#owner = owner
  }

  /** Time since which the socket has accepted nothing, in milliseconds of the clock; null: it does accept. */
  get stalled_since(): number | null {
    return this.#blocked_since
  }

  get buffered_bytes(): number {
    return this.#waiting_bytes
  }

  get conflated_count(): number {
    return this.#latest.size
  }

  /** Queues a message. @param at_once write it now with everything waiting, because nothing else follows */
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

  /** Queues messages as `push` does. If nothing waits, the list itself is kept, so that sockets share it. @param bytes total of all messages */
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

  /** Discards the waiting messages of a subscription that ended. */
  forget(sid: string): void {
    for (const [name, message] of this.#latest) if (message.sid === sid) this.#latest.delete(name)
    this.#keep((message) => message.sid !== sid)
  }

  /** Writes as much as the socket accepts. */
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

  /** Continues after the socket accepts bytes again. */
  unblock(): void {
    this.#blocked_since = null
    this.flush()
  }

  /** Writes these last messages after the waiting ones, even if the socket does not read; `at_once`: instead of the waiting ones. */
  end(messages: readonly Message[], at_once: boolean): void {
    this.#list()
    const last = at_once ? messages : [...this.#waiting, ...messages]
    this.#wait(NONE)
    this.#waiting_bytes = 0
    this.#latest = NO_LATEST
    this.#write(Buffer.concat(last.map(({ bytes }) => bytes)))
  }

  /** Reports whether nothing waits and the socket accepts bytes. */
  #isClear(): boolean {
    return this.#waiting_bytes === 0 && this.#blocked_since === null && this.#latest.size === 0
  }

  /** Writes unless the WebSocket is closing: nothing may follow its close frame. */
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

  /** Moves the sole waiting message into the list. */
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

  /** Keeps some of the waiting messages and returns the others. */
  #keep(kept: (message: Message) => boolean): Message[] {
    this.#list()
    const others = this.#waiting.filter((message) => !kept(message))
    this.#wait(this.#waiting.filter(kept))
    this.#waiting_bytes = this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0)
    return others
  }
}

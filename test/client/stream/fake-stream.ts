import type { StreamSocket } from '../../../client/trading/stream/stream-socket.ts'

type Sent = { readonly op: string; readonly id: string; readonly [field: string]: unknown }
type Listener = (event: { readonly data: unknown }) => void

/** One topic of a service as docs/stream.md tells it: numbered events, which connections follow, and the faults of a network. */
export class FakeStream {
  readonly asked: Sent[] = []
  /** Seq of each event, with gaps that have no meaning. */
  readonly log: number[] = []
  /** Number of oldest events that are no longer kept for resuming. */
  forgotten = 0
  epoch = 'e1'
  /** Refusal of the next subscriptions; null: none. */
  refusal: object | null = null
  /** Subscriptions to a topic that the connection follows already; they are refused. */
  doubled = 0
  /** Answers to pings; false: the network lets nothing through. */
  answers_pings = true
  readonly #has_snapshot: boolean
  readonly #is_private: boolean
  #connections: {
    readonly hear: Listener[]
    readonly end: (() => void)[]
    is_open: boolean
    is_subscribed: boolean
  }[] = []

  constructor(has_snapshot: boolean, is_private = false) {
    this.#has_snapshot = has_snapshot
    this.#is_private = is_private
  }

  get head(): number {
    return this.log.at(-1) ?? 0
  }

  get open_count(): number {
    return this.#connections.filter(({ is_open }) => is_open).length
  }

  open = (): StreamSocket => {
    const connection = { hear: [] as Listener[], end: [] as (() => void)[], is_open: true, is_subscribed: false }
    this.#connections.push(connection)
    const say = (message: object) => {
      if (connection.is_open) for (const hear of connection.hear) hear({ data: JSON.stringify(message) })
    }
    queueMicrotask(() => say({ type: 'welcome', heartbeat_ms: 60_000, server_time_ms: Date.now() }))
    const close = () => {
      if (!connection.is_open) return
      connection.is_open = false
      for (const end of connection.end) end()
    }
    return {
      close,
      send: (text) => {
        const message = JSON.parse(text) as Sent
        this.asked.push(message)
        if (message.op === 'unsubscribe') connection.is_subscribed = false
        if (message.op === 'auth') say({ type: 'authenticated', id: message.id })
        if (message.op === 'ping' && this.answers_pings) say({ type: 'pong', id: message.id })
        if (message.op !== 'subscribe') return
        if (connection.is_subscribed) {
          this.doubled += 1
          const error = { code: 'VALIDATION_FAILED', message: 'already subscribed', retryable: false }
          return say({ type: 'error', id: message.id, error })
        }
        if (this.refusal !== null) return say({ type: 'error', id: message.id, error: this.refusal })
        connection.is_subscribed = true
        for (const answer of this.#answers(message)) say(answer)
      },
      addEventListener: (type: string, listener: never) => {
        if (type === 'message') connection.hear.push(listener)
        else connection.end.push(listener)
      },
    }
  }

  /** Publishes an event; `how` is what the network makes of its message. */
  publish(how: 'sent' | 'lost' | 'repeated'): void {
    const prev_seq = this.head
    this.log.push(prev_seq + 1 + (prev_seq % 3))
    const times = { sent: 1, lost: 0, repeated: 2 }[how]
    for (let n = 0; n < times; n += 1) this.#say(this.#event(this.log.length - 1))
  }

  heartbeat(): void {
    this.#say({ type: 'heartbeat', subscriptions: [{ sid: 's', last_seq: this.head }] })
  }

  /** Ends every connection with a notice. */
  endWith(reason: string): void {
    this.#say({ type: 'closing', reason, deadline_ms: 1 })
    this.cut()
  }

  /** Ends every connection. */
  cut(): void {
    for (const connection of this.#connections) {
      connection.is_open = false
      for (const end of connection.end) end()
    }
    this.#connections = []
  }

  /** Sends an error that ends the subscription alone. */
  failSubscription(): void {
    this.#say({ type: 'error', id: null, sid: 's', error: { code: 'INTERNAL_ERROR', message: 'm', retryable: false } })
  }

  #say(message: object): void {
    this.sayText(JSON.stringify(message))
  }

  /** Sends any text on each connection that follows the topic. */
  sayText(data: string): void {
    for (const { is_open, is_subscribed, hear } of this.#connections)
      if (is_open && is_subscribed) for (const listen of hear) listen({ data })
  }

  #event(at: number): object {
    const [seq, prev_seq] = [this.log[at]!, this.log[at - 1] ?? 0]
    return {
      type: 'event',
      sid: 's',
      kind: 'published',
      event_id: `evn_${seq}`,
      prev_seq,
      seq,
      published_at: 't',
      ...(this.#is_private ? { engine_sequence: seq, projection_version: 1 } : {}),
      data: { seq, ...(this.#is_private ? { fill_id: `fill_${seq}` } : {}) },
    }
  }

  #answers({ id, resume }: Sent): object[] {
    const from = resume as { readonly epoch: string; readonly after_seq: number } | undefined
    const missed = this.log.findIndex((seq) => seq > (from?.after_seq ?? 0))
    const is_kept = missed < 0 || missed >= this.forgotten
    const subscribed = { type: 'subscribed', id, sid: 's', topic: 't', epoch: this.epoch, effective: {} }
    if (from !== undefined && from.epoch === this.epoch && is_kept) {
      const events = missed < 0 ? [] : this.log.slice(missed).map((_, n) => this.#event(missed + n))
      return [{ ...subscribed, mode: 'resumed', seq: from.after_seq }, ...events]
    }
    const reason = from?.epoch === this.epoch ? 'retention' : 'epoch_changed'
    const gap = { type: 'gap', sid: 's', from_seq: from?.after_seq, to_seq: this.head, reason }
    const state = {
      type: 'snapshot',
      sid: 's',
      seq: this.head,
      prev_seq: 0,
      published_at: 't',
      data: { seq: this.head },
    }
    const end = { type: 'snapshot_end', sid: 's', epoch: this.epoch, seq: this.head, count: 0, complete: true }
    return [
      { ...subscribed, mode: 'snapshot', seq: this.head },
      ...(from === undefined ? [] : [gap]),
      ...(this.#has_snapshot ? [this.#is_private ? end : state] : []),
    ]
  }
}

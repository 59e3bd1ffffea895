import { isObject } from '../../primitives/canonical-json.ts'
import { toMicros } from '../../primitives/instants.ts'
import { type OpenSocket, SocketMessages } from '../trading/stream/stream-socket.ts'

/** Data message of a subscription. */
export type StreamMessage = {
  readonly type: string
  readonly topic: string
  readonly kind: string
  readonly seq: number
  readonly published_at: string
  readonly data: Readonly<Record<string, unknown>>
}

export type Subscription = {
  readonly topic: string
  readonly filter: Readonly<Record<string, string>>
  /** State after the last message, by what the subscription keeps apart: severity of each type, prices of each market. */
  readonly states: Map<string, StreamMessage>
  /** Code of the refusal; null: accepted. */
  refused: string | null
}

/** Follows public topics on one connection and folds their messages into states. */
export class StreamFollower {
  readonly #messages: SocketMessages
  readonly #by_sid = new Map<string, Subscription>()
  readonly #asked = new Map<string, Subscription>()

  constructor(base_url: string, open: OpenSocket) {
    this.#messages = new SocketMessages(open(`${base_url.replace(/^http/, 'ws').replace(/\/+$/, '')}/v1/ws`))
  }

  /** Waits for the greeting and subscribes. @returns whether the server answered */
  async start(
    wanted: readonly Pick<Subscription, 'topic' | 'filter'>[],
    wait_ms: number,
  ): Promise<readonly Subscription[] | null> {
    const welcome = await this.#messages.next(wait_ms)
    if (welcome?.type !== 'welcome') return null
    const subscriptions = wanted.map((one): Subscription => ({ ...one, states: new Map(), refused: null }))
    for (const [i, one] of subscriptions.entries()) {
      this.#asked.set(String(i), one)
      this.#messages.send({ op: 'subscribe', id: String(i), topic: one.topic, ...one.filter })
    }
    return subscriptions
  }

  /** Takes everything that arrives within a time. @returns false if the connection ended */
  async hear(for_ms: number): Promise<boolean> {
    for (const end_ms = Date.now() + for_ms; ; ) {
      const left_ms = end_ms - Date.now()
      if (left_ms <= 0) return true
      const message = await this.#messages.next(left_ms)
      if (message !== null) this.#take(message)
      else if (this.#messages.is_closed) return false
    }
  }

  close(): void {
    this.#messages.close()
  }

  #take(message: Readonly<Record<string, unknown>>): void {
    const { type, id, sid } = message
    const asked = this.#asked.get(String(id))
    if (type === 'subscribed' && asked !== undefined) this.#by_sid.set(String(sid), asked)
    // An error without an id ends the subscription that it names.
    const failed = type === 'error' ? (asked ?? this.#by_sid.get(String(sid))) : undefined
    if (failed !== undefined) failed.refused = String(isObject(message.error) ? message.error.code : 'error')
    const subscription = this.#by_sid.get(String(sid))
    if (subscription === undefined || (type !== 'snapshot' && type !== 'event')) return
    const heard = message as unknown as StreamMessage
    const key = keyOf(subscription, heard)
    const before = subscription.states.get(key) ?? null
    const is_delta = heard.kind === 'delta' && before !== null
    if (type === 'event' && before !== null && heard.seq <= before.seq && heard.topic === 'market.orderbook') return
    if (before !== null && isOlderLevel(heard, before)) return
    subscription.states.set(key, is_delta ? { ...heard, data: applyDelta(before.data, heard.data) } : heard)
  }
}

function keyOf({ filter }: Subscription, { topic, data }: StreamMessage): string {
  if (topic === 'market.ticker' && filter.market_id === undefined) return String(data.market_id)
  return String(data.assessment_type ?? '')
}

/** A correction of an older tick does not replace the newest level. */
function isOlderLevel({ topic, data }: StreamMessage, before: StreamMessage): boolean {
  if (topic !== 'index.price') return false
  return toMicros(String(data.tick_at)) < toMicros(String(before.data.tick_at))
}

type PriceLevel = { readonly price: string; readonly quantity: string }
type Data = Readonly<Record<string, unknown>>

/** Replaces the price levels that a delta names, and every other field (docs/stream.md, "Rebuild a book"). */
function applyDelta(book: Data, delta: Data): Data {
  const side = (name: 'bids' | 'asks', order: 1 | -1) => {
    const levels = new Map((book[name] as readonly PriceLevel[]).map((level) => [level.price, level]))
    for (const level of delta[name] as readonly PriceLevel[]) {
      if (/^0(\.0+)?$/.test(level.quantity)) levels.delete(level.price)
      else levels.set(level.price, level)
    }
    // Prices of one book have the same count of fraction digits, so their texts sort like numbers.
    return [...levels.values()].sort((a, b) => (a.price < b.price ? -order : order))
  }
  return { ...delta, bids: side('bids', -1), asks: side('asks', 1) }
}

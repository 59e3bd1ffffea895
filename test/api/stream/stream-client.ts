import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { OrderBook } from '../../../protocol/resources/order-book.ts'

/** A message of the server as its JSON says. */
export type Said = {
  readonly type: string
  readonly [field: string]: unknown
}

type Data = Said & {
  readonly sid: string
  readonly kind: string
  readonly epoch: string
  readonly prev_seq: number
  readonly seq: number
  readonly data: { readonly [field: string]: unknown }
}

/** A client that keeps everything it was told, and can wait for more. */
export class StreamClient {
  readonly said: Said[] = []
  readonly socket: WebSocket
  private wake: () => void = () => undefined

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(url, { perMessageDeflate: false, headers })
    this.socket.on('message', (text) => {
      this.said.push(JSON.parse(String(text)) as Said)
      this.wake()
    })
    this.socket.on('close', () => this.wake())
    this.socket.on('error', () => this.wake())
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamClient> {
    const client = new StreamClient(url, headers)
    await client.next((said) => said.type === 'welcome')
    return client
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** The first message said after `from` messages that fits, waited for. */
  async next(fits: (said: Said) => boolean, from = 0): Promise<Said> {
    for (let at = from; ; ) {
      const found = this.said.slice(at).find(fits)
      if (found !== undefined) return found
      at = this.said.length
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`closed after ${JSON.stringify(this.said.slice(-3))}`)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  /** Sends a message and gives its answer. */
  async ask(message: { readonly id: string; readonly [field: string]: unknown }): Promise<Said> {
    const from = this.said.length
    this.send(message)
    return this.next((said) => said.id === message.id, from)
  }

  data(sid?: string): Data[] {
    return this.said.filter((said) => 'data' in said && (sid === undefined || said.sid === sid)) as Data[]
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return
    const closed = once(this.socket, 'close')
    this.socket.terminate()
    await closed
  }
}

/**
 * State of one subscription's client, by the rules of docs/stream.md. It covers any number of connections one after the
 * other: pass it the messages of each.
 */
export class FollowedSubscription {
  position = 0
  epoch: string | null = null
  book: OrderBook | null = null
  readonly taken: Data[] = []
  readonly repeated: Data[] = []
  /** Messages that did not follow what was there. */
  readonly missing: Data[] = []
  readonly gaps: Said[] = []

  hear(said: Said): void {
    if (said.type === 'subscribed') this.begin(said)
    if (said.type === 'gap') this.gaps.push(said)
    if (said.type === 'snapshot') this.replace(said as Data)
    if (said.type === 'event') this.advance(said as Data)
  }

  get resume() {
    return this.epoch === null ? {} : { resume: { epoch: this.epoch, after_seq: this.position } }
  }

  private begin(said: Said): void {
    this.position = said.seq as number
    this.epoch = said.epoch as string
  }

  private replace(message: Data): void {
    this.position = Math.max(this.position, message.seq)
    this.taken.push(message)
    if (message.sid.startsWith('market.orderbook')) this.book = message.data as unknown as OrderBook
  }

  private advance(message: Data): void {
    if (message.seq <= this.position) {
      this.repeated.push(message)
      return
    }
    if (message.prev_seq > this.position) this.missing.push(message)
    this.position = message.seq
    this.taken.push(message)
    if (message.sid.startsWith('market.orderbook')) this.applyBook(message)
  }

  private applyBook(message: Data): void {
    const next = message.data as unknown as OrderBook
    this.book =
      message.kind === 'snapshot' || this.book === null
        ? next
        : { ...next, bids: mergeSide(this.book.bids, next.bids, -1), asks: mergeSide(this.book.asks, next.asks, 1) }
  }
}

/** A book without the fields that depend on when it is read. */
export function withoutAge(book: OrderBook | null) {
  if (book === null) return null
  const { quality_state: _quality, confirmed_at: _confirmed, newer_quote_at: _newer, ...rest } = book
  return rest
}

/** A side of a book with the levels of a delta put in place; prices are compared as decimal texts of one scale. */
function mergeSide(side: OrderBook['bids'], delta: OrderBook['bids'], direction: 1 | -1): OrderBook['bids'] {
  const levels = new Map(side.map((level) => [level.price, level]))
  for (const level of delta) {
    if (level.quantity === '0') levels.delete(level.price)
    else levels.set(level.price, level)
  }
  return [...levels.values()].sort((a, b) => direction * (a.price < b.price ? -1 : 1))
}

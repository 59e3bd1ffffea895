import type { Micros } from '../../primitives/instants.ts'
import type { WorldBatch } from '../world/events.ts'

/** One websocket message as the venue sends it. */
export type Frame = {
  /** The venue's documented name: `ws market`. */
  readonly endpoint: string
  /** Name to subscribe to: `market`, `orderbook_delta`, `global/new-bet`. */
  readonly channel: string
  readonly at: Micros
  readonly text: string
}

/** The venue's answer to one request. */
export type WireResponse = {
  readonly status: 200 | 400 | 404
  /** The venue's documented name: `GET /book`. */
  readonly endpoint: string
  readonly body: string
  /** The request for the next page; null on the last one. */
  readonly next: string | null
}

/** One subscriber to the messages of some markets, in every channel. */
export type Subscription = {
  /** Messages sent on subscription. */
  readonly opening: readonly Frame[]
  /** Adds markets, and returns the messages sent for them at once; none if all markets are subscribed to. */
  add(now: Micros, markets: ReadonlySet<number>): readonly Frame[]
  /** Messages of one batch, in the order in which they are sent. */
  frames(batch: WorldBatch): readonly Frame[]
}

/** Requests that a recorder repeats. */
export type Poll = {
  readonly every: Micros
  /** Delay after the start of the world. */
  readonly first: Micros
  /** First pages, in order; the recorder follows `next`. */
  requests(now: Micros): readonly string[]
}

/** One venue's view of its world; it never changes the world. */
export type VenueWire = {
  /** @param markets ordinals; null = all markets, also those that open later */
  subscribe(now: Micros, markets: ReadonlySet<number> | null): Subscription
  /** Returns the market of a subscription name; null if it is unknown. */
  marketOf(name: string): number | null
  /** @param request path and query, as `/book?token_id=1` */
  respond(request: string, now: Micros): WireResponse
  readonly polls: readonly Poll[]
}

/** Makes a response; by default the last page. */
export function answer(endpoint: string, body: string, next: string | null = null): WireResponse {
  return { status: 200, endpoint, body, next }
}

/** Makes the response to an unknown resource. */
export function notFound(endpoint: string, message: string): WireResponse {
  return { status: 404, endpoint, body: JSON.stringify({ error: message }), next: null }
}

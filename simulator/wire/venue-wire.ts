import type { Micros } from '../../primitives/instants.ts'
import type { WorldBatch } from '../world/events.ts'

/** One websocket message as the venue sends it. */
export type Frame = {
  /** As the venue documents it: `ws market`. */
  readonly endpoint: string
  /** What one subscribes to for getting it: `market`, `orderbook_delta`, `global/new-bet`. */
  readonly channel: string
  readonly at: Micros
  readonly text: string
}

/** What the venue answers to one request. */
export type WireResponse = {
  readonly status: 200 | 400 | 404
  /** As the venue documents it: `GET /book`. */
  readonly endpoint: string
  readonly body: string
  /** The request for the next page; null where this is the last one. */
  readonly next: string | null
}

/** One subscriber to the messages of some markets, in every channel. */
export type Subscription = {
  /** Messages that one gets at once. */
  readonly opening: readonly Frame[]
  /** Takes further markets in, and gives what one gets at once for them; nothing where all markets are subscribed to. */
  add(now: Micros, markets: ReadonlySet<number>): readonly Frame[]
  /** Messages of one batch, in the order in which they are sent. */
  frames(batch: WorldBatch): readonly Frame[]
}

/** Requests that a recorder makes again and again. */
export type Poll = {
  readonly every: Micros
  /** After the begin of the world. */
  readonly first: Micros
  /** First pages, in order; the recorder follows `next`. */
  requests(now: Micros): readonly string[]
}

/** How one venue shows its world: nothing here changes the world. */
export type VenueWire = {
  /** @param markets ordinals; null = all markets, also those that open later */
  subscribe(now: Micros, markets: ReadonlySet<number> | null): Subscription
  /** The market that the venue calls so when one subscribes to it; null = it has none of that name. */
  marketOf(name: string): number | null
  /** @param request path and query, as `/book?token_id=1` */
  respond(request: string, now: Micros): WireResponse
  readonly polls: readonly Poll[]
}

/** A response that is the last page. */
export function answer(endpoint: string, body: string, next: string | null = null): WireResponse {
  return { status: 200, endpoint, body, next }
}

/** A response to something that is not there. */
export function notFound(endpoint: string, message: string): WireResponse {
  return { status: 404, endpoint, body: JSON.stringify({ error: message }), next: null }
}

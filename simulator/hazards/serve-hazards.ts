import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Micros } from '../../primitives/instants.ts'
import { gdacsFeed } from './gdacs-feed.ts'
import type { Hazard } from './hazard.ts'
import { usgsFeed } from './usgs-feed.ts'

export type HazardServer = {
  /** `http://127.0.0.1:PORT`, for both feeds. */
  readonly base_url: string
  close(): Promise<void>
}

type Feed = { readonly type: string; readonly write: (hazards: readonly Hazard[], at: Micros) => string }

const FEEDS = new Map<string, Feed>([
  ['/earthquakes/feed/v1.0/summary/all_week.geojson', { type: 'application/json; charset=utf-8', write: usgsFeed }],
  ['/xml/rss.xml', { type: 'application/rss+xml; charset=utf-8', write: gdacsFeed }],
])

/** Serves both hazard feeds on loopback, under the paths of their agencies, at the clock's instant. */
export async function serveHazards(hazards: readonly Hazard[], now: () => Micros): Promise<HazardServer> {
  const server = createServer((request, response) => answer(hazards, now(), request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers a request; unchanged content has the same ETag and is not sent twice. */
function answer(
  hazards: readonly Hazard[],
  at: Micros,
  { method, url, headers }: IncomingMessage,
  response: ServerResponse,
) {
  const feed = FEEDS.get(url ?? '')
  if (feed === undefined || method !== 'GET') return void response.writeHead(feed === undefined ? 404 : 405).end()
  const body = feed.write(hazards, at)
  // The time a document was generated is not a change.
  const content = body.replace(/"generated":\d+/, '')
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`
  if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  response.writeHead(200, { 'content-type': feed.type, 'content-length': Buffer.byteLength(body), etag }).end(body)
}

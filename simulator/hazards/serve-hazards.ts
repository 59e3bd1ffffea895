import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Micros } from '../../primitives/instants.ts'
import { answerOperator, OPERATOR_PATH } from '../server/answer-operator.ts'
import type { RuledFaults } from '../server/fault-rules.ts'
import { spoiled, statusOfFault } from '../server/faults.ts'
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

/**
 * Serves both hazard feeds on loopback, under the paths of their agencies, at the clock's instant.
 * @param rules faults that an operator reads and replaces at OPERATOR_PATH; null: none
 */
export async function serveHazards(
  hazards: readonly Hazard[],
  now: () => Micros,
  rules: RuledFaults | null = null,
): Promise<HazardServer> {
  const server = createServer((request, response) => {
    const is_operator = rules !== null && request.url === OPERATOR_PATH
    const answered = is_operator
      ? answerOperator(rules, request, response)
      : answer({ hazards, at: now(), rules }, request, response)
    answered.catch(() => response.destroy())
  })
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
async function answer(
  { hazards, at, rules }: { hazards: readonly Hazard[]; at: Micros; rules: RuledFaults | null },
  { method, url = '', headers, socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const feed = FEEDS.get(url)
  if (feed === undefined || method !== 'GET') return void response.writeHead(feed === undefined ? 404 : 405).end()
  const fault = rules?.onAnswer(url) ?? null
  if (fault?.kind === 'reset') return void socket.destroy()
  if (fault?.kind === 'stall') await sleep(fault.wait_ms)
  const refused = statusOfFault(fault)
  if (refused !== null) return void response.writeHead(refused).end()
  const body = feed.write(hazards, at)
  // The time a document was generated is not a change.
  const content = body.replace(/"generated":\d+/, '')
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`
  if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  const sent = spoiled(body, fault)
  response.writeHead(200, { 'content-type': feed.type, 'content-length': Buffer.byteLength(sent), etag }).end(sent)
}

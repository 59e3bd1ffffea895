import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { bundleConsole } from '../../../api/console/bundle-console.ts'
import { consoleRoutes } from '../../../api/console/console-routes.ts'
import { createAdminServer } from '../../../api/server/create-admin-server.ts'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import type { RouteHandlers, RouteRequest } from '../../../api/server/handler.ts'
import { createMetrics } from '../../../api/server/metrics.ts'
import { ServiceError } from '../../../primitives/errors.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'
import type { Index } from '../../../protocol/resources/index-resource.ts'
import { fakeHandlers } from '../../support/fake-handlers.ts'
import { fakeReader, NO_STREAMS } from '../../support/fake-reader.ts'
import {
  CONSTITUENT,
  candleOf,
  INDEXES,
  LAST_MS,
  MARKET,
  marketPrice,
  OBSERVATIONS,
  VERSION,
  withDay,
  withInputs,
} from './fixture-data.ts'
import { GOVERNANCE_HANDLERS } from './fixture-governance.ts'
import { FIXTURE_OPERATIONS } from './fixture-ingest.ts'
import { MARKET_HANDLERS } from './fixture-markets.ts'

const bundle = await bundleConsole()

export type FixtureService = Awaited<ReturnType<typeof startFixture>>
type Client = { readonly socket: WebSocket; readonly sids: Map<string, string> }

/** The page at the admin address, before the real server, whose answers are those of fixture-data.ts, with a stream that the test speaks. */
export async function startFixture() {
  const published = [...OBSERVATIONS]
  const clients = new Set<Client>()
  let seq = 1000
  const reader = fakeReader({ now: () => (LAST_MS + 600_000) * 1000, operations: FIXTURE_OPERATIONS })
  const app = await createApiServer({
    reader,
    handlers: fakeHandlers(handlersOf(published)),
    environment: 'test',
    rate_limits: 'off',
    extra: await consoleRoutes(bundle),
  })
  let is_cut = false
  const sockets = new WebSocketServer({ server: app.server, path: '/v1/ws', verifyClient: () => !is_cut })
  sockets.on('connection', (socket) => {
    const client: Client = { socket, sids: new Map() }
    clients.add(client)
    socket.on('close', () => clients.delete(client))
    socket.on('message', (text) => answer(client, JSON.parse(String(text)), seq))
    send(socket, {
      type: 'welcome',
      connection_id: 'con_a',
      server_time_ms: LAST_MS + 600_000,
      heartbeat_ms: 15_000,
      protocol: '1',
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const metrics = createMetrics({
    status: reader.status,
    now_ms: Date.now,
    stream: () => NO_STREAMS,
    poisoned_submissions: null,
  })
  const admin = createAdminServer(metrics, app, true).listen(0, '127.0.0.1')
  await once(admin, 'listening')
  const url = `http://127.0.0.1:${(admin.address() as AddressInfo).port}`
  /** Sends a message of a topic to every client that has subscribed to it. */
  const tell = (topic: string, data: unknown, prev_seq = seq) => {
    seq = prev_seq + 1
    for (const { socket, sids } of clients) {
      const sid = sids.get(topic)
      if (sid !== undefined) send(socket, { type: 'event', sid, topic, epoch: 'e', prev_seq, seq, data })
    }
  }
  return {
    url,
    app,
    published,
    clients,
    tell,
    /** Has the data of the beginning again, and no stream. */
    beginAgain() {
      published.splice(0, published.length, ...OBSERVATIONS)
      seq = 1000
      is_cut = false
      for (const { socket } of clients) socket.terminate()
      clients.clear()
    },
    /** Ends every stream; none is opened until the function that it returns is called. */
    cutStreams() {
      is_cut = true
      for (const { socket } of clients) socket.terminate()
      return () => {
        is_cut = false
      }
    },
    /** Resolves once a client has subscribed to a topic; earlier messages reach nobody. */
    async subscribed(topic: string) {
      while (![...clients].some(({ sids }) => sids.has(topic))) await sleep(20)
    },
    publish(level: IndexObservation, prev_seq?: number) {
      published.push(level)
      tell('index.price', level, prev_seq)
    },
    async close() {
      for (const { socket } of clients) socket.terminate()
      sockets.close()
      admin.close()
      admin.closeAllConnections()
      await app.close()
    },
  }
}

type ClientText = { op: string; id: string; topic: string; market_id?: string; resume?: { after_seq: number } }

function answer({ socket, sids }: Client, { op, id, topic, resume }: ClientText, seq: number): void {
  if (op !== 'subscribe') return
  const sid = topic
  sids.set(topic, sid)
  const mode = resume === undefined ? 'snapshot' : 'resumed'
  send(socket, { type: 'subscribed', id, sid, topic, mode, epoch: 'e', seq: resume?.after_seq ?? seq, effective: {} })
}

function send(socket: WebSocket, message: object): void {
  socket.send(JSON.stringify(message))
}

function handlersOf(published: readonly IndexObservation[]): Partial<RouteHandlers> {
  /** Newest revision of each tick known at the instant, by tick. */
  const known = ({ as_of, parameters }: RouteRequest) => {
    const mine = published.filter((one) => one.index_id === parameters.index_id && isKnown(one, as_of))
    const newest = new Map(mine.map((one) => [one.tick_at, one]))
    return [...newest.values()].sort((a, b) => toMicros(a.tick_at) - toMicros(b.tick_at))
  }
  const inRange = (request: RouteRequest) =>
    known(request).filter(
      ({ tick_at }) =>
        toMicros(tick_at) >= toMicros(request.parameters.start_time) &&
        toMicros(tick_at) < toMicros(request.parameters.end_time),
    )
  const expanded = (index: Index, request: RouteRequest): Index =>
    withDay(index, known({ ...request, parameters: { index_id: index.index_id } }))
  return {
    ...GOVERNANCE_HANDLERS,
    ...MARKET_HANDLERS,
    list_indexes: (request) => ({ data: INDEXES.map((one) => expanded(one, request)), next: null }),
    get_index: (request) => ({
      data: expanded(found(INDEXES.find((one) => one.index_id === request.parameters.index_id)), request),
    }),
    list_index_versions: () => ({ data: [VERSION], next: null }),
    list_constituents: () => ({ data: [CONSTITUENT], next: null }),
    get_index_price: (request) => ({ data: found(known(request).at(-1), 'OBSERVATION_NOT_FOUND'), max_age_ms: 1 }),
    list_index_prices: (request) => ({ data: inRange(request), next: null }),
    list_index_candles: (request) => ({ data: inRange(request).map(candleOf), next: null }),
    get_index_observation: ({ parameters, as_of }) => {
      const one = found(published.find(({ observation_id }) => observation_id === parameters.observation_id))
      const chain = published.filter(
        (other) => other.index_id === one.index_id && other.tick_at === one.tick_at && isKnown(other, as_of),
      )
      return { data: withInputs(one), correction_chain: chain.map(({ observation_id }) => observation_id) }
    },
    get_market: () => ({ data: MARKET }),
    get_market_price: () => ({ data: marketPrice('0.380000000'), max_age_ms: 1 }),
  }
}

function isKnown({ published_at }: IndexObservation, as_of: number | null): boolean {
  return as_of === null || toMicros(published_at) <= as_of
}

function found<T>(value: T | undefined, code: 'INDEX_NOT_FOUND' | 'OBSERVATION_NOT_FOUND' = 'INDEX_NOT_FOUND'): T {
  if (value === undefined) throw new ServiceError(code, 'index_id is another; allowed: one of the fixture', {})
  return value
}

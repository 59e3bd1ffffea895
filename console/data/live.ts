import type { Static } from 'typebox'
import type { Meta } from '../../protocol/envelope.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { IndexStatus, TopicName } from '../../protocol/stream/topics.ts'
import { type Api, apiAt } from './api-client.ts'
import { createCell } from './cell.ts'
import { isNewer } from './newest.ts'
import { readRoute } from './route.ts'
import { type SocketEvents, type SocketLike, StreamClient, type StreamListener } from './stream-client.ts'
import { createTurns } from './turns.ts'

/** live: levels update. stale: the service lags behind its warehouse. past: an earlier instant is shown. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'stale' | 'past'
export type IndexStatusEvent = Static<typeof IndexStatus>

const STALENESS_CHECK_MS = 30_000

/** Newest streamed level of each index, by index_id. */
export const live_levels = createCell<ReadonlyMap<string, IndexObservation>>(new Map())
export const live_statuses = createCell<ReadonlyMap<string, IndexStatusEvent>>(new Map())
/** The last message of index.price, corrections of earlier ticks included. */
export const last_level = createCell<IndexObservation | null>(null)
/** Number of gaps so far; reads made before a gap must be repeated. */
export const gaps = createCell(0)
const is_connected = createCell<boolean | null>(null)
const is_stale = createCell(false)
const is_past = createCell(typeof location !== 'undefined' && readRoute(location.search).as_of !== null)
export const connection = createCell<Connection>('connecting')
/** Milliseconds by which the service's clock is ahead of this device's; null: not known. */
export const clock_lead_ms = createCell<number | null>(null)
/** Instant until which reads wait, because the service answers no more of them; null: none waits. */
export const waits_until = createCell<number | null>(null)

const stream = new StreamClient({
  open: openSocket,
  setTimer: (call, millis) => setTimeout(call, millis),
  clearTimer: (timer) => clearTimeout(timer as number),
  random: Math.random,
  onConnected: (connected) => is_connected.set(connected),
  onClock: (server_time_ms) => clock_lead_ms.set(server_time_ms - Date.now()),
})

/** Opens a connection to the stream of this service. */
export function openSocket({ onText, onEnd }: SocketEvents): SocketLike {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/v1/ws`)
  socket.onmessage = ({ data }) => onText(String(data))
  socket.onclose = onEnd
  return { send: (text) => socket.send(text), close: () => socket.close() }
}

/** Turns of every public read of the page, files of the log included: they share the limit of this address. */
export const turns = createTurns(waitForTurn)

/** Returns the API as of an instant; current answers also report whether the service lags. */
export function liveApi(as_of: string | null): Api {
  if (as_of !== null) return apiAt(as_of, { fetch: (url, options) => fetch(url, options), turns })
  return apiAt(null, {
    // After a gap, a cached answer would still lack the missed messages; the ETag keeps the check cheap.
    fetch: (url, options) => fetch(url, { ...options, cache: 'no-cache' }),
    turns,
    // For a current value, stale may mean only that this value is old.
    onMeta: (meta: Static<typeof Meta>) => {
      if (meta.max_age_ms === undefined) is_stale.set(meta.stale === true)
    },
  })
}

/** Waits until the service answers again, and says so on the page. */
async function waitForTurn(millis: number): Promise<void> {
  const until = Date.now() + millis
  waits_until.set(Math.max(until, waits_until.get() ?? 0))
  await new Promise((resolve) => setTimeout(resolve, millis))
  if (waits_until.get() === until) waits_until.set(null)
}

/** Starts to follow the stream, except while the page shows the past. */
export function startLive(): void {
  for (const cell of [is_connected, is_stale, is_past]) cell.watch(() => connection.set(stateOf()))
  stream.subscribe('index.price', {}, { onData: (data) => takeLevel(data as IndexObservation), onGap: countGap })
  stream.subscribe(
    'index.status',
    {},
    { onData: (data) => takeStatus(data as IndexStatusEvent), onGap: () => undefined },
  )
  addEventListener('online', () => {
    if (!is_past.get()) stream.start()
  })
  setInterval(checkStaleness, STALENESS_CHECK_MS)
  connection.set(stateOf())
  if (!is_past.get()) stream.start()
}

/** Switches between now and the past. */
export function setPast(past: boolean): void {
  if (past === is_past.get()) return
  is_past.set(past)
  if (past) {
    stream.stop()
    is_connected.set(null)
    live_levels.set(new Map())
    live_statuses.set(new Map())
    last_level.set(null)
  } else stream.start()
}

/** Follows a public topic with filters. */
export function follow(
  topic: TopicName,
  filters: Readonly<Record<string, string>>,
  listener: StreamListener,
): () => void {
  return stream.subscribe(topic, filters, listener)
}

function stateOf(): Connection {
  if (is_past.get()) return 'past'
  const connected = is_connected.get()
  if (connected === null) return 'connecting'
  if (!connected) return 'reconnecting'
  return is_stale.get() ? 'stale' : 'live'
}

function takeLevel(level: IndexObservation): void {
  const known = live_levels.get()
  if (isNewer(level, known.get(level.index_id))) live_levels.set(new Map(known).set(level.index_id, level))
  last_level.set(level)
}

function takeStatus(status: IndexStatusEvent): void {
  live_statuses.set(new Map(live_statuses.get()).set(status.index_id, status))
}

function countGap(): void {
  gaps.set(gaps.get() + 1)
}

/** Polls the smallest answer that reports whether the service lags, for pages that read nothing else. */
function checkStaleness(): void {
  if (is_past.get() || document.hidden || is_connected.get() !== true) return
  liveApi(null)
    .get('/indexes', { limit: 1 }, AbortSignal.timeout(STALENESS_CHECK_MS))
    .catch(() => undefined)
}

import { WebSocket } from 'ws'
import type { RequestKey } from '../../client/signing/sign-request.ts'
import { signStreamAuth } from '../../client/signing/sign-stream-auth.ts'
import { Delays } from './delays.ts'
import type { StreamKind, StreamsAsked, StreamsMeasured } from './streams.ts'

/**
 * Holds the sockets of a load run in a separate process. On `{open}` it connects, signs in and subscribes all of them and replies
 * with their number; `{measure: true}` resets its counts; on `{report: true}` it replies with them. A message's delay runs from the
 * stamp of the engine's batch, which is set before the commit, to its receipt. Texts are searched, not parsed, to keep clients cheap.
 */
const OPENED_AT_ONCE = 32
const PRIVATE_TOPICS = ['account.order', 'account.fill', 'account.balance'] as const
const STAMP = Buffer.from('"published_at_ts_ms":')
const STAMP_DIGITS = 13
const FAILURES_LOGGED = 3
const RETRY_MS = 500

type Socket = {
  readonly kind: StreamKind
  readonly socket: WebSocket
  readonly subscribed: () => void
  awaited: number
}

const delays: Record<StreamKind, Delays> = { private: new Delays(), public: new Delays() }
const opened: Record<StreamKind, number> = { private: 0, public: 0 }
let dialed = 0
let failures = 0

process.on('message', async (asked: StreamsAsked) => {
  if ('open' in asked) {
    const { url, keys, market_ids } = asked.open
    const openings = [
      ...keys.map((key) => () => openPrivate(url, key)),
      ...market_ids.map((market_id) => () => openPublic(url, market_id)),
    ]
    for (let from = 0; from < openings.length; from += OPENED_AT_ONCE)
      await Promise.all(openings.slice(from, from + OPENED_AT_ONCE).map((open) => open()))
    process.send!({ opened })
  } else if ('measure' in asked) {
    for (const kind of ['private', 'public'] as const) delays[kind] = new Delays()
    process.send!({ measuring: true })
  } else process.send!(measured())
})

function openPrivate(url: string, key: RequestKey): Promise<void> {
  return open(url, 'private', PRIVATE_TOPICS.length, ({ socket }, type) => {
    if (type === 'welcome') socket.send(JSON.stringify(signStreamAuth(key, { id: 'auth' })))
    if (type === 'authenticated')
      for (const topic of PRIVATE_TOPICS) socket.send(JSON.stringify({ op: 'subscribe', id: topic, topic }))
  })
}

function openPublic(url: string, market_id: string): Promise<void> {
  const subscribe = JSON.stringify({ op: 'subscribe', id: 'trade', topic: 'market.trade', market_id })
  return open(url, 'public', 1, ({ socket }, type) => {
    if (type === 'welcome') socket.send(subscribe)
    // The reader of public data starts a moment after the server.
    if (type === 'retryable') setTimeout(() => socket.send(subscribe), RETRY_MS)
  })
}

/** Resolves once every subscription is confirmed. A refusal, a gap or a closed socket is a failure. */
function open(
  url: string,
  kind: StreamKind,
  awaited: number,
  onMessage: (client: Socket, type: string) => void,
): Promise<void> {
  return new Promise((resolve) => {
    dialed += 1
    // An address may have STREAM.anonymous_per_address_max of them: sockets spread over the addresses of this machine.
    const localAddress = `127.0.0.${1 + (dialed % 250)}`
    const socket = new WebSocket(url, { perMessageDeflate: false, localAddress })
    const client: Socket = { kind, socket, subscribed: resolve, awaited }
    const fail = (text: string) => {
      failures += 1
      if (failures <= FAILURES_LOGGED) process.stderr.write(`stream: ${text}\n`)
      resolve()
    }
    socket.on('message', (data: Buffer) => {
      const type = typeOf(data)
      if (type === 'event') count(kind, data)
      else if (type === 'error' && data.includes('"retryable":true')) onMessage(client, 'retryable')
      else if (type === 'error' || type === 'gap') fail(String(data))
      else if (type === 'subscribed') subscribed(client)
      else onMessage(client, type)
    })
    socket.on('close', (code) => fail(`closed with ${code}`))
    socket.on('error', () => undefined)
  })
}

function subscribed(client: Socket): void {
  client.awaited -= 1
  if (client.awaited > 0) return
  opened[client.kind] += 1
  client.subscribed()
}

/** Messages begin with their type. */
function typeOf(data: Buffer): string {
  const from = '{"type":"'.length
  return data.toString('latin1', from, data.indexOf(0x22, from))
}

function count(kind: StreamKind, data: Buffer): void {
  const at = data.indexOf(STAMP) + STAMP.length
  delays[kind].add(Date.now() - Number.parseInt(data.toString('latin1', at, at + STAMP_DIGITS), 10))
}

function measured(): StreamsMeasured {
  const of = (kind: StreamKind) => ({
    streams: opened[kind],
    messages: delays[kind].count,
    p50_ms: delays[kind].at(0.5),
    p99_ms: delays[kind].at(0.99),
    max_ms: delays[kind].longest_ms,
  })
  return { private: of('private'), public: of('public'), failures }
}

process.send!({ ready: true })

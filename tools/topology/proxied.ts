import { Agent, type RequestOptions, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import WebSocket from 'ws'
import { PUBLIC_TOPICS, type PublicTopicName, type PublicTopics } from '../../client/contract/topics.ts'
import type { Fetch } from '../../client/http/transport.ts'
import type { RequestKey } from '../../client/signing/sign-request.ts'
import { createPublicStream } from '../../client/stream/public-stream.ts'
import { createAccountStream } from '../../client/trading/stream/account-stream.ts'
import type { StreamSocket } from '../../client/trading/stream/stream-socket.ts'
import type { WireRequest } from '../reliability/wire-request.ts'

/** Address of a proxy, and the certificate that it shows for HOST. */
export type Proxied = { readonly proxy_url: string; readonly ca: Buffer; readonly agent: Agent }
export const HOST = 'api.example'

export type Answer = { readonly status: number; readonly text: string; readonly is_replay: boolean }

/** Sends a request through the proxy; status 0: no answer came. */
export function ask({ proxy_url, agent }: Proxied, { method, target, headers, body }: WireRequest): Promise<Answer> {
  const length = { 'Content-Length': `${Buffer.byteLength(body)}` }
  const options: RequestOptions = { method, agent, headers: { ...headers, Host: HOST, ...length } as never }
  return new Promise((resolve) => {
    const asked = request(`${proxy_url}${target}`, options, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      const is_replay = response.headers['svc-idempotent-replay'] === 'true'
      response.on('end', () => resolve({ status: response.statusCode!, text, is_replay }))
    })
    asked.on('error', (error) => resolve({ status: 0, text: error.message, is_replay: false }))
    asked.end(body)
  })
}

/** Sends requests of the client through the proxy. */
export function fetchThrough(proxy: Proxied): Fetch {
  return async (url, { method, headers, body = '' }) => {
    const { pathname, search } = new URL(url)
    const wire = { method: method as 'GET' | 'POST', target: `${pathname}${search}`, headers, body }
    const { status, text } = await ask(proxy, wire)
    if (status === 0) throw new Error(text)
    return new Response(text, { status })
  }
}

export type Load = { readonly answered: number; readonly failed: readonly string[] }

/** Sends a bounded load while `work` runs. @returns how many requests succeeded, and the answers of all others */
export async function underLoad(
  callers: readonly (() => Promise<Pick<Answer, 'status' | 'text'>>)[],
  pause_ms: number,
  work: () => Promise<void>,
): Promise<Load> {
  let is_over = false
  const load = { answered: 0, failed: [] as string[] }
  const call = async (caller: (typeof callers)[number]) => {
    while (!is_over) {
      const { status, text } = await caller()
      if (status === 200) load.answered += 1
      else load.failed.push(`${status} ${text.slice(0, 200)}`)
      await sleep(pause_ms)
    }
  }
  const calls = callers.map(call)
  await work().finally(() => {
    is_over = true
  })
  await Promise.all(calls)
  return load
}

/** Event of a subscription as it came over the wire. */
type Told = { readonly event_id: string; readonly seq: number; readonly prev_seq: number; readonly data: object }

export type Listener = {
  readonly name: string
  readonly topic: string
  /** Events in the order of their arrival, over all connections; what a client drops as a repetition is in it. */
  readonly told: readonly Told[]
  /** Mode and epoch of each subscription; the first one begins with a snapshot. */
  readonly begun: readonly { readonly mode: string; readonly epoch: string }[]
  /** Gaps that the service announced. */
  readonly gaps: readonly object[]
  close(): void
}

type Tap = { told: Told[]; begun: { mode: string; epoch: string }[]; gaps: object[] }

/** Opens sockets of one loopback address, by which the proxy chooses the replica, and keeps what they receive of a topic. */
function tapped({ ca }: Proxied, localAddress: string, tap: Tap) {
  const agent = new Agent({ ca, servername: HOST, localAddress })
  return (url: string): StreamSocket => {
    const socket = new WebSocket(url, { headers: { Host: HOST }, agent })
    socket.on('message', (bytes: Buffer) => {
      const message = JSON.parse(bytes.toString())
      if (message.type === 'event') tap.told.push(message)
      if (message.type === 'subscribed') tap.begun.push(message)
      if (message.type === 'gap') tap.gaps.push(message)
    })
    return socket as unknown as StreamSocket
  }
}

const RETRY_MS = { first: 50, max: 500 }

/** Follows a public topic through the proxy. */
export function followPublic<T extends PublicTopicName>(
  proxy: Proxied,
  address: string,
  topic: T,
  filters: PublicTopics[T]['filters'],
): Listener {
  const tap: Tap = { told: [], begun: [], gaps: [] }
  const stream = createPublicStream({
    base_url: proxy.proxy_url,
    open: tapped(proxy, address, tap),
    retry_ms: RETRY_MS,
  })
  stream.follow(topic, filters as never)
  return { name: `${topic} at ${address}`, topic, ...tap, close: () => stream.close() }
}

/** Follows the orders of an account through the proxy. */
export function followOrders(proxy: Proxied, address: string, key: RequestKey): Listener {
  const tap: Tap = { told: [], begun: [], gaps: [] }
  const open = tapped(proxy, address, tap)
  const stream = createAccountStream({ base_url: proxy.proxy_url, key, open, retry_ms: RETRY_MS })
  stream.follow('account.order', () => undefined)
  return { name: `orders at ${address}`, topic: 'account.order', ...tap, close: () => stream.close() }
}

/** Returns where a listener lost an event, received one twice or began anew; empty: neither. */
export function faultsOf({ name, topic, told, begun, gaps }: Listener): string[] {
  const again = begun.slice(1)
  // Messages of the other topics are whole states. The last one counts, so they may resume with a snapshot and repeat.
  const is_chained = PUBLIC_TOPICS[topic as PublicTopicName]?.is_chained ?? true
  const ids = new Set<string>()
  const repeated = !is_chained ? [] : told.filter(({ event_id }) => ids.size === ids.add(event_id).size)
  const later = !is_chained ? [] : told.slice(1).map((event, at) => ({ ...event, last_seq: told[at]!.seq }))
  return [
    ...again.filter(({ mode }) => is_chained && mode !== 'resumed').map(({ mode }) => `${name}: began with ${mode}`),
    ...again.filter(({ epoch }) => epoch !== begun[0]!.epoch).map(({ epoch }) => `${name}: epoch became ${epoch}`),
    ...gaps.map((gap) => `${name}: ${JSON.stringify(gap)}`),
    ...repeated.map(({ event_id }) => `${name}: ${event_id} came twice`),
    ...later
      .filter(({ seq, prev_seq, last_seq }) => prev_seq > last_seq || seq <= last_seq)
      .map(({ seq, prev_seq, last_seq }) => `${name}: ${seq} follows ${prev_seq}; received before it: ${last_seq}`),
  ]
}

import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createTradingClient } from '../../../client/trading/trading-client.ts'
import { toMicros } from '../../../primitives/instants.ts'
import type { Ready, ReadyAccount } from '../../../service/up/ready-file.ts'
import { type Book, RESTING } from './target.ts'

/** Experience of those who only use the service: milliseconds of each answer, and every failure as a sentence. */
export type Experience = {
  readonly order_ms: number[]
  readonly read_ms: number[]
  readonly level_ms: number[]
  readonly failures: string[]
}

const INDEX_ID = 'idx_live_current'
const EVERY_MS = 200

/** An account that trades, a reader without a key and a stream, until the signal; each asks five times a second. */
export async function watchBystanders(
  ready: Ready,
  account: ReadyAccount,
  book: Book,
  signal: AbortSignal,
): Promise<Experience> {
  const experience: Experience = { order_ms: [], read_ms: [], level_ms: [], failures: [] }
  await Promise.all([
    trade(ready, account, book, experience, signal),
    read(ready, book, experience, signal),
    listen(ready, experience, signal),
  ])
  return experience
}

/** Does one thing after the other, and notes how long each took or why it failed. */
async function repeat(
  name: string,
  times: number[],
  failures: string[],
  signal: AbortSignal,
  act: () => Promise<unknown>,
) {
  while (!signal.aborted) {
    const begun = performance.now()
    await act().then(
      () => times.push(performance.now() - begun),
      (error: Error) => failures.push(`${name}: ${error.message}`),
    )
    await sleep(Math.max(0, EVERY_MS - (performance.now() - begun)))
  }
}

async function trade(
  ready: Ready,
  account: ReadyAccount,
  book: Book,
  { order_ms, failures }: Experience,
  signal: AbortSignal,
) {
  const { base_url, environment } = ready
  const client = createTradingClient({
    ...account,
    base_url,
    environment,
    signer_private_key: account.owner_private_key,
    retry: { attempts_max: 1, within_ms: 0 },
  })
  await repeat('order', order_ms, failures, signal, async () => {
    const { order_id } = await client.placeOrder({ ...book, ...RESTING })
    await client.cancelOrder(order_id)
  })
}

async function read(
  { base_url }: Ready,
  { market_id, outcome_id }: Book,
  { read_ms, failures }: Experience,
  signal: AbortSignal,
) {
  const paths = [
    `/v1/indexes/${INDEX_ID}/price`,
    `/v1/markets/${market_id}/price`,
    `/v1/markets/${market_id}/prices?outcome_id=${outcome_id}&limit=10`,
    '/v1/markets?limit=10',
  ]
  let n = 0
  await repeat('read', read_ms, failures, signal, async () => {
    const path = paths[n++ % paths.length]!
    const answer = await fetch(`${base_url}${path}`)
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${body.slice(0, 200)}`)
  })
}

/** A level must come within its time after its tick, and the stream must never end. */
async function listen(ready: Ready, { level_ms, failures }: Experience, signal: AbortSignal): Promise<void> {
  const socket = new WebSocket(`${ready.stream_url}/v1/ws`)
  socket.on('open', () =>
    socket.send(JSON.stringify({ op: 'subscribe', id: 'a', topic: 'index.price', index_id: INDEX_ID })),
  )
  socket.on('message', (text) => {
    const said = JSON.parse(String(text)) as { type: string; data?: { tick_at?: string } }
    if (said.type === 'gap' || said.type === 'error') failures.push(`stream: ${String(text).slice(0, 200)}`)
    if (said.type === 'event' && said.data?.tick_at !== undefined)
      level_ms.push(Date.now() - toMicros(said.data.tick_at, 'tick_at') / 1000)
  })
  socket.on('close', (code, reason) => {
    if (!signal.aborted) failures.push(`stream: closed with ${code} ${reason}`)
  })
  socket.on('error', (error) => failures.push(`stream: ${error.message}`))
  while (!signal.aborted) await sleep(EVERY_MS)
  socket.close()
}

import { signStreamAuth } from '../../../client/signing/sign-stream-auth.ts'
import { ERROR_CODES } from '../../../primitives/error-codes.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { type Said, StreamClient } from '../../../test/api/stream/stream-client.ts'
import { mutatePayload } from '../../../test/support/mutate-payload.ts'
import type { ServedAccounts } from '../../../test/support/trading/served-accounts.ts'
import type { ServedStream } from '../../../test/support/trading/served-streams.ts'
import type { KnownRecords } from '../requests/known-records.ts'
import { HANG_MS } from './run-requests.ts'

export type FramesReport = {
  readonly frames: number
  /** Answers by type, errors by code. */
  readonly answers: Readonly<Record<string, number>>
  /** Connections that the server closed, by close code. */
  readonly closed: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

export type FramesOptions = {
  readonly served: ServedAccounts
  readonly stream: ServedStream
  readonly known: KnownRecords
  readonly random: Random
  /** Gives the next generated message. */
  readonly nextMessage: () => string
  readonly frames: number
}

/** Close codes of a client that broke the protocol: data of no text, not UTF-8, too long, policy. */
const CLOSED_BY_RIGHT: readonly number[] = [1002, 1003, 1007, 1008, 1009]
/** Frames between two pings; the answer to a ping shows that the connection goes on. */
const TOGETHER = 20
const BYTES_MAX = 20_000

type Tally = {
  frames: number
  readonly answers: Record<string, number>
  readonly closed: Record<string, number>
  readonly violations: string[]
}

/** Sends frames over connections with and without a key; the answer to each is a known one, and each ping is answered in time. */
export async function runFrames(options: FramesOptions): Promise<FramesReport> {
  const tally: Tally = { frames: 0, answers: {}, closed: {}, violations: [] }
  for (let connection = 0; tally.frames < options.frames && tally.violations.length === 0; connection += 1)
    await oneConnection(options, connection % 2 === 0, tally)
  tally.violations.push(...options.stream.failures.map((failure) => `failure in the stream: ${failure}`))
  return tally
}

/** Sends frames until the server closes the connection, or there were several hundred. */
async function oneConnection(options: FramesOptions, with_key: boolean, tally: Tally): Promise<void> {
  const { served, stream } = options
  const client = await StreamClient.open(stream.url)
  let closed_by: number | null = null
  client.socket.once('close', (code) => {
    closed_by = code
  })
  if (with_key) client.send(signStreamAuth(served.keys.acct_a, { id: 'auth' }))
  for (let turn = 0; turn < 20 && tally.frames < options.frames && closed_by === null; turn += 1) {
    const from = client.said.length
    const sent = Array.from({ length: Math.min(TOGETHER, options.frames - tally.frames) }, () => newFrame(options))
    for (const frame of sent) client.socket.send(frame, { binary: typeof frame !== 'string' })
    tally.frames += sent.length
    const fault = await pinged(client, turn)
    if (fault !== null) tally.violations.push(`${fault} | ${JSON.stringify(sent).slice(0, 4_000)}`)
    for (const said of client.said.slice(from)) count(said, tally)
  }
  if (closed_by !== null) {
    tally.closed[closed_by] = (tally.closed[closed_by] ?? 0) + 1
    if (!CLOSED_BY_RIGHT.includes(closed_by)) tally.violations.push(`the server closed a connection with ${closed_by}`)
  }
  await client.close()
}

/** Waits for the answer to a ping. @returns what is wrong; null: nothing, or the server closed the connection */
async function pinged(client: StreamClient, turn: number): Promise<string | null> {
  const id = `ping-${turn}`
  client.send({ op: 'ping', id })
  const started = performance.now()
  const closed = await client
    .next((said) => said.id === id)
    .then(
      () => false,
      () => true,
    )
  const took_ms = Math.round(performance.now() - started)
  return !closed && took_ms > HANG_MS ? `a ping was answered after ${took_ms} ms; allowed: ${HANG_MS}` : null
}

function count(said: Said, tally: Tally): void {
  const { code = null } = (said.error ?? {}) as { readonly code?: string | null }
  const name = code ?? said.type
  tally.answers[name] = (tally.answers[name] ?? 0) + 1
  const is_ours = code === null || (code in ERROR_CODES && ERROR_CODES[code as keyof typeof ERROR_CODES].status < 500)
  if (!is_ours) tally.violations.push(`answered ${JSON.stringify(said)}`)
}

/** Topics of the public and the private stream. */
const TOPICS = ['index.price', 'index.status', 'market.ticker', 'market.orderbook', 'market.trade', 'account.orders']

function newFrame({ known, random, nextMessage }: FramesOptions): string | Uint8Array {
  const kind = random.below(100)
  if (kind < 50) return nextMessage().slice(0, BYTES_MAX)
  if (kind === 50) return Uint8Array.from({ length: random.below(200) }, () => random.below(256))
  const one = <T>(items: readonly T[]) => items[random.below(items.length)]!
  const market = one(known.market)
  const message = {
    op: one(['subscribe', 'subscribe', 'unsubscribe']),
    id: String(random.below(1000)),
    topic: one(TOPICS),
    ...(random.chance(500_000) && { index_id: one(known.index).index_id![0] }),
    ...(random.chance(500_000) && { market_id: market.market_id![0], outcome_id: market.outcome_id?.[0] }),
    ...(random.chance(200_000) && { resume: { epoch: 'e', after_seq: random.below(100) } }),
  }
  const text = JSON.stringify(message)
  return kind < 60 ? text : mutatePayload(text, () => random.below(2 ** 32) / 2 ** 32)
}

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signStreamAuth } from '../../../../client/signing/sign-stream-auth.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import type { PrivateTopicName } from '../../../../protocol/stream/private-topics.ts'
import { sized } from '../../../support/sized.ts'
import { withDatabase } from '../../../support/trading/postgres.ts'
import { type ServedStream, type ServeStreamOptions, serveStream } from '../../../support/trading/served-streams.ts'
import { concluding, submitting } from '../../../support/trading/settling.ts'
import { StreamWorld } from '../../../support/trading/stream-world.ts'
import { type Said, StreamClient } from '../stream-client.ts'
import { follow, openAccount } from './account-client.ts'
import { AccountFold } from './account-fold.ts'

const database = withDatabase()
const ACCOUNT = 'acct_a'
/** More than one read of what was missed holds. */
const ORDERS = 220
let world: StreamWorld
let stream: ServedStream
let recorder: StreamClient
const streams: ServedStream[] = []
const clients: StreamClient[] = []

const serve = async (options: ServeStreamOptions = {}): Promise<ServedStream> => {
  const made = await serveStream(world, options)
  streams.push(made)
  return made
}
const open = async (at = stream): Promise<StreamClient> => {
  const client = await openAccount(at.url, world.keys.get(ACCOUNT)!)
  clients.push(client)
  return client
}
const eventsOf = (client: StreamClient, topic: string) =>
  client.said.filter((said) => said.type === 'event' && said.topic === topic)
const errorOf = (said: Said) => (said.error as { code: string; message: string }) ?? null

async function manyMoves(): Promise<void> {
  const placed = Array.from({ length: ORDERS }, (_, n) =>
    world.maker.place(ACCOUNT, { limit_price: `0.${10 + (n % 20)}`, quantity: '1' }),
  )
  await Promise.all(placed.map((one) => world.submit(one)))
  await world.submit(world.maker.cancelAll(ACCOUNT))
  for (let n = 0; n < 5; n += 1) {
    await world.submit(world.maker.place('acct_b', { side: 'SELL', limit_price: '0.40', quantity: '2' }))
    await world.submit(world.maker.place(ACCOUNT, { limit_price: '0.40', quantity: '2' }))
  }
  await settleAll()
}

async function settleAll(): Promise<void> {
  const { rows } = await world.pool.query<{ settlement_id: string }>(
    `SELECT settlement_id FROM trading.settlement WHERE state = 'pending'`,
  )
  const ids = rows.map(({ settlement_id }) => settlement_id)
  await world.act(submitting(ids))
  await world.act(concluding(ids))
}

/** Waits until a connection has received the last event of a topic. */
async function told(client: StreamClient, topic: PrivateTopicName, kinds: readonly string[]): Promise<void> {
  const { rows } = await world.pool.query<{ last: number }>(
    'SELECT max(engine_sequence) AS last FROM trading.engine_event WHERE account_id = $1 AND kind = ANY ($2)',
    [ACCOUNT, kinds],
  )
  const { last } = rows[0]!
  await expect.poll(() => eventsOf(client, topic).at(-1)?.seq ?? 0).toBe(last)
}

beforeAll(async () => {
  world = await StreamWorld.start((await database()).pool)
  stream = await serve()
  recorder = await open()
  for (const topic of ['account.order', 'account.settlement', 'account.position'] as const)
    await follow(recorder, topic)
  await manyMoves()
}, 240_000)
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  for (const one of streams) await one.stop()
  await world.stop()
  expect(streams.flatMap(({ failures }) => failures)).toEqual([])
})

describe('resume', () => {
  test.each([
    ['account.order', ['order']],
    ['account.settlement', ['fill', 'settlement']],
    ['account.position', ['position']],
  ] as const)(
    '%s: from any position, within a batch too, the same events follow as were sent live',
    async (topic, kinds) => {
      await told(recorder, topic, kinds)
      const all = eventsOf(recorder, topic)
      expect(all.length).toBeGreaterThan(topic === 'account.order' ? 600 : 5)
      const step = Math.max(1, Math.floor(all.length / sized(4, 8)))
      const client = await open()
      for (let from = 0; from < all.length; from += step) {
        const { seq: after_seq, epoch } = all[from] as unknown as { seq: number; epoch: string }
        const before = client.said.length
        const answer = await follow(client, topic, { resume: { epoch, after_seq } })
        expect([answer.mode, answer.seq]).toEqual(['resumed', after_seq])
        const wanted = all.slice(from + 1)
        const got = () => client.said.slice(before).filter((said) => said.type === 'event' && said.topic === topic)
        await expect.poll(() => got().length).toBe(wanted.length)
        expect(got()).toEqual(wanted)
        await client.ask({ op: 'unsubscribe', id: `u${from}`, sid: answer.sid })
      }
    },
  )

  test('at the last position: nothing, then what is new, with the place before it', async () => {
    const last = eventsOf(recorder, 'account.order').at(-1)! as unknown as { seq: number; epoch: string }
    const client = await open()
    await follow(client, 'account.order', { resume: { epoch: last.epoch, after_seq: last.seq } })
    await world.submit(world.maker.place(ACCOUNT, { limit_price: '0.05', quantity: '1' }))
    const first = await client.next((said) => said.type === 'event')
    expect(first.prev_seq).toBe(last.seq)
  })

  test('another epoch: said, and a snapshot', async () => {
    const client = await open()
    const answer = await follow(client, 'account.order', { resume: { epoch: 'another', after_seq: 1 } })
    expect(answer.mode).toBe('snapshot')
    const gap = client.said.find((said) => said.type === 'gap')!
    expect(gap).toMatchObject({ sid: answer.sid, from_seq: 1, to_seq: answer.seq, reason: 'epoch_changed' })
    expect(client.said.filter((said) => said.type === 'snapshot').length).toBeGreaterThan(0)
  })

  test('older than what is kept: said, and a snapshot; younger: all of it', async () => {
    const { epoch } = await world.trading.reads.head()
    const later = await serve({ now: () => Date.now() + PRIVATE_STREAM.resume_retention_ms + 60_000 })
    const client = await StreamClient.open(later.url)
    clients.push(client)
    const timestamp_ms = Date.now() + PRIVATE_STREAM.resume_retention_ms + 60_000
    const key = world.keys.get(ACCOUNT)!
    expect((await client.ask({ ...signStreamAuth(key, { id: 'auth', timestamp_ms }) })).type).toBe('authenticated')
    const answer = await follow(client, 'account.order', { resume: { epoch, after_seq: 1 } })
    expect([answer.mode, client.said.find((said) => said.type === 'gap')?.reason]).toEqual(['snapshot', 'retention'])
    // Nothing of the topic came after this position: there is nothing to have missed.
    const last = eventsOf(recorder, 'account.settlement').at(-1)! as unknown as { seq: number }
    const young = await follow(client, 'account.settlement', { resume: { epoch, after_seq: last.seq } })
    expect(young.mode).toBe('resumed')
  })

  test('a position that the engine has not reached is refused', async () => {
    const { epoch, engine_sequence } = await world.trading.reads.head()
    const client = await open()
    const resume = { epoch, after_seq: engine_sequence + 1_000_000 }
    const answer = await client.ask({ op: 'subscribe', id: 'ahead', topic: 'account.order', resume })
    expect(errorOf(answer).code).toBe('VALIDATION_MESSAGE_INVALID')
    // It stands for nothing afterwards.
    expect((await follow(client, 'account.order')).type).toBe('subscribed')
  })
})

test('market_id: what is of the market alone, each with the message before it on the subscription', async () => {
  const client = await open()
  const of_market = await follow(client, 'account.order', { market_id: 'mkt_1' })
  const of_other = await follow(client, 'account.fill', { market_id: 'mkt_other' })
  expect([of_market.sid, of_other.effective]).toEqual([
    `account.order:${ACCOUNT}:mkt_1`,
    { account_id: ACCOUNT, market_id: 'mkt_other' },
  ])
  await world.submit(world.maker.place('acct_b', { side: 'SELL', limit_price: '0.40', quantity: '2' }))
  await world.submit(world.maker.place(ACCOUNT, { limit_price: '0.40', quantity: '2' }))
  await client.next((said) => said.kind === 'filled')
  const events = eventsOf(client, 'account.order')
  expect(events.map(({ prev_seq }) => prev_seq)).toEqual([of_market.seq, ...events.slice(0, -1).map(({ seq }) => seq)])
  expect(eventsOf(client, 'account.fill')).toEqual([])
})

test('a socket that does not read loses messages, is told so, and has a snapshot that events follow', async () => {
  const narrow = await serve({ limits: { buffered_bytes_max: 64 * 1024 } })
  const client = await open(narrow)
  const { sid } = await follow(client, 'account.order')
  const socket = (client.socket as unknown as { _socket: { pause(): void; resume(): void } })._socket
  socket.pause()
  for (let n = 0; n < 4; n += 1) {
    const placed = Array.from({ length: 400 }, () => world.maker.place(ACCOUNT, { limit_price: '0.03', quantity: '1' }))
    await Promise.all(placed.map((one) => world.submit(one)))
    await world.submit(world.maker.cancelAll(ACCOUNT))
  }
  // A large cancel-all goes on in slices after its answer; the engine rests once no order is open.
  await expect.poll(async () => (await world.list(ACCOUNT, '/orders?status=open')).length).toBe(0)
  await expect
    .poll(async () => narrow.feed.head()!.engine_sequence - (await world.trading.reads.head()).engine_sequence)
    .toBe(0)
  socket.resume()
  const gap = await client.next((said) => said.type === 'gap')
  expect(gap).toMatchObject({ sid, reason: 'slow_consumer' })
  await client.next((said) => said.type === 'snapshot_end' && said.seq === gap.to_seq)
  await world.submit(world.maker.place(ACCOUNT, { limit_price: '0.04', quantity: '1' }))
  await client.next((said) => said.type === 'event' && (said.seq as number) > (gap.to_seq as number))
  const fold = new AccountFold('account.order')
  let heard = 0
  // A large cancel-all goes on in slices after its answer, so events come after the snapshot.
  await expect
    .poll(async () => {
      for (; heard < client.said.length; heard += 1) fold.hear(client.said[heard]!)
      const open = [...fold.resources.values()].filter(({ status }) => status === 'open').length
      return [open, (await world.list(ACCOUNT, '/orders?status=open')).length]
    })
    .toEqual([1, 1])
  expect([fold.missing, fold.gaps.length]).toEqual([[], 1])
}, 120_000)

test('who joins or comes back while the engine is busy misses nothing and hears nothing twice', async () => {
  let busy = true
  const traffic = Array.from({ length: 4 }, async (_, lane) => {
    // Each order is cancelled before the next: a quick machine would reach the limit of open orders.
    for (let n = 0; busy; n += 1) {
      const placing = world.maker.place(ACCOUNT, { limit_price: `0.0${1 + ((n + lane) % 3)}`, quantity: '1' })
      await world.submit(placing)
      await world.submit(world.maker.cancel(ACCOUNT, placing.order.intent.order_id))
    }
  })
  const client = await open()
  const { epoch, engine_sequence } = await world.trading.reads.head()
  const runs: { readonly from: number; readonly until: number }[] = []
  for (let n = 0; n < sized(12, 40); n += 1) {
    const from = client.said.length
    const more = n % 2 === 0 ? {} : { resume: { epoch, after_seq: engine_sequence } }
    const { sid } = await follow(client, 'account.order', more)
    await client.next((said) => said.type === 'event' && said.sid === sid, from)
    await client.next((said) => said.type === 'event' && said.sid === sid, client.said.length)
    await client.ask({ op: 'unsubscribe', id: `u${n}`, sid })
    runs.push({ from, until: client.said.length })
  }
  busy = false
  await Promise.all(traffic)
  await told(recorder, 'account.order', ['order'])
  const all = eventsOf(recorder, 'account.order')
  for (const { from, until } of runs) {
    const said = client.said.slice(from, until)
    const events = said.filter(({ type }) => type === 'event')
    const begun = said.find(({ type }) => type === 'subscribed')!.seq as number
    const wanted = all.filter(({ seq }) => (seq as number) > begun).slice(0, events.length)
    const placesOf = (list: readonly Said[]) => list.map(({ prev_seq, seq }) => `${prev_seq} ${seq}`)
    expect(placesOf(events)).toEqual(placesOf(wanted))
    expect(events).toEqual(wanted)
  }
}, 120_000)

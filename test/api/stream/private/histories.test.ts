import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invariant } from '../../../../primitives/errors.ts'
import { wallClock } from '../../../../primitives/wall-clock.ts'
import { PRIVATE_TOPIC_NAMES, type PrivateTopicName } from '../../../../protocol/stream/private-topics.ts'
import type { OperatorCommand } from '../../../../trading/engine/submission.ts'
import { seededRandom } from '../../../support/random.ts'
import { withDatabase } from '../../../support/trading/postgres.ts'
import { bust, randomSettling } from '../../../support/trading/random-settling.ts'
import { randomSubmissions } from '../../../support/trading/random-submissions.ts'
import { type ServedStream, serveStream } from '../../../support/trading/served-streams.ts'
import { concluding, submitting } from '../../../support/trading/settling.ts'
import { StreamWorld } from '../../../support/trading/stream-world.ts'
import type { StreamClient } from '../stream-client.ts'
import { follow, openAccount } from './account-client.ts'
import { AccountFold, type Resource } from './account-fold.ts'

/**
 * Random histories through the real engine and database. A client that follows from the beginning, one that begins in the middle and
 * one that comes back after it was away have, at the end, what a new snapshot says and what REST says.
 */
const SEEDS = [1, 2, 3]
const STEPS = 150
const FOLLOWED = 'acct_a'

const database = withDatabase()
const worlds: { readonly world: StreamWorld; readonly stream: ServedStream }[] = []

const heard: Follower[] = []
let payouts = 0

type Follower = { readonly client: StreamClient; readonly folds: ReadonlyMap<PrivateTopicName, AccountFold> }

async function followAll(stream: ServedStream, world: StreamWorld, before?: Follower): Promise<Follower> {
  const client = await openAccount(stream.url, world.keys.get(FOLLOWED)!)
  const folds = new Map(PRIVATE_TOPIC_NAMES.map((topic) => [topic, before?.folds.get(topic) ?? new AccountFold(topic)]))
  for (const topic of PRIVATE_TOPIC_NAMES) {
    const fold = before?.folds.get(topic)
    const more = fold === undefined ? {} : { resume: { epoch: fold.epoch, after_seq: fold.position } }
    const answer = await follow(client, topic, more)
    expect([topic, answer.type, answer.mode]).toEqual([
      topic,
      'subscribed',
      fold === undefined ? 'snapshot' : 'resumed',
    ])
  }
  return { client, folds }
}

/** Folds the received messages, once the connection has received everything up to the head. */
async function caughtUp({ client, folds }: Follower, world: StreamWorld): Promise<void> {
  const { engine_sequence } = await world.trading.reads.head()
  const last = new Map<PrivateTopicName, number>()
  for (const topic of PRIVATE_TOPIC_NAMES) last.set(topic, await lastOf(world, topic, engine_sequence))
  const reached = () =>
    PRIVATE_TOPIC_NAMES.every((topic) =>
      client.said.some(
        (said) =>
          String(said.sid ?? '').startsWith(`${topic}:`) && ((said.seq as number | undefined) ?? 0) >= last.get(topic)!,
      ),
    )
  for (let waited_ms = 0; !reached() && waited_ms < 60_000; waited_ms += 20)
    await new Promise((next) => setTimeout(next, 20))
  invariant(reached(), `${client.said.length} messages reach ${JSON.stringify([...last])}`)
  await client.ask({ op: 'ping', id: `end ${client.said.length}` })
  for (const said of client.said) for (const fold of folds.values()) fold.hear(said)
}

/** The market ends: what rests is canceled, trades are settled, positions are paid, and what they are paid is settled. */
async function resolveMarket(world: StreamWorld): Promise<void> {
  const resolution_id = 'res_1'
  const act = async (command: OperatorCommand) => {
    const { error, data } = await world.act(command)
    invariant(error === null, `${command.kind} is done: ${error?.message}`)
    return data === null ? null : (JSON.parse(data) as { readonly data?: { readonly done?: boolean } })
  }
  await act({
    kind: 'propose_resolution',
    resolution_id,
    market_id: 'mkt_1',
    verdict: 'resolved',
    payouts: [
      { outcome_id: 'out_yes', payout: '1' },
      { outcome_id: 'out_no', payout: '0' },
    ],
    evidence: [{ evidence_id: 'ev_1', kind: 'report', source_uri: null, observed_at: null, content_hash: null }],
    resolver: { kind: 'operator', resolver_id: null },
    dispute_window_ms: 0,
  })
  await settleAll(world)
  await act({ kind: 'finalize_resolution', resolution_id })
  for (let n = 0; n < 5; n += 1) await act({ kind: 'pay_resolution', resolution_id, limit: 10 })
  await settleAll(world)
}

async function settleAll(world: StreamWorld): Promise<void> {
  const open = async () => {
    const { rows } = await world.pool.query<{ settlement_id: string; state: string; attempt_count: number }>(
      `SELECT settlement_id, state, attempt_count FROM trading.settlement WHERE state IN ('pending', 'submitted', 'failed')`,
    )
    return rows
  }
  for (const { settlement_id, state, attempt_count } of await open())
    if (state !== 'submitted') await world.act(submitting([settlement_id], attempt_count + 1))
  for (const { settlement_id, attempt_count } of await open())
    await world.act(concluding([settlement_id], 'confirmed', attempt_count))
  // What is still pending after a reversal is ended by an adjustment.
  const { rows } = await world.pool.query<{ fill_id: string }>(
    `SELECT fill_id FROM trading.settlement WHERE state = 'reversed' AND (notional <> 0 OR fee <> 0) AND fill_id IS NOT NULL`,
  )
  for (const { fill_id } of rows) await world.act(bust(fill_id, `adj_end_${fill_id}`))
}

const KINDS: Readonly<Record<PrivateTopicName, readonly string[]>> = {
  'account.order': ['order'],
  'account.fill': ['fill', 'adjustment'],
  'account.position': ['position'],
  'account.balance': ['balance'],
  'account.settlement': ['fill', 'settlement'],
  'account.risk': ['account'],
  'account.protection': ['protection'],
}

async function lastOf(world: StreamWorld, topic: PrivateTopicName, up_to: number): Promise<number> {
  const { rows } = await world.pool.query<{ last: number | null }>(
    'SELECT max(engine_sequence) AS last FROM trading.engine_event WHERE account_id = $1 AND kind = ANY ($2) AND engine_sequence <= $3',
    [FOLLOWED, KINDS[topic], up_to],
  )
  return rows[0]!.last ?? 0
}

async function step(
  world: StreamWorld,
  submissions: Iterator<Parameters<StreamWorld['submit']>[0]>,
  random: () => number,
  name: string,
) {
  if (random() < 0.5) {
    const { value } = submissions.next()
    if (value !== undefined) await world.submit(value)
    return
  }
  const command = await randomSettling(world.pool, random, name)
  if (command !== null) await world.act(command)
}

describe.each(SEEDS)('history %i', (seed) => {
  let world: StreamWorld
  let stream: ServedStream
  let first: Follower
  let middle: Follower
  let away: Follower
  let fresh: Follower

  beforeAll(async () => {
    world = await StreamWorld.start((await database()).pool)
    stream = await serveStream(world)
    worlds.push({ world, stream })
    const random = seededRandom(seed)
    const submissions = randomSubmissions(seed, STEPS, wallClock(), `s${seed}n`)[Symbol.iterator]()
    first = await followAll(stream, world)
    away = await followAll(stream, world)
    let joining: Promise<Follower> | null = null
    let returning: Promise<Follower> | null = null
    for (let n = 0; n < STEPS; n += 1) {
      await step(world, submissions, random, `${seed}x${n}`)
      if (n === Math.floor(STEPS / 3)) {
        // Cut off in the middle of what comes, wherever that is.
        await away.client.close()
        for (const said of away.client.said) for (const fold of away.folds.values()) fold.hear(said)
      }
      // While it goes on: what happens meanwhile is neither lost nor doubled.
      if (n === Math.floor(STEPS / 2)) joining = followAll(stream, world)
      if (n === Math.floor((2 * STEPS) / 3)) returning = followAll(stream, world, away)
    }
    middle = await joining!
    away = await returning!
    await resolveMarket(world)
    fresh = await followAll(stream, world)
    for (const follower of [first, middle, away, fresh]) await caughtUp(follower, world)
    heard.push(first)
  }, 240_000)

  test('nothing was missing, came twice, or could not be made', () => {
    expect(stream.failures).toEqual([])
    for (const { folds } of [first, middle, away, fresh])
      for (const fold of folds.values()) {
        expect([fold.topic, fold.missing, fold.gaps, fold.repeated]).toEqual([fold.topic, [], [], []])
      }
  })

  test('who came back was told the same messages as who stayed', () => {
    for (const topic of PRIVATE_TOPIC_NAMES)
      expect([...away.folds.get(topic)!.event_ids].sort()).toEqual([...first.folds.get(topic)!.event_ids].sort())
  })

  test('orders: snapshot and events are a later snapshot, and REST', async () => {
    const rest = byId(await world.list(FOLLOWED, '/orders'), 'order_id')
    const working = (orders: Iterable<Resource>) => named([...orders].filter(isWorking), 'order_id')
    const now = working(fresh.folds.get('account.order')!.resources.values())
    for (const { folds } of [first, middle, away]) {
      const orders = [...folds.get('account.order')!.resources.values()]
      expect(working(orders)).toEqual(now)
      for (const order of orders) expect(order).toEqual(rest.get(String(order.order_id)))
    }
    expect(first.folds.get('account.order')!.resources.size).toBe(rest.size)
    expect(Object.keys(now)).toEqual([])
  })

  test('fills and adjustments: every one that REST has', async () => {
    const fills = await world.list(FOLLOWED, '/fills')
    const adjustments = await world.list(FOLLOWED, '/adjustments')
    for (const { folds } of [first, away]) {
      const heard = [...folds.get('account.fill')!.resources.values()]
      expect(
        named(
          heard.filter((one) => 'adjustment_id' in one),
          'adjustment_id',
        ),
      ).toEqual(named(adjustments, 'adjustment_id'))
      expect(named(heard.filter((one) => !('adjustment_id' in one)).map(recordOf), 'fill_id')).toEqual(
        named(fills.map(recordOf), 'fill_id'),
      )
    }
    expect(fresh.folds.get('account.fill')!.complete).toBe(true)
    const shown = [...fresh.folds.get('account.fill')!.resources.values()]
    expect(named(shown, 'fill_id')).toEqual(named(fills, 'fill_id'))
    const later = [...middle.folds.get('account.fill')!.resources.values()].filter((one) => !('adjustment_id' in one))
    expect(named(later.map(recordOf), 'fill_id')).toEqual(named(fills.map(recordOf), 'fill_id'))
  })

  test('positions, balances and the policy: as a later snapshot, and as REST', async () => {
    const rest = {
      'account.position': (await world.list(FOLLOWED, '/positions')).map(unmarked),
      'account.balance': (await world.get(FOLLOWED, '/balances')).data.map(unstamped),
      'account.risk': [(await world.get(FOLLOWED, '/account/policy')).data],
    }
    for (const topic of ['account.position', 'account.balance', 'account.risk'] as const) {
      const shape = topic === 'account.position' ? unmarked : unstamped
      for (const { folds } of [first, middle, away, fresh])
        expect([...folds.get(topic)!.resources.values()].map(shape).sort(byText)).toEqual([...rest[topic]].sort(byText))
    }
  })

  test('settlements: every state of REST, and those under way of a later snapshot', async () => {
    const rest = await world.list(FOLLOWED, '/settlements')
    for (const { folds } of [first, away])
      expect(named(folds.get('account.settlement')!.resources.values(), 'settlement_id')).toEqual(
        named(rest, 'settlement_id'),
      )
    const paid = rest.filter(({ kind }) => kind === 'resolution_payout')
    expect(
      paid.every(({ fill_ids, resolution_id }) => (fill_ids as unknown[]).length === 0 && resolution_id === 'res_1'),
    ).toBe(true)
    payouts += paid.length
    const open = rest.filter(({ state }) => ['pending', 'submitted', 'failed'].includes(String(state)))
    expect(named(fresh.folds.get('account.settlement')!.resources.values(), 'settlement_id')).toEqual(
      named(open, 'settlement_id'),
    )
    for (const one of middle.folds.get('account.settlement')!.resources.values())
      expect(one).toEqual(rest.find(({ settlement_id }) => settlement_id === one.settlement_id))
  })

  test('no message names another account, or anything of one', async () => {
    const foreign = await foreignIds(world)
    expect(foreign.length).toBeGreaterThan(50)
    const text = [first, middle, away, fresh].map(({ client }) => JSON.stringify(client.said)).join()
    expect(foreign.filter((id) => text.includes(`"${id}"`))).toEqual([])
  })
})

afterAll(async () => {
  for (const { world, stream } of worlds) {
    await stream.stop()
    await world.stop()
  }
})

test('the histories reach every kind of message that they are for', () => {
  const kinds = (topic: PrivateTopicName) => new Set(heard.flatMap(({ folds }) => [...folds.get(topic)!.kinds]))
  const missing = Object.entries(REACHED).flatMap(([topic, wanted]) =>
    wanted.filter((kind) => !kinds(topic as PrivateTopicName).has(kind)).map((kind) => `${topic} ${kind}`),
  )
  expect(missing).toEqual([])
  expect(payouts).toBeGreaterThan(0)
})

const REACHED: Readonly<Record<PrivateTopicName, readonly string[]>> = {
  'account.order': [
    'validated',
    'rejected',
    'open',
    'partially_filled',
    'filled',
    'cancel_pending',
    'canceled',
    'suspended',
  ],
  'account.fill': ['fill', 'adjustment'],
  'account.position': ['updated'],
  'account.balance': ['updated'],
  'account.settlement': ['pending', 'submitted', 'confirmed', 'failed', 'reversed'],
  'account.risk': ['updated'],
  // Histories have no market makers: test/api/private/market-makers.test.ts follows the topic.
  'account.protection': [],
}

/** Ids that only other accounts may see: theirs, and of their records. */
async function foreignIds({ pool }: StreamWorld): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT account_id AS id FROM trading.account WHERE account_id <> $1
     UNION ALL SELECT order_id FROM trading.orders WHERE account_id <> $1
     UNION ALL SELECT client_order_id FROM trading.orders WHERE account_id <> $1
     UNION ALL SELECT fill_id FROM trading.fill WHERE account_id <> $1
     UNION ALL SELECT settlement_id FROM trading.settlement WHERE account_id <> $1
     UNION ALL SELECT adjustment_id FROM trading.adjustment WHERE account_id <> $1
     UNION ALL SELECT signer FROM trading.orders WHERE account_id <> $1`,
    [FOLLOWED],
  )
  return rows.map(({ id }) => id)
}

const isWorking = ({ status }: Resource) =>
  ['open', 'partially_filled', 'cancel_pending', 'suspended'].includes(String(status))
const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

function byId(rows: Iterable<Resource>, field: string): Map<string, Resource> {
  return new Map([...rows].map((row) => [String(row[field]), row]))
}

function named(rows: Iterable<Resource>, field: string): Record<string, Resource> {
  const sorted = [...byId(rows, field)].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted)
}

/** A fill without what moves beside its record. */
function recordOf({ settlement_state: _, adjustment_ids: __, ...record }: Resource): Resource {
  return record
}

function unstamped({ as_of: _, ...rest }: Resource): Resource {
  return rest
}

/** A position without what marks move (the topic's known gap). */
function unmarked(position: Resource): Resource {
  const { mark_price, mark_observation_id, pricing_method, market_value, unrealized_pnl, ...rest } = unstamped(position)
  return rest
}

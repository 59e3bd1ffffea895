import type { Market } from '../../../protocol/resources/market.ts'
import type { Check, CheckContext } from '../check.ts'
import { NotOffered } from '../check.ts'
import { complementOf } from '../mirrored.ts'
import { NOW_FIELDS } from '../now-fields.ts'
import { StreamFollower, type StreamMessage, type Subscription } from '../stream-follower.ts'
import { isOwn } from '../world.ts'
import { beginRecordStreams } from './record-streams.ts'

const IGNORED = new Set(Object.keys(NOW_FIELDS))
const WELCOME_MS = 5_000
/** Time for the snapshots, and then for deltas. */
const SNAPSHOTS_MS = 1_000
const FOLLOWED_MS = 6_000

/** A22: the snapshot equals REST at the same seq; snapshot plus deltas equal REST later; labels too. */
export const STREAMS_AGREE: Check = {
  id: 'A22',
  title: 'Streams',
  compares:
    'snapshot of the stream and REST, then snapshot plus deltas and REST, of every topic; no subscription fails',
  share: 1,
  waits: true,
  async run(context) {
    const { base_url, open } = context
    if (open === null) throw new NotOffered('this platform has no websocket')
    const follower = new StreamFollower(base_url, open)
    try {
      const [states, records] = [await wantedOf(context), await beginRecordStreams(context)]
      const subscriptions = await follower.start([...states, ...records.wanted], WELCOME_MS)
      if (subscriptions === null) throw new NotOffered('the address has no stream')
      await follower.hear(SNAPSHOTS_MS)
      for (const one of subscriptions.slice(0, states.length)) await compareState(context, one, 'snapshot')
      const stays = await follower.hear(FOLLOWED_MS)
      for (const one of subscriptions.slice(0, states.length)) await compareState(context, one, 'event')
      await records.compare(subscriptions)
      compareCourse(context, subscriptions, stays)
    } finally {
      follower.close()
    }
  },
}

/** States of one subscription that are compared; an unfiltered one has many. */
const STATES_MAX = 4
const SHOWN = { snapshot: 'snapshot', event: 'snapshot and deltas' } as const

/** Compares the state after a message of a type with REST as of its published_at, by the fields that the stream keeps. */
async function compareState(context: CheckContext, one: Subscription, type: keyof typeof SHOWN): Promise<void> {
  const states = [...one.states].filter(([, state]) => state.type === type)
  if (one.refused !== null) return
  for (const [, state] of context.sampler.shuffled(states, ([key]) => key).slice(0, STATES_MAX)) {
    if (one.topic in RECORDS) await compareRecord(context, one, state)
    else await compareWhole(context, one, state, SHOWN[type])
  }
}

async function compareWhole(
  { ask, find }: CheckContext,
  one: Subscription,
  { data, seq, published_at }: StreamMessage,
  shown: string,
): Promise<void> {
  const [path, query] = addressOf(one, data)
  const rest = await ask.again<Readonly<Record<string, unknown>>>(path, { ...query, as_of: published_at })
  const request = `${shown} of ${one.topic} ${JSON.stringify(one.filter)} (seq ${seq})`
  const unkept = new Set(UNKEPT_BY_DELTAS.filter((name) => !(name in data)))
  find.equal(
    { request, value: data },
    { request: rest.request, value: rest.data ?? { code: rest.code } },
    new Set([...IGNORED, ...unkept]),
  )
}

/** Topics whose data is, or names, a record that has an address of its own, and the fields of the record in the data. */
const RECORDS: Readonly<Record<string, (data: Data) => { readonly path: string; readonly fields: readonly string[] }>> =
  {
    'index.status': ({ observation_id }) => ({
      path: `/observations/${observation_id}`,
      fields: ['index_id', 'observation_id', 'tick_at', 'published_at'],
    }),
    'index.rebalance': ({ index_id, index_version_id }) => ({
      path: `/indexes/${index_id}/versions/${index_version_id}`,
      fields: ['index_id', 'index_version_id', 'version', 'methodology_id', 'published_at'],
    }),
    'severity_index.value': ({ value_id }) => ({
      path: `/observations/${value_id}`,
      fields: ['severity_index_id', 'value_id', 'value', 'published_at'],
    }),
    'governance.notice': ({ notice_id }) => ({
      path: `/governance/notices/${notice_id}`,
      fields: ['notice_id', 'kind', 'title', 'text', 'published_at'],
    }),
    'market.trade': ({ trade_id }) => ({
      path: `/observations/${trade_id}`,
      fields: ['market_id', 'trade_id', 'price', 'quantity', 'source_at', 'received_at', 'published_at'],
    }),
  }
type Data = Readonly<Record<string, unknown>>

async function compareRecord({ ask, find }: CheckContext, one: Subscription, { type, data, seq }: StreamMessage) {
  const { path, fields } = RECORDS[one.topic]!(data)
  // An index without a level has a status and no record.
  if (path.endsWith('/null')) return
  const rest = await ask.again<Data>(path)
  const found = (rest.data?.record ?? rest.data) as Data | null
  const shown = (record: Data) => Object.fromEntries(fields.map((name) => [name, record[name]]))
  find.equal(
    { request: `${type} of ${one.topic} ${JSON.stringify(one.filter)} (seq ${seq})`, value: shown(data) },
    { request: rest.request, value: found === null ? { code: rest.code } : shown(found) },
  )
}

/** Every topic is served to the end: no subscription fails, each that has a state sends it, and the connection stays. */
function compareCourse({ find, world }: CheckContext, subscriptions: readonly Subscription[], stays: boolean): void {
  const expected = { request: 'a subscription of a listed topic', value: null }
  for (const { topic, filter, refused } of subscriptions)
    find.holds(
      refused !== 'INTERNAL_ERROR',
      'refused',
      { request: `${topic} ${JSON.stringify(filter)}`, value: refused },
      expected,
    )
  const asked = new Set(subscriptions.map(({ topic }) => topic))
  const unasked = world.capabilities.topics.map(({ topic }) => topic).filter((topic) => !asked.has(topic))
  for (const topic of unasked) find.lacks(`a subject of ${topic}`)
  find.holds(stays, 'connection', { request: 'stream', value: stays ? 'open' : 'closed' }, expected)
}

/** Fields of a book that quotes decide; they are no part of a delta (docs/stream.md, "Rebuild a book"). */
const UNKEPT_BY_DELTAS = ['confirmed_at', 'newer_quote_at']

function addressOf({ topic, filter }: Subscription, data: Data): [string, Record<string, string | number>] {
  if (topic === 'index.price') return [`/indexes/${filter.index_id}/price`, {}]
  if (topic === 'market.ticker') return [`/markets/${data.market_id}/price`, {}]
  return [`/markets/${filter.market_id}/orderbook`, { outcome_id: filter.outcome_id!, depth: 1000 }]
}

async function wantedOf({
  ask,
  world,
  sampler,
}: CheckContext): Promise<readonly Pick<Subscription, 'topic' | 'filter'>[]> {
  const indexes = sampler.shuffled((await world.indexes(ask)).data, ({ index_id }) => index_id)
  const markets = await world.priced(ask)
  const severity = await ask.list<{ readonly severity_index_id: string }>('/severity-indexes', { as_of: world.at }, 1)
  const some = [...markets.filter(isOwn).slice(0, 2), ...markets.filter((market) => !isOwn(market)).slice(0, 5)]
  return [
    { topic: 'market.ticker', filter: {} },
    { topic: 'governance.notice', filter: {} },
    ...indexes
      .slice(0, 5)
      .flatMap(({ index_id }) =>
        ['index.price', 'index.status', 'index.rebalance'].map((topic) => ({ topic, filter: { index_id } })),
      ),
    ...severity.data.slice(0, 2).map(({ severity_index_id }) => ({
      topic: 'severity_index.value',
      filter: { severity_index_id },
    })),
    ...some.filter(world.tradesArePublic).map(({ market_id }) => ({ topic: 'market.trade', filter: { market_id } })),
    ...some.flatMap((market) => [
      { topic: 'market.ticker', filter: { market_id: market.market_id } },
      ...followedBooks(market).map(({ outcome_id }) => {
        return { topic: 'market.orderbook', filter: { market_id: market.market_id, outcome_id } }
      }),
    ]),
  ]
}

/** Both mirrored books of a complementary market, else one. */
function followedBooks(market: Market): Market['outcomes'] {
  const [first, ...others] = market.outcomes
  return complementOf(market, first!.outcome_id) === null ? [first!] : [first!, ...others]
}

import type { Check, CheckContext } from '../check.ts'
import { NotOffered } from '../check.ts'
import { NOW_FIELDS } from '../now-fields.ts'
import { StreamFollower, type Subscription } from '../stream-follower.ts'
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
    'snapshot of the stream and REST, then snapshot plus deltas and REST, labels, ratings and severity included',
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
      await follower.hear(FOLLOWED_MS)
      for (const one of subscriptions.slice(0, states.length)) await compareState(context, one, 'event')
      await records.compare(subscriptions)
    } finally {
      follower.close()
    }
  },
}

const SHOWN = { snapshot: 'snapshot', event: 'snapshot and deltas' } as const

/** Compares the state after a message of a type with REST as of its published_at, by the fields that the stream keeps. */
async function compareState({ ask, find }: CheckContext, one: Subscription, type: keyof typeof SHOWN): Promise<void> {
  const [state] = one.states.values()
  if (one.refused !== null || state?.type !== type) return
  const { data, seq, published_at } = state
  const [path, query] = addressOf(one)
  const rest = await ask.again<Readonly<Record<string, unknown>>>(path, { ...query, as_of: published_at })
  const request = `${SHOWN[type]} of ${one.topic} ${JSON.stringify(one.filter)} (seq ${seq})`
  const unkept = new Set(UNKEPT_BY_DELTAS.filter((name) => !(name in data)))
  find.equal(
    { request, value: data },
    { request: rest.request, value: rest.data ?? { code: rest.code } },
    new Set([...IGNORED, ...unkept]),
  )
}

/** Fields of a book that quotes decide; they are no part of a delta (docs/stream.md, "Rebuild a book"). */
const UNKEPT_BY_DELTAS = ['confirmed_at', 'newer_quote_at']

function addressOf({ topic, filter }: Subscription): [string, Record<string, string | number>] {
  if (topic === 'index.price') return [`/indexes/${filter.index_id}/price`, {}]
  if (topic === 'market.ticker') return [`/markets/${filter.market_id}/price`, {}]
  return [`/markets/${filter.market_id}/orderbook`, { outcome_id: filter.outcome_id!, depth: 1000 }]
}

async function wantedOf({
  ask,
  world,
  sampler,
}: CheckContext): Promise<readonly Pick<Subscription, 'topic' | 'filter'>[]> {
  const indexes = sampler.shuffled((await world.indexes(ask)).data, ({ index_id }) => index_id)
  const markets = await world.priced(ask)
  const some = [...markets.filter(isOwn).slice(0, 2), ...markets.filter((market) => !isOwn(market)).slice(0, 5)]
  return [
    ...indexes.slice(0, 5).map(({ index_id }) => ({ topic: 'index.price', filter: { index_id } })),
    ...some.flatMap(({ market_id, outcomes }) => [
      { topic: 'market.ticker', filter: { market_id } },
      { topic: 'market.orderbook', filter: { market_id, outcome_id: outcomes[0]!.outcome_id } },
    ]),
  ]
}

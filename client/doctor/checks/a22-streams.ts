import type { Check, CheckContext } from '../check.ts'
import { NotOffered } from '../check.ts'
import { firstUnequal } from '../compare.ts'
import { NOW_FIELDS } from '../now-fields.ts'
import { StreamFollower, type Subscription } from '../stream-follower.ts'
import { isOwn } from '../world.ts'

const IGNORED = new Set([...Object.keys(NOW_FIELDS), 'freshness_ms'])
const WELCOME_MS = 5_000
/** Time for deltas between the two comparisons. */
const FOLLOWED_MS = 6_000
/** Attempts to read REST at the instant of the stream's state, and the time between them. */
const ATTEMPTS = 8
const ATTEMPT_MS = 400

/** A22: the snapshot equals REST at the same seq; snapshot plus deltas equal REST later; labels too. */
export const STREAMS_AGREE: Check = {
  id: 'A22',
  title: 'Streams',
  compares: 'snapshot of the stream and REST, then snapshot plus deltas and REST, labels included',
  share: 1,
  waits: true,
  async run(context) {
    const { base_url, open, pause } = context
    if (open === null) throw new NotOffered('this platform has no websocket')
    const follower = new StreamFollower(base_url, open)
    try {
      const subscriptions = await follower.start(await wantedOf(context), WELCOME_MS)
      if (subscriptions === null) throw new NotOffered('the address has no stream')
      await follower.hear(1_000)
      for (const one of subscriptions) await compareState(context, follower, one, 'snapshot')
      await follower.hear(Math.min(FOLLOWED_MS, FOLLOWED_MS))
      for (const one of subscriptions)
        if (one.messages > 1) await compareState(context, follower, one, 'snapshot and deltas')
      await pause(0)
    } finally {
      follower.close()
    }
  },
}

/** Compares with REST until both describe the same record, then field by field. */
async function compareState(
  context: CheckContext,
  follower: StreamFollower,
  one: Subscription,
  what: string,
): Promise<void> {
  const { ask, find } = context
  const request = `${what} of ${one.topic} ${JSON.stringify(one.filter)}`
  if (one.refused !== null || one.state === null) return
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const rest = await ask.again<Readonly<Record<string, unknown>>>(...addressOf(one))
    if (rest.status !== 200) return
    const { data } = one.state
    const same_record = recordOf(data) === recordOf(rest.data)
    if (same_record || attempt === ATTEMPTS - 1) {
      const found = firstUnequal(data, rest.data, IGNORED)
      if (found === null || attempt === ATTEMPTS - 1 || !isMoving(one)) {
        find.equal(
          { request: `${request} (seq ${one.state.seq})`, value: data },
          { request: rest.request, value: rest.data },
          IGNORED,
        )
        return
      }
    }
    if (!(await follower.hear(ATTEMPT_MS))) return
  }
}

/** Names the record that a state shows: equal names mean equal instants. */
function recordOf(data: Readonly<Record<string, unknown>>): string {
  const { observation_id, sequence, source_sequence, source_at, received_at, published_at } = data
  return JSON.stringify([observation_id, sequence, source_sequence, source_at, received_at, published_at])
}

/** A ticker carries marks, which may change between two of its messages. */
function isMoving({ topic }: Subscription): boolean {
  return topic === 'market.ticker'
}

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

import type { Query } from '../../http/query.ts'
import type { Check, CheckContext } from '../check.ts'
import { isOwn, later, recentPrices } from '../world.ts'

type Asked = { readonly path: string; readonly query?: Query; readonly code: string }
const MINUTE = 60_000_000

/** A5: an id of another parent is 404, with its own code, everywhere. */
export const PARENTS_AGREE: Check = {
  id: 'A5',
  title: 'Parents',
  compares: 'an id under another parent, and 404 with the code of the id',
  share: 1,
  async run(context) {
    for (const { path, query = {}, code } of await questionsOf(context)) {
      if (!context.more()) return
      const answer = await context.ask.again(path, query)
      context.find.equal(
        { request: answer.request, value: { status: answer.status, code: answer.code } },
        { request: 'docs/errors.md', value: { status: 404, code } },
      )
    }
  },
}

async function questionsOf(context: CheckContext): Promise<readonly Asked[]> {
  return [...(await ofMarkets(context)), ...(await ofIndexes(context))]
}

/** Outcomes and observations under another market of the same kind: once for markets listed here, once for others. */
async function ofMarkets({ ask, world }: CheckContext): Promise<Asked[]> {
  const markets = (await world.priced(ask)).filter(world.tradesArePublic)
  const pairs = [markets.filter(isOwn), markets.filter((market) => !isOwn(market))]
  const asked: Asked[] = []
  for (const [market, other] of pairs) {
    if (market === undefined || other === undefined) continue
    const base = `/markets/${market.market_id}`
    const query = { outcome_id: other.outcomes[0]!.outcome_id }
    const range = { start_time: later(world.at, -60 * MINUTE), end_time: world.at, interval: 'PT5M', field: 'bid' }
    const code = 'MARKET_OUTCOME_NOT_FOUND'
    asked.push({ path: `${base}/trades`, query, code }, { path: `${base}/prices`, query, code })
    asked.push(
      { path: `${base}/orderbook`, query, code },
      { path: `${base}/candles`, query: { ...query, ...range }, code },
    )
    const observation = (await recentPrices(ask, other, world.at))?.data[0]
    if (observation !== undefined)
      asked.push({ path: `${base}/prices/${observation.observation_id}`, code: 'OBSERVATION_NOT_FOUND' })
  }
  return asked
}

async function ofIndexes({ ask, world, sampler }: CheckContext): Promise<Asked[]> {
  const indexes = (await world.indexes(ask)).data.filter(({ active_version_id }) => active_version_id != null)
  const [index, other] = sampler.shuffled(indexes, ({ index_id }) => index_id)
  if (index === undefined || other === undefined) return []
  const version = `/indexes/${index.index_id}/versions/${other.active_version_id}`
  const code = 'INDEX_VERSION_NOT_FOUND'
  const price = await ask.get<{ observation_id: string }>(`/indexes/${other.index_id}/price`, { as_of: world.at })
  const observation = `/indexes/${index.index_id}/prices/${price.data?.observation_id}`
  return [
    { path: version, code },
    { path: `${version}/constituents`, code },
    ...(price.status === 200 ? [{ path: observation, code: 'OBSERVATION_NOT_FOUND' }] : []),
  ]
}

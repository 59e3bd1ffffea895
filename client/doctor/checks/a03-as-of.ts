import type { Query } from '../../http/query.ts'
import type { Answer, Asker } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import type { Side } from '../difference.ts'
import { NOW_FIELDS } from '../now-fields.ts'
import { isOwn } from '../world.ts'

type Question = { readonly path: string; readonly query: Query }
const IGNORED = new Set(Object.keys(NOW_FIELDS))
const PAUSE_MS = 1_500

/** A3: an answer read at T without as_of equals the answer with as_of = its meta.published_at, whenever it is asked. */
export const AS_OF_AGREES: Check = {
  id: 'A3',
  title: 'As of',
  compares: 'an answer without as_of, and the answer as of its meta.published_at, at once and later',
  share: 4,
  async run(context) {
    const asked: Answer[] = []
    for (const { path, query } of await questionsOf(context)) {
      if (!context.more()) break
      const now = await context.ask.again(path, query)
      if (now.status !== 200) {
        await compareRefused(context, now, path, query)
        continue
      }
      asked.push(now)
      await compareAsOf(context, now, path, query)
    }
    await context.pause(PAUSE_MS)
    for (const now of asked) {
      if (!context.more()) return
      await compareAsOf(context, now, ...targetOf(now.request))
    }
  },
}

async function compareAsOf({ ask, find }: CheckContext, now: Answer, path: string, query: Query): Promise<void> {
  const then = await ask.again(path, { ...query, as_of: now.meta.published_at })
  find.equal(sideOf(now), sideOf(then), IGNORED)
}

/** An answer that the service refuses now is refused as of the run's instant too, unless the record is younger than that. */
async function compareRefused({ ask, find, world }: CheckContext, now: Answer, path: string, query: Query) {
  if (now.status < 500) return
  const then = await ask.again(path, { ...query, as_of: world.at })
  find.holds(then.status >= 500, 'status', sideOf(now), sideOf(then))
}

function sideOf({ request, data, page, meta, code }: Answer): Side {
  const shown = page === null ? { data, meta } : { data, page: { has_more: page.has_more }, meta }
  return { request, value: code === null ? shown : { code } }
}

/** Returns path and query of a request line. */
function targetOf(request: string): [string, Query] {
  const url = new URL(request.slice('GET '.length), 'http://localhost')
  return [url.pathname.slice('/v1'.length), Object.fromEntries(url.searchParams)]
}

async function questionsOf({ ask, world, sampler }: CheckContext): Promise<readonly Question[]> {
  const markets = await world.priced(ask)
  const indexes = sampler.shuffled((await world.indexes(ask)).data, ({ index_id }) => index_id).slice(0, 4)
  const events = sampler.shuffled((await world.events(ask)).data, ({ event_id }) => event_id).slice(0, 2)
  const severity = await ask.get<readonly { severity_index_id: string }[]>('/severity-indexes', { as_of: world.at })
  const own = markets.filter(isOwn).slice(0, 3)
  const others = markets.filter((market) => !isOwn(market)).slice(0, 6)
  return [
    ...indexes.flatMap(({ index_id }) => [
      { path: `/indexes/${index_id}`, query: {} },
      { path: `/indexes/${index_id}/price`, query: {} },
      { path: `/indexes/${index_id}/versions`, query: {} },
    ]),
    ...(await Promise.all([...own, ...others].map((market) => ofMarket(ask, market, world.at)))).flat(),
    ...events.flatMap(({ event_id }) => [
      { path: `/events/${event_id}`, query: {} },
      { path: `/events/${event_id}/severity`, query: { assessment_type: 'observed' } },
    ]),
    ...(severity.data ?? []).map(({ severity_index_id }) => ({
      path: `/severity-indexes/${severity_index_id}/value`,
      query: {},
    })),
    { path: '/indexes', query: { limit: 1000 } },
    { path: '/markets', query: { limit: 50 } },
  ]
}

async function ofMarket(
  ask: Asker,
  market: { market_id: string; outcomes: readonly { outcome_id: string }[] },
  at: string,
) {
  const { market_id, outcomes } = market
  const outcome_id = outcomes[0]?.outcome_id
  const resolution = await ask.get(`/markets/${market_id}/resolution`, { as_of: at })
  return [
    { path: `/markets/${market_id}/price`, query: {} },
    { path: `/markets/${market_id}/orderbook`, query: { outcome_id } },
    { path: `/markets/${market_id}`, query: {} },
    { path: `/markets/${market_id}/rating`, query: {} },
    { path: `/markets/${market_id}/trades`, query: { limit: 20 } },
    ...(resolution.status === 200 ? [{ path: `/markets/${market_id}/resolution`, query: {} }] : []),
  ]
}

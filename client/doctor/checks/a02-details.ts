import type { Query } from '../../http/query.ts'
import type { Check, CheckContext } from '../check.ts'

type Item = Readonly<Record<string, string>>
/** A list, the address of the detail of its items, and fields that only the detail has. */
type Pair = {
  readonly list: string
  readonly query?: Query
  readonly id: string
  readonly detail: (id: string) => string
  readonly only_detail?: readonly string[]
}

const SAMPLED = 3

/** A2: an item of a list equals the answer of its detail endpoint at the same as_of. */
export const DETAILS_AGREE: Check = {
  id: 'A2',
  title: 'Details',
  compares: 'an item of a list, and its detail at the same as_of',
  share: 3,
  async run(context) {
    for (const pair of await pairsOf(context)) {
      if (!context.more()) return
      await comparePair(context, pair)
    }
  },
}

async function comparePair(
  { ask, find, world, sampler }: CheckContext,
  { list, query, id, detail, only_detail }: Pair,
) {
  const listed = await ask.get<readonly Item[]>(list, { ...query, as_of: world.at, limit: 200 })
  if (listed.status !== 200) return
  for (const item of sampler.shuffled(listed.data, (one) => String(one[id])).slice(0, SAMPLED)) {
    const answer = await ask.get(detail(encodeURIComponent(String(item[id]))), { as_of: world.at })
    const place = `${id} ${item[id]}`
    find.equal(
      { request: `${listed.request} (${place})`, value: item },
      { request: answer.request, value: answer.data },
      new Set(only_detail),
    )
  }
}

async function pairsOf({ ask, world, sampler }: CheckContext): Promise<readonly Pair[]> {
  const indexes = sampler.shuffled((await world.indexes(ask)).data, ({ index_id }) => index_id).slice(0, 2)
  const markets = (await world.priced(ask)).slice(0, 3)
  const events = sampler.shuffled((await world.events(ask)).data, ({ event_id }) => event_id).slice(0, 4)
  return [
    { list: '/indexes', id: 'index_id', detail: (id) => `/indexes/${id}` },
    { list: '/markets', id: 'market_id', detail: (id) => `/markets/${id}` },
    { list: '/events', id: 'event_id', detail: (id) => `/events/${id}` },
    ...indexes.flatMap(({ index_id }): Pair[] => [
      {
        list: `/indexes/${index_id}/versions`,
        id: 'index_version_id',
        detail: (id) => `/indexes/${index_id}/versions/${id}`,
      },
      {
        list: `/indexes/${index_id}/prices`,
        id: 'observation_id',
        detail: (id) => `/indexes/${index_id}/prices/${id}`,
      },
    ]),
    ...markets.map(
      ({ market_id }): Pair => ({
        list: `/markets/${market_id}/prices`,
        query: { time_domain: 'source' },
        id: 'observation_id',
        detail: (id) => `/markets/${market_id}/prices/${id}`,
        only_detail: ['quote'],
      }),
    ),
    ...events.map(
      ({ event_id }): Pair => ({
        list: `/events/${event_id}/severity-history`,
        id: 'assessment_id',
        detail: (id) => `/severity-assessments/${id}`,
      }),
    ),
  ]
}

import type { Constituent } from '../../../protocol/resources/constituent.ts'
import type { Index } from '../../../protocol/resources/index-resource.ts'
import type { Check, CheckContext } from '../check.ts'

type Item = Readonly<Record<string, unknown>>
/** A filter of a list: its parameter, the field's value in an item, and the id of an item. */
type Filter = {
  readonly path: string
  readonly parameter: string
  readonly id: string
  readonly values: (item: Item) => readonly unknown[]
}

const field = (name: string) => (item: Item) => [item[name]]
const inside = (outer: string, name: string) => (item: Item) => [(item[outer] as Item | null)?.[name]]
const list = (name: string) => (item: Item) => (item[name] ?? []) as readonly unknown[]

const FILTERS: readonly Filter[] = [
  { path: '/markets', parameter: 'status', id: 'market_id', values: field('status') },
  { path: '/markets', parameter: 'venue_id', id: 'market_id', values: inside('venue_mapping', 'venue_id') },
  { path: '/markets', parameter: 'eligibility_status', id: 'market_id', values: inside('eligibility', 'status') },
  { path: '/markets', parameter: 'event_id', id: 'market_id', values: field('event_id') },
  { path: '/markets', parameter: 'category', id: 'market_id', values: field('category') },
  { path: '/indexes', parameter: 'status', id: 'index_id', values: field('status') },
  { path: '/indexes', parameter: 'tag', id: 'index_id', values: list('tags') },
  { path: '/indexes', parameter: 'family', id: 'index_id', values: field('family') },
  { path: '/events', parameter: 'status', id: 'event_id', values: field('status') },
  { path: '/events', parameter: 'category', id: 'event_id', values: field('category') },
  { path: '/events', parameter: 'region', id: 'event_id', values: list('regions') },
]
/** Filters whose values are an enum: an unknown one is refused. */
const ENUMS = [
  '/markets?status',
  '/markets?outcome_type',
  '/markets?eligibility_status',
  '/indexes?status',
  '/events?status',
]
const VALUES_SAMPLED = 2

/** A4: a filter returns exactly the items that have the value; index and market name each other. */
export const FILTERS_AGREE: Check = {
  id: 'A4',
  title: 'Filters',
  compares: 'a filtered list, and the items of the whole list that have the value; index -> markets -> indexes',
  share: 3,
  async run(context) {
    await compareComposition(context)
    for (const filter of FILTERS) {
      if (!context.more()) return
      await compareFilter(context, filter)
    }
    for (const name of ENUMS) await unknownValue(context, name)
  },
}

async function compareFilter({ ask, find, world, sampler }: CheckContext, { path, parameter, id, values }: Filter) {
  const whole = await ask.list<Item>(path, { as_of: world.at }, 3)
  if (whole.status !== 200 || !whole.complete) return
  const known = [...new Set(whole.data.flatMap(values))].filter((value) => typeof value === 'string')
  for (const value of sampler.shuffled(known, String).slice(0, VALUES_SAMPLED)) {
    const filtered = await ask.list<Item>(path, { [parameter]: value, as_of: world.at }, 3)
    const expected = whole.data.filter((item) => values(item).includes(value)).map((item) => item[id])
    const found = filtered.data.map((item) => item[id])
    find.equal(
      { request: filtered.request, value: found },
      { request: whole.request, value: expected },
      new Set(),
      `${id} of ${parameter}=${value}: data`,
    )
  }
}

/** The markets of an index, legs of pools included, are those of `?index_id`, and each names the index by `?constituent_market_id`. */
async function compareComposition(context: CheckContext): Promise<void> {
  const { ask, find, world, sampler } = context
  const indexes = (await world.indexes(ask)).data.filter(({ active_version_id }) => active_version_id != null)
  for (const { index_id, active_version_id } of sampler.shuffled(indexes, (index) => index.index_id).slice(0, 4)) {
    const constituents = await constituentsAt(context, index_id, active_version_id)
    const stated = await ask.get<readonly Item[]>('/markets', { index_id, as_of: world.at, limit: 1000 })
    const served = stated.data.map(({ market_id }) => String(market_id)).sort()
    const markets = [...marketsOf(constituents.data)].sort()
    find.equal(
      { request: stated.request, value: served },
      { request: constituents.request, value: markets },
      new Set(),
      'market ids',
    )
    const [market_id] = sampler.shuffled(markets, String)
    if (market_id === undefined || !context.more()) continue
    const back = await ask.get<readonly Index[]>('/indexes', { constituent_market_id: market_id, as_of: world.at })
    const names = back.data.map((index) => index.index_id)
    const side = { request: constituents.request, value: `${index_id} has ${market_id}` }
    find.holds(names.includes(index_id), 'index ids', { request: back.request, value: names }, side)
  }
}

function constituentsAt({ ask, world }: CheckContext, index_id: string, version_id: string | null) {
  return ask.list<Constituent>(`/indexes/${index_id}/versions/${version_id}/constituents`, { as_of: world.at })
}

/** Returns the markets of constituents, those of their legs included. */
function marketsOf(constituents: readonly Constituent[]): ReadonlySet<string> {
  const ids = constituents.flatMap(({ market_id, legs }) => [market_id, ...legs.map((leg) => leg.market_id)])
  return new Set(ids.filter((id) => id !== null))
}

async function unknownValue({ ask, find }: CheckContext, name: string): Promise<void> {
  const [path, parameter] = name.split('?') as [string, string]
  const answer = await ask.again(path, { [parameter]: 'no_such_value' })
  find.holds(
    answer.status === 400,
    'status of an unknown value',
    { request: answer.request, value: answer.status },
    { request: 'docs/errors.md', value: 400 },
  )
}

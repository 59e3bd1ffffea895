import { bookPrices } from '../../../pipelines/market/price-view.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketObservation } from '../../../protocol/resources/market-price.ts'
import type { Listed } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { priceAt, recentPrices } from '../world.ts'

/** Fields that a venue states; the others are made from them. */
const STATED = ['bid', 'ask', 'last_trade', 'reported_probability']
const MIDPOINTS_SAMPLED = 3

/** A15: `derived: true` exactly where a value was derived, with its rule and with sources from which it can be derived again. */
export const DERIVED_AGREES: Check = {
  id: 'A15',
  title: 'Derived values',
  compares: 'derived, its rule and its sources, and the value derived again from those sources',
  share: 3,
  async run(context) {
    const { ask, world, more } = context
    for (const market of await world.priced(ask)) {
      if (!more()) return
      const recent = await recentPrices(ask, market, world.at)
      if (recent === null) continue
      compareFlags(context, recent)
      await compareMidpoints(context, market, recent)
      await compareView(context, market)
    }
  },
}

function compareFlags({ find }: CheckContext, recent: Listed<MarketObservation>): void {
  for (const { observation_id, field, derived, derivation_rule, source_observation_ids } of recent.data) {
    const first = {
      request: `${recent.request} (${observation_id})`,
      value: { derived, derivation_rule, sources: source_observation_ids.length },
    }
    const holds = derived ? derivation_rule !== null && source_observation_ids.length > 0 : derivation_rule === null
    const second = { request: 'a derived value names rule and sources, any other no rule', value: null }
    if (!find.holds(holds, `derived of ${field}`, first, second)) return
    const stated = {
      request: `field ${field} is ${STATED.includes(field) ? 'stated by the venue' : 'made from others'}`,
      value: !STATED.includes(field),
    }
    if (
      field !== 'mark' &&
      !find.holds(derived !== STATED.includes(field), `derived of ${field}`, { ...first, value: derived }, stated)
    )
      return
  }
}

async function compareMidpoints(
  { ask, find, sampler }: CheckContext,
  market: Market,
  recent: Listed<MarketObservation>,
) {
  const midpoints = recent.data.filter(({ field }) => field === 'midpoint')
  const by_id = new Map(recent.data.map((item) => [item.observation_id, item.value]))
  for (const item of sampler.shuffled(midpoints, ({ observation_id }) => observation_id).slice(0, MIDPOINTS_SAMPLED)) {
    const sourceValue = async (field: string) => {
      const id = item.source_observation_ids.find((one) => one.endsWith(`.${field}`))
      if (id === undefined) return null
      const known = by_id.get(id)
      if (known !== undefined) return known
      const found = await ask.get<MarketObservation>(`/markets/${market.market_id}/prices/${id}`, {
        as_of: item.published_at,
      })
      return found.data?.value ?? null
    }
    const value = bookPrices(await sourceValue('bid'), await sourceValue('ask'), false).midpoint
    const sources = item.source_observation_ids.join(', ')
    find.same(
      'midpoint',
      { request: `${recent.request} (${item.observation_id})`, value: item.value },
      { request: `mean of ${sources}`, value },
    )
  }
}

/** Sources that an outcome of the view names beside its mark's belong to the outcome shown, or to the one it derives from. */
async function compareView({ ask, find, world }: CheckContext, market: Market): Promise<void> {
  const view = await priceAt(ask, market, world.at)
  if (view.status !== 200) return
  for (const { outcome_id, derived, derivation_rule, source_observation_ids } of view.data.outcomes) {
    const first = {
      request: `${view.request} (outcome ${outcome_id})`,
      value: { derived, derivation_rule, source_observation_ids },
    }
    const holds = derived ? derivation_rule !== null && source_observation_ids.length > 0 : derivation_rule === null
    find.holds(holds, 'derived', first, {
      request: 'a derived value names rule and sources, any other no rule',
      value: null,
    })
  }
}

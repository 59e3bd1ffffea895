import { bookPrices, complementPrice } from '../../../pipelines/market/price-view.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketObservation } from '../../../protocol/resources/market-price.ts'
import { LADDER_RULE, QUOTE_FIELDS } from '../../../vocabulary/market.ts'
import type { Listed } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { complementOf, tapeOfOutcome } from '../mirrored.ts'
import { priceAt, recentPrices, tapeAt } from '../world.ts'

/** Fields that a venue states; the others are made from them. */
const STATED: readonly string[] = QUOTE_FIELDS
/** Fields of the top of a book. */
const MIRRORED: readonly string[] = ['bid', 'ask']
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
      await compareMirrored(context, market, recent)
      await compareTapes(context, market)
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
    // One outcome of a complementary market shows what is stated of the other.
    const is_mirrored = derivation_rule === LADDER_RULE && MIRRORED.includes(field)
    if (
      field !== 'mark' &&
      !is_mirrored &&
      !find.holds(derived !== STATED.includes(field), `derived of ${field}`, { ...first, value: derived }, stated)
    )
      return
  }
}

/** A bid that mirrors the other outcome is 1 minus the ask that it names, and the reverse. */
async function compareMirrored(
  { ask, find, sampler }: CheckContext,
  market: Market,
  recent: Listed<MarketObservation>,
): Promise<void> {
  const mirrored = recent.data.filter(({ derivation_rule }) => derivation_rule === LADDER_RULE)
  const shuffled = sampler.shuffled(mirrored, ({ observation_id }) => observation_id)
  for (const { observation_id, value, published_at, source_observation_ids } of shuffled.slice(0, MIDPOINTS_SAMPLED)) {
    const path = `/markets/${market.market_id}/prices/${source_observation_ids[0]}`
    const source = await ask.get<MarketObservation>(path, { as_of: published_at })
    const derived = source.data === null ? source.code : complementPrice(source.data.value)
    const stated = { request: `${recent.request} (${observation_id})`, value }
    if (!find.same('value', stated, { request: `1 - ${source.request}`, value: derived })) return
  }
}

/** The tape of one outcome is the tape of the market, with the trades of the other outcome that met its orders as derived. */
async function compareTapes({ ask, find, world }: CheckContext, market: Market): Promise<void> {
  const complementary = market.outcomes.filter(({ outcome_id }) => complementOf(market, outcome_id) !== null)
  if (complementary.length === 0) return
  const whole = await tapeAt(ask, market, world.at)
  if (whole.status !== 200 || !whole.complete) return
  for (const { outcome_id } of complementary) {
    const tape = await tapeAt(ask, market, world.at, outcome_id)
    const expected = tapeOfOutcome(whole.data, market, outcome_id)
    if (!find.equal({ request: tape.request, value: tape.data }, { request: whole.request, value: expected })) return
  }
}

async function compareMidpoints(
  context: CheckContext,
  market: Market,
  recent: Listed<MarketObservation>,
): Promise<void> {
  const midpoints = recent.data.filter(({ field }) => field === 'midpoint')
  const shuffled = context.sampler.shuffled(midpoints, ({ observation_id }) => observation_id)
  for (const { observation_id, value, published_at, source_observation_ids } of shuffled.slice(0, MIDPOINTS_SAMPLED)) {
    const stated = { request: `${recent.request} (${observation_id})`, value, as_of: published_at }
    await compareMean(context, market, stated, source_observation_ids)
  }
}

/** Rule and sources of a computed value of the view. */
type Derivation = {
  readonly field: string
  readonly derivation_rule: string | null
  readonly source_observation_ids: readonly string[]
}

/** Every computed value of the view names its rule; a midpoint is the mean of the sources that it names. */
async function compareView(context: CheckContext, market: Market): Promise<void> {
  const { ask, find, world } = context
  const view = await priceAt(ask, market, world.at)
  if (view.status !== 200) return
  for (const outcome of view.data.outcomes) {
    const { outcome_id, derived, derivation_rule } = outcome
    const request = `${view.request} (outcome ${outcome_id})`
    const rule = { request: 'a derived value names its rule, any other has none', value: null }
    find.holds(
      derived === (derivation_rule !== null),
      'derived',
      { request, value: { derived, derivation_rule } },
      rule,
    )
    const { derivations = [] } = outcome as { derivations?: readonly Derivation[] }
    for (const one of derivations) {
      const value = (outcome as Readonly<Record<string, unknown>>)[one.field]
      find.holds(
        value != null && one.derivation_rule !== null,
        `derivations: ${one.field}`,
        { request, value },
        { request, value: one },
      )
      if (one.field === 'midpoint' && typeof value === 'string')
        await compareMean(context, market, { request, value, as_of: world.at }, one.source_observation_ids)
    }
  }
}

type Stated = { readonly request: string; readonly value: string; readonly as_of: string }

/** Compares a midpoint with the mean of the bid and the ask that it names. */
async function compareMean(
  { ask, find }: CheckContext,
  market: Market,
  stated: Stated,
  sources: readonly string[],
): Promise<void> {
  const read = async (field: string) => {
    const id = sources.find((one) => one.endsWith(`.${field}`))
    if (id === undefined) return null
    const found = await ask.get<MarketObservation>(`/markets/${market.market_id}/prices/${id}`, { as_of: stated.as_of })
    return found.data?.value ?? null
  }
  const [bid, best] = [await read('bid'), await read('ask')]
  // An order book that is named by its own id, and prices that are not stored yet, cannot be read by an observation id.
  if (bid === null && best === null && sources.every((id) => !/^obs_\w+\.(bid|ask)$/.test(id))) return
  const { midpoint } = bookPrices(bid, best, false)
  find.same('midpoint', stated, { request: `mean of ${sources.join(', ')}`, value: midpoint })
}

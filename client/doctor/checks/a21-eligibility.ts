import type { Constituent } from '../../../protocol/resources/constituent.ts'
import type { IndexVersion } from '../../../protocol/resources/index-version.ts'
import type { MarketRating } from '../../../protocol/resources/market-rating.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'

/** The policy that decides by the terms of a market's source alone. */
const SOURCE_TERMS = 'pol_source_terms'
const INDEXES_MAX = 6

/** A21: eligibility follows from its policy; constituents were eligible when selected, and name the rating they were selected under. */
export const ELIGIBILITY_AGREES: Check = {
  id: 'A21',
  title: 'Eligibility',
  compares:
    'eligibility of a market, and the terms of its venue; constituents of a version, and their markets and ratings',
  share: 2,
  async run(context) {
    await compareMarkets(context)
    const { ask, world, sampler, more } = context
    for (const { index_id } of sampler
      .shuffled((await world.indexes(ask)).data, (index) => index.index_id)
      .slice(0, INDEXES_MAX)) {
      if (!more()) return
      const versions = await ask.list<IndexVersion>(`/indexes/${index_id}/versions`, { as_of: world.at })
      for (const version of versions.data ?? []) await compareVersion(context, version)
    }
  },
}

async function compareMarkets({ ask, find, world }: CheckContext): Promise<void> {
  const markets = await world.markets(ask)
  const terms = new Map(world.capabilities.venues.map(({ venue_id, index_eligible }) => [venue_id, index_eligible]))
  for (const { market_id, venue_mapping, eligibility } of markets.data) {
    const permitted = terms.get(venue_mapping?.venue_id ?? '')
    if (eligibility === null || eligibility.policy_id !== SOURCE_TERMS || permitted === undefined) continue
    const first = { request: `${markets.request} (${market_id})`, value: eligibility.status }
    const second = {
      request: 'GET /v1/capabilities: index_eligible of the venue',
      value: permitted ? 'eligible' : 'ineligible',
    }
    find.same('eligibility.status', first, second)
    const reasons = eligibility.reason_codes.length
    find.holds(
      permitted === (reasons === 0),
      'eligibility.reason_codes',
      { ...first, value: eligibility.reason_codes },
      second,
    )
  }
}

async function compareVersion(
  context: CheckContext,
  { index_id, index_version_id, definition }: IndexVersion,
): Promise<void> {
  const { ask, find, world } = context
  const path = `/indexes/${index_id}/versions/${index_version_id}/constituents`
  const constituents = await ask.list<Constituent>(path, { as_of: world.at })
  const weighting = definition.weighting as { rating_multiplier?: boolean } | undefined
  for (const one of constituents.data ?? []) {
    const request = `${constituents.request} (${one.constituent_id})`
    find.same(
      'eligibility_status',
      { request, value: one.eligibility_status },
      { request: 'rule for constituents', value: 'eligible' },
    )
    if (one.rating_assessment_id_at_selection !== null) await compareRating(context, request, one)
    else if (weighting?.rating_multiplier === true)
      find.holds(
        false,
        'rating_assessment_id_at_selection',
        { request, value: null },
        { request: 'definition.weighting.rating_multiplier', value: true },
      )
  }
}

async function compareRating({ ask, find, world }: CheckContext, request: string, one: Constituent): Promise<void> {
  const path = `/markets/${one.market_id}/ratings`
  const ratings: Answer<readonly MarketRating[]> = await ask.get(path, {
    include_corrections: true,
    as_of: world.at,
    limit: 1000,
  })
  const ids = (ratings.data ?? []).map(({ rating_id }) => rating_id)
  const wanted = one.rating_assessment_id_at_selection
  find.holds(
    ids.includes(wanted),
    'rating_assessment_id_at_selection',
    { request, value: wanted },
    { request: ratings.request, value: ids.length },
  )
}

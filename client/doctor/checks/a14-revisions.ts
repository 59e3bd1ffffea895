import type { IndexObservation } from '../../../protocol/resources/index-observation.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { MarketObservation } from '../../../protocol/resources/market-price.ts'
import type { Resolution } from '../../../protocol/resources/resolution.ts'
import type { Trade } from '../../../protocol/resources/trade.ts'
import type { Asker, Listed } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { firstUnequal } from '../compare.ts'
import type { Side } from '../difference.ts'
import { recentPrices } from '../world.ts'

/** Reason of revisions that older versions made of a value that was only confirmed. */
const CONFIRMED = 'CONFIRMED'
/** Fields that a revision may change without being one: names, clocks and the chain itself. */
const LEVEL_FIELDS = [
  'level',
  'quality_state',
  'coverage_ratio',
  'confidence',
  'reason_codes',
  'missing_constituent_ids',
  'excluded_inputs',
  'input_observation_ids',
  'methodology_version',
  'index_version_id',
  'link_factor',
]
const RESOLUTION_FIELDS = ['winning_outcome_ids', 'payouts', 'finality', 'resolved_at', 'dispute_window_ends_at']
const SAMPLED = 4

/** A14: a revision above 1 differs from what it supersedes in an economic field. */
export const REVISIONS_AGREE: Check = {
  id: 'A14',
  title: 'Revisions',
  compares: 'a revision, and the record that it supersedes',
  share: 3,
  async run(context) {
    const { ask, world, sampler, more } = context
    for (const market of await world.priced(ask)) {
      if (!more()) return
      const recent = await recentPrices(ask, market, world.at)
      if (recent !== null) await compareObservations(context, market, recent)
      if (market.status === 'resolved' || market.status === 'resolving' || market.status === 'voided')
        await compareResolutions(context, market)
    }
    for (const { index_id } of sampler.shuffled((await world.indexes(ask)).data, (index) => index.index_id)) {
      if (!more()) return
      await compareLevels(context, index_id)
    }
  },
}

/** An observation is one value of a quote: another value of the same quote may be what changed. */
async function compareObservations(
  context: CheckContext,
  market: Market,
  recent: Listed<MarketObservation>,
): Promise<void> {
  const { ask, find, sampler } = context
  const by_id = new Map(recent.data.map((item) => [item.observation_id, item]))
  const revised = recent.data.filter(({ supersedes_id, revision }) => revision > 1 && supersedes_id !== null)
  for (const item of sampler.shuffled(revised, ({ observation_id }) => observation_id).slice(0, SAMPLED)) {
    const before = by_id.get(item.supersedes_id!)
    if (before !== undefined && before.value !== item.value) {
      find.holds(true, 'value', { request: recent.request, value: null }, { request: recent.request, value: null })
      continue
    }
    const [now, then] = await Promise.all(
      [item.observation_id, item.supersedes_id!].map((id) => economicRecord(ask, market.market_id, id)),
    )
    if (now === undefined || then === undefined || now.value === null || then.value === null) continue
    const changed = firstUnequal(now.value, then.value) !== null
    if (!changed && item.correction_reason === CONFIRMED && context.isLegacy(item.published_at))
      find.legacy('revisions that only confirm')
    else find.holds(changed, `revision ${item.revision}, ${item.correction_reason}`, now, then)
  }
}

/**
 * Returns what a revision may change: of a trade its terms, of an observed value the quote that contains it, of a derived one what it
 * derives from and its label.
 */
async function economicRecord(ask: Asker, market_id: string, id: string): Promise<Side> {
  if (id.startsWith('trd_')) {
    const found = await ask.get<{ record: Trade }>(`/observations/${id.replace(/\.last_trade$/, '')}`)
    if (found.status !== 200) return { request: found.request, value: null }
    const { price, quantity, aggressor_side, source_at, correction } = found.data.record
    const kind = correction?.kind === 'void' ? 'void' : null
    return { request: found.request, value: { price, quantity, aggressor_side, source_at, kind } }
  }
  const { status, data, request } = await ask.get<MarketObservation>(`/markets/${market_id}/prices/${id}`)
  if (status !== 200) return { request, value: null }
  if (data.quote != null) return { request, value: { value: data.value, quote: { ...data.quote, confirmed_at: null } } }
  const { value, derivation_rule, source_observation_ids, quality_state, source_at } = data
  return { request, value: { value, derivation_rule, source_observation_ids, quality_state, source_at } }
}

async function compareResolutions(context: CheckContext, { market_id }: Market): Promise<void> {
  const { ask, world } = context
  const path = `/markets/${market_id}/resolution`
  const newest = await ask.get<Resolution>(path, { as_of: world.at })
  const chain = newest.meta.correction_chain ?? []
  const revisions = await Promise.all(
    chain.slice(-6).map((evidence_id) => ask.get<Resolution>(path, { evidence_id, as_of: world.at })),
  )
  const named = new Map(
    revisions.flatMap((answer, i) =>
      answer.status === 200 && answer.data.resolution_id === chain.slice(-6)[i]
        ? [[answer.data.resolution_id, answer] as const]
        : [],
    ),
  )
  for (const [, now] of named) {
    const then = named.get(now.data.supersedes_id ?? '')
    if (then !== undefined) compareFields(context, now.request, now.data, then.request, then.data, RESOLUTION_FIELDS)
  }
}

async function compareLevels(context: CheckContext, index_id: string): Promise<void> {
  const { ask, world } = context
  const levels = await ask.list<IndexObservation>(
    `/indexes/${index_id}/prices`,
    { include_corrections: true, as_of: world.at },
    2,
  )
  const by_id = new Map((levels.data ?? []).map((item) => [item.observation_id, item]))
  for (const item of by_id.values()) {
    const before = by_id.get(item.supersedes_id ?? '')
    if (before !== undefined) compareFields(context, levels.request, item, levels.request, before, LEVEL_FIELDS)
  }
}

type Revised = { readonly revision: number; readonly correction_reason: string | null; readonly published_at: string }

function compareFields(
  context: CheckContext,
  request: string,
  now: Revised,
  before_request: string,
  before: Revised,
  names: readonly string[],
) {
  const { find } = context
  const pick = (record: object) =>
    Object.fromEntries(names.map((name) => [name, (record as Record<string, unknown>)[name]]))
  const changed = firstUnequal(pick(now), pick(before)) !== null
  if (!changed && now.correction_reason === CONFIRMED && context.isLegacy(now.published_at))
    return find.legacy('revisions that only confirm')
  find.holds(
    changed,
    `revision ${now.revision}, ${now.correction_reason}`,
    { request, value: pick(now) },
    { request: before_request, value: pick(before) },
  )
}

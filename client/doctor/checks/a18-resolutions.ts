import type { Market } from '../../../protocol/resources/market.ts'
import type { Resolution } from '../../../protocol/resources/resolution.ts'
import { ENDED_STATUSES } from '../../../vocabulary/market.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import { compareAlone } from './a13-immutable.ts'

/** Statuses of a market whose current resolution has a finality; null: its venue states none (docs/archives.md). */
const STATUSES: Readonly<Record<string, readonly (string | null)[]>> = {
  final: ENDED_STATUSES,
  proposed: ['resolving', 'closed', null],
  disputed: ['resolving', 'closed', null],
}
const MARKETS_MAX = 12

/** A18: payouts and status of a market equal its current resolution, whose chain has every revision. */
export const RESOLUTIONS_AGREE: Check = {
  id: 'A18',
  title: 'Resolutions',
  compares:
    'payout_value and status of a market, and its current resolution; the revisions of its chain; the resolution by its id alone',
  share: 2,
  async run(context) {
    const { ask, world, sampler, more } = context
    const markets = (await world.markets(ask)).data.filter(({ status }) => status !== 'scheduled')
    const group = ({ venue_mapping, status }: Market) => `${venue_mapping?.venue_id} ${status}`
    for (const market of sampler.spread(markets, MARKETS_MAX, ({ market_id }) => market_id, group)) {
      if (!more()) return
      const found = await ask.get<Resolution>(`/markets/${market.market_id}/resolution`, { as_of: world.at })
      if (found.status === 200) {
        compareMarket(context, market, found)
        await compareAlone(context, found, { kind: 'resolution', id: found.data.resolution_id, record: found.data })
        await compareChain(context, market, found)
      } else comparePayouts(context, market, found, new Map())
    }
  },
}

function compareMarket(context: CheckContext, market: Market, found: Answer<Resolution>): void {
  const { finality, payouts } = found.data
  const settled =
    finality === 'final' ? new Map(payouts.map(({ outcome_id, payout }) => [outcome_id, payout])) : new Map()
  comparePayouts(context, market, found, settled)
  const expected = STATUSES[finality]
  const first = { request: marketRequest(context, market), value: market.status }
  if (expected !== undefined)
    context.find.holds(expected.includes(market.status), 'status', first, {
      request: found.request,
      value: `${finality}: ${expected.map((status) => status ?? 'null').join(', ')}`,
    })
}

function comparePayouts(
  context: CheckContext,
  market: Market,
  found: Answer,
  payouts: ReadonlyMap<string, string>,
): void {
  for (const { outcome_id, payout_value } of market.outcomes) {
    const first = { request: `${marketRequest(context, market)} (outcome ${outcome_id})`, value: payout_value }
    const second = { request: found.request, value: payouts.get(outcome_id) ?? null }
    if (!context.find.same('payout_value', first, second)) return
  }
}

/** Revisions are numbered without a gap, and each supersedes the one before. */
async function compareChain(
  { ask, find, world }: CheckContext,
  { market_id }: Market,
  newest: Answer<Resolution>,
): Promise<void> {
  const chain = newest.meta.correction_chain ?? []
  const { resolution_id, revision } = newest.data
  find.holds(
    chain.includes(resolution_id),
    'meta.correction_chain',
    { request: newest.request, value: chain },
    { request: newest.request, value: resolution_id },
  )
  find.holds(
    chain.length >= revision,
    'meta.correction_chain',
    { request: newest.request, value: chain.length },
    { request: `${newest.request}: revision`, value: revision },
  )
  for (const id of chain.slice(-4)) {
    const found = await ask.get<Resolution>(`/markets/${market_id}/resolution`, { evidence_id: id, as_of: world.at })
    const { evidence } = found.data ?? { evidence: [] }
    const names =
      found.status === 200 ? [found.data.resolution_id, ...evidence.map(({ evidence_id }) => evidence_id)] : []
    // A revision that rests on evidence of its own is read by that evidence.
    if (found.status === 404 && found.code === 'RESOLUTION_NOT_FOUND')
      find.lacks('revisions of a resolution by their id')
    else
      find.holds(
        names.includes(id),
        'resolution_id',
        { request: newest.request, value: id },
        { request: found.request, value: names },
      )
  }
}

function marketRequest({ world }: CheckContext, { market_id }: Market): string {
  return `GET /v1/markets/${market_id}?as_of=${world.at}`
}

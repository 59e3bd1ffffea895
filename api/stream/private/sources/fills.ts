import { invariant } from '../../../../primitives/errors.ts'
import type { Micros } from '../../../../primitives/instants.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import type { FillEvent } from '../../../../trading/engine/events.ts'
import { adjustmentResource } from '../../../../trading/projections/adjustment.ts'
import { type FillLinks, fillResource } from '../../../../trading/projections/fill.ts'
import type { FillRow } from '../../../../trading/projections/rows.ts'
import type { StreamView } from '../../../../trading/store/read/stream-reads.ts'
import { type Content, eventsOf, type PrivateSource } from '../content.ts'

/** account.fill: every new fill, and every adjustment of a fill. */
export const FILLS: PrivateSource = {
  topic: 'account.fill',
  event_kinds: ['fill', 'adjustment'],
  sees_one_state: false,
  snapshot_max: PRIVATE_STREAM.snapshot_fills_max,
  async ofEvents(view, events) {
    const fills = eventsOf(events, 'fill').map(({ event }) => event)
    const adjustments = eventsOf(events, 'adjustment').map(({ event }) => event.adjustment_id)
    const of_fills = fills.length === 0 ? [] : await ofFills(view, fills)
    const of_adjustments = adjustments.length === 0 ? [] : await ofAdjustments(view, adjustments)
    const contents = [...of_fills, ...of_adjustments].sort((a, b) => a.seq - b.seq)
    invariant(contents.length === events.length, 'fills and adjustments were written with their events')
    return contents
  },
  async ofSnapshot(view, { account_id, market_id }, limit, head) {
    const rows = await view.newestFills(account_id, market_id, limit)
    return [...rows].reverse().map((row) => {
      const { market_terms: terms, settlement_state, adjustment_ids } = row
      return contentOf(row, { terms, settlement_state, adjustment_ids }, 'snapshot', head.engine_sequence, head.at)
    })
  },
}

async function ofFills(view: StreamView, fills: readonly FillEvent[]): Promise<Content[]> {
  const terms_of = await view.marketTerms(fills.map(({ market_id }) => market_id))
  const facts = await view.fillFacts(fills.map(({ fill_id }) => fill_id))
  const facts_of = new Map(facts.map((row) => [row.fill_id, row]))
  return fills.map((event) => {
    const [row, terms] = [facts_of.get(event.fill_id), terms_of.get(event.market_id)]
    invariant(row !== undefined && terms !== undefined, `fill ${event.fill_id} was written with its event`)
    const links = { terms, settlement_state: 'pending', adjustment_ids: [] }
    const { client_order_id, fee_rate, schedule_id, schedule_version } = row
    const { segments = null, closed_quantity = null, closing_fee = null } = event
    const split = { segments, closed_quantity, closing_fee }
    const fill = { ...event, ...split, client_order_id, fee_rate, schedule_id, schedule_version }
    return contentOf(fill, links, 'fill', event.engine_sequence)
  })
}

async function ofAdjustments(view: StreamView, ids: readonly string[]): Promise<Content[]> {
  return (await view.adjustments(ids)).map((row) => {
    const { account_id, market_id, engine_sequence, adjustment_id, published_at: at } = row
    const data = JSON.stringify(adjustmentResource(row, row.market_terms))
    const place = { seq: engine_sequence, engine_sequence, projection_version: 1, at, resource_id: adjustment_id }
    return { topic: 'account.fill', account_id, market_id, kind: 'adjustment', ...place, data }
  })
}

function contentOf(row: FillRow, links: FillLinks, kind: string, seq: number, at: Micros = row.at): Content {
  const { account_id, market_id, engine_sequence, fill_id } = row
  const place = { seq, engine_sequence, projection_version: 1, at, resource_id: fill_id }
  return {
    topic: 'account.fill',
    account_id,
    market_id,
    kind,
    ...place,
    data: JSON.stringify(fillResource(row, links)),
  }
}

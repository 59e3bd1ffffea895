import { invariant } from '../../../../primitives/errors.ts'
import type { Micros } from '../../../../primitives/instants.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import { adjustmentResource } from '../../../../trading/projections/adjustment.ts'
import { type FillLinks, fillResource } from '../../../../trading/projections/fill.ts'
import type { FillBare } from '../../../../trading/store/read/stream-reads.ts'
import { type Content, eventsOf, type PrivateSource } from '../content.ts'

/** account.fill: every fill as it comes to be, and every adjustment of one. */
export const FILLS: PrivateSource = {
  topic: 'account.fill',
  event_kinds: ['fill', 'adjustment'],
  snapshot_max: PRIVATE_STREAM.snapshot_fills_max,
  async ofEvents(view, events) {
    const fills = await view.fills(eventsOf(events, 'fill').map(({ event }) => event.fill_id))
    const adjustments = await view.adjustments(eventsOf(events, 'adjustment').map(({ event }) => event.adjustment_id))
    const of_fills = fills.map((row) => {
      const links = { terms: row.market_terms, settlement_state: 'pending', adjustment_ids: [] }
      return contentOf(row, links, 'fill', row.engine_sequence)
    })
    const of_adjustments = adjustments.map((row): Content => {
      const { account_id, market_id, engine_sequence, adjustment_id, published_at: at } = row
      const data = JSON.stringify(adjustmentResource(row, row.market_terms))
      const place = { seq: engine_sequence, engine_sequence, projection_version: 1, at, resource_id: adjustment_id }
      return { topic: 'account.fill', account_id, market_id, kind: 'adjustment', ...place, data }
    })
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

function contentOf(row: FillBare, links: FillLinks, kind: string, seq: number, at: Micros = row.at): Content {
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

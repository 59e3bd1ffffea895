import { invariant } from '../../../../primitives/errors.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import { type OrderFixed, type OrderMoves, orderResource } from '../../../../trading/projections/order.ts'
import { movesAt } from '../../../../trading/projections/order-at.ts'
import type { OrderRead } from '../../../../trading/store/read/trading-reads.ts'
import { type Content, eventsOf, type PrivateSource } from '../content.ts'

/** account.order: every event of an order. Signed fields are read from the database, changing ones come with the event. */
export const ORDERS: PrivateSource = {
  topic: 'account.order',
  event_kinds: ['order'],
  sees_one_state: false,
  snapshot_max: PRIVATE_STREAM.snapshot_max,
  async ofEvents(view, all, memory) {
    const events = eventsOf(all, 'order')
    const rows = await view.orders([...new Set(events.map(({ event }) => event.order_id))])
    const by_id = new Map(rows.map((row) => [row.order_id, row]))
    return events.map(({ event, batch_sequence }) => {
      const row = by_id.get(event.order_id)
      invariant(row !== undefined, `order ${event.order_id} was written with its event`)
      return contentOf(
        row,
        movesAt(row, event, memory.after(batch_sequence, event)),
        event.status,
        event.engine_sequence,
      )
    })
  },
  async ofSnapshot(view, { account_id, market_id }, limit, { engine_sequence }) {
    const rows = await view.workingOrders(account_id, market_id, limit)
    return [...rows].reverse().map((row) => contentOf(row, row, 'snapshot', engine_sequence))
  },
}

type Shown = OrderFixed & Pick<OrderRead, 'asset_scale'>

function contentOf(row: Shown, moves: OrderMoves, kind: string, seq: number): Content {
  const { account_id, market_id, order_id } = row
  const { engine_sequence, version, updated_at } = moves
  const data = JSON.stringify(orderResource(row, row.asset_scale, moves))
  const place = { seq, engine_sequence, projection_version: version, at: updated_at, resource_id: order_id }
  return { topic: 'account.order', account_id, market_id, kind, ...place, data }
}

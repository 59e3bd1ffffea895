import { invariant } from '../../../../primitives/errors.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import { type SettlementWhole, settlementResource } from '../../../../trading/projections/settlement.ts'
import { settlementAt } from '../../../../trading/projections/settlement-at.ts'
import type { Content, PlacedEngineEvent, PrivateSource } from '../content.ts'

/** account.settlement: each settlement from its fill on (or from the resolution that pays it), and every change of one. */
export const SETTLEMENTS: PrivateSource = {
  topic: 'account.settlement',
  event_kinds: ['fill', 'settlement'],
  // A settlement's row contains its adjustments, which are read after it.
  sees_one_state: true,
  snapshot_max: PRIVATE_STREAM.snapshot_max,
  async ofEvents(view, events) {
    const places = events.map(placeOf)
    const found = await view.settlements([...new Set(places.map(({ settlement_id }) => settlement_id))])
    const by_id = new Map(found.map((whole) => [whole.row.settlement_id, whole]))
    return places.map(({ settlement_id, projection_version, event }) => {
      const whole = by_id.get(settlement_id)
      invariant(whole !== undefined, `settlement ${settlement_id} was written with its event`)
      const then = settlementAt(whole, event, projection_version)
      return contentOf(then, then.row.state, event.engine_sequence)
    })
  },
  async ofSnapshot(view, { account_id, market_id }, limit, { engine_sequence }) {
    const found = await view.openSettlements(account_id, market_id, limit)
    return [...found].reverse().map((whole) => contentOf(whole, 'snapshot', engine_sequence))
  },
}

/** A fill's settlement begins with it, at its first version. */
function placeOf({ event }: PlacedEngineEvent) {
  invariant(event.kind === 'fill' || event.kind === 'settlement', `${event.kind} is an event of a settlement`)
  const projection_version = event.kind === 'fill' ? 1 : event.projection_version
  return { settlement_id: event.settlement_id, projection_version, event }
}

function contentOf(whole: SettlementWhole, kind: string, seq: number): Content {
  const settlement = settlementResource(whole)
  const { account_id, market_id, engine_sequence, projection_version, settlement_id } = settlement
  const place = { seq, engine_sequence, projection_version, at: whole.row.updated_at, resource_id: settlement_id }
  return { topic: 'account.settlement', account_id, market_id, kind, ...place, data: JSON.stringify(settlement) }
}

import { invariant } from '../../../../primitives/errors.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import type { Balance } from '../../../../protocol/resources/balance.ts'
import type { PrivateTopicName } from '../../../../protocol/stream/private-topics.ts'
import { balanceResource } from '../../../../trading/projections/balance.ts'
import { type Content, eventsOf, type PrivateSource } from '../content.ts'
import { FILLS } from './fills.ts'
import { ORDERS } from './orders.ts'
import { POSITIONS } from './positions.ts'
import { PROTECTIONS_OF_MAKERS } from './protections.ts'
import { RISK } from './risk.ts'
import { SETTLEMENTS } from './settlements.ts'

/** account.balance: each balance after a batch. Its engine_sequence is that of the batch's last event, as in REST. */
const BALANCES: PrivateSource = {
  topic: 'account.balance',
  event_kinds: ['balance'],
  sees_one_state: false,
  snapshot_max: PRIVATE_STREAM.snapshot_max,
  async ofEvents(view, all) {
    const events = eventsOf(all, 'balance')
    const scales = await view.assetScales(events.map(({ event }) => event.asset_id))
    return events.map(({ event, last_engine_sequence }) => {
      const asset_scale = scales.get(event.asset_id)
      invariant(asset_scale !== undefined, `asset ${event.asset_id} is known`)
      const row = { ...event, engine_sequence: last_engine_sequence }
      return contentOf(
        balanceResource(row, { asset_scale, as_of: event.at }),
        'updated',
        event.engine_sequence,
        event.at,
      )
    })
  },
  async ofSnapshot(view, { account_id }, limit, { engine_sequence, at }) {
    const rows = (await view.balances(account_id)).slice(0, limit)
    return rows.map((row) => {
      const balance = balanceResource(row, { asset_scale: row.asset_scale, as_of: at })
      return contentOf(balance, 'snapshot', engine_sequence, at)
    })
  },
}

function contentOf(balance: Balance, kind: string, seq: number, at: number): Content {
  const { account_id, engine_sequence, projection_version, balance_id } = balance
  const place = { seq, engine_sequence, projection_version, at, resource_id: balance_id }
  return { topic: 'account.balance', account_id, market_id: null, kind, ...place, data: JSON.stringify(balance) }
}

/** Source of every private topic; a topic without one does not compile. */
export const PRIVATE_SOURCES: Readonly<Record<PrivateTopicName, PrivateSource>> = {
  'account.order': ORDERS,
  'account.fill': FILLS,
  'account.position': POSITIONS,
  'account.balance': BALANCES,
  'account.settlement': SETTLEMENTS,
  'account.risk': RISK,
  'account.protection': PROTECTIONS_OF_MAKERS,
}

import { invariant } from '../../../../primitives/errors.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import type { MarketMakerProtection } from '../../../../protocol/resources/market-maker-protection.ts'
import { protectionResource } from '../../../../trading/projections/protection.ts'
import { type Content, eventsOf, type PrivateSource } from '../content.ts'

/** account.protection: every change of a protection; the kind says what happened. Its projection_version is the seq of the event. */
export const PROTECTIONS_OF_MAKERS: PrivateSource = {
  topic: 'account.protection',
  event_kinds: ['protection'],
  sees_one_state: false,
  snapshot_max: PRIVATE_STREAM.snapshot_max,
  async ofEvents(view, all) {
    const events = eventsOf(all, 'protection').map(({ event }) => event)
    const terms = await view.marketTerms(events.map(({ market_id }) => market_id))
    return events.map((event) => {
      const of_market = terms.get(event.market_id)
      invariant(of_market !== undefined, `market ${event.market_id} of a protection is listed`)
      const shown = protectionResource({ ...event, updated_at: event.at }, of_market.quantity_scale)
      return contentOf(shown, event.action, event.engine_sequence, event.at)
    })
  },
  async ofSnapshot(view, { account_id, market_id }, limit, { engine_sequence }) {
    const rows = await view.protections(account_id, market_id, limit)
    return rows.map((row) => {
      const shown = protectionResource(row, row.quantity_scale)
      return contentOf(shown, 'snapshot', engine_sequence, row.updated_at)
    })
  },
}

function contentOf(shown: MarketMakerProtection, kind: string, seq: number, at: number): Content {
  const { account_id, market_id, engine_sequence } = shown
  const place = { seq, engine_sequence, projection_version: engine_sequence, at, resource_id: market_id }
  return { topic: 'account.protection', account_id, market_id, kind, ...place, data: JSON.stringify(shown) }
}

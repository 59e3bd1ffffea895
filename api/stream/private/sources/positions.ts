import { invariant } from '../../../../primitives/errors.ts'
import { PRIVATE_STREAM } from '../../../../protocol/limits.ts'
import type { Position } from '../../../../protocol/resources/position.ts'
import type { PositionEvent } from '../../../../trading/engine/events.ts'
import { positionResource } from '../../../../trading/projections/position.ts'
import type { StreamView, Waiting } from '../../../../trading/store/read/stream-reads.ts'
import { type Content, eventsOf, type PrivateSource } from '../content.ts'

/** account.position: each position after a batch, with its mark and pending settlements at that moment. */
export const POSITIONS: PrivateSource = {
  topic: 'account.position',
  event_kinds: ['position'],
  sees_one_state: false,
  snapshot_max: PRIVATE_STREAM.snapshot_max,
  async ofEvents(view, all) {
    const events = eventsOf(all, 'position').map(({ event }) => event)
    const terms_of = await view.marketTerms(events.map(({ market_id }) => market_id))
    const marks = await view.marksAt(events)
    const waiting = await waitingOf(view, events)
    return events.map((event, place) => {
      const found = marks[place]
      const terms = terms_of.get(event.market_id)
      invariant(found !== undefined && terms !== undefined, `outcome ${event.outcome_id} is listed`)
      const { mark, mark_observation_id } = found
      const pending_settlement_ids = pendingAt(waiting.get(nameOf(event)) ?? [], event)
      const facts = { terms, mark, mark_observation_id, pending_settlement_ids, as_of: event.at }
      return contentOf(positionResource(event, facts), 'updated', event.engine_sequence, event.at)
    })
  },
  async ofSnapshot(view, { account_id, market_id }, limit, head) {
    const rows = await view.positions(account_id, market_id, limit)
    return rows.map((row) => {
      const { market_terms: terms, mark, mark_observation_id, pending_settlement_ids } = row
      const facts = { terms, mark, mark_observation_id, pending_settlement_ids, as_of: head.at }
      return contentOf(positionResource(row, facts), 'snapshot', head.engine_sequence, head.at)
    })
  },
}

const nameOf = ({ account_id, outcome_id }: { readonly account_id: string; readonly outcome_id: string }) =>
  `${account_id} ${outcome_id}`

/** Returns the pending settlements of the positions of some events, by position. */
async function waitingOf(view: StreamView, events: readonly PositionEvent[]): Promise<Map<string, Waiting[]>> {
  const positions = [...new Map(events.map((event) => [nameOf(event), event])).values()]
  const rows = await view.waitingBetween(positions, events[0]!.at, events.at(-1)!.at)
  const by_position = new Map<string, Waiting[]>()
  for (const row of rows) {
    const name = nameOf(row)
    const group = by_position.get(name)
    if (group === undefined) by_position.set(name, [row])
    else group.push(row)
  }
  return by_position
}

function pendingAt(waiting: readonly Waiting[], { at }: PositionEvent): string[] {
  return waiting
    .filter(({ created_at, waited_until }) => created_at <= at && (waited_until === null || waited_until > at))
    .map(({ settlement_id }) => settlement_id)
}

function contentOf(position: Position, kind: string, seq: number, at: number): Content {
  const { account_id, market_id, engine_sequence, projection_version, position_id } = position
  const place = { seq, engine_sequence, projection_version, at, resource_id: position_id }
  return { topic: 'account.position', account_id, market_id, kind, ...place, data: JSON.stringify(position) }
}

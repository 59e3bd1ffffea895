import { invariant } from '../../primitives/errors.ts'
import type { Finality } from '../../vocabulary/market.ts'
import type { ResolutionRow } from '../projections/rows.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { type Dispute, mayResolve, type Verdict } from './resolution-states.ts'
import type { OutcomePayout } from './settlement-commands.ts'

/** Moves a resolution along its table. @throws {InvariantError} the table lacks the move, which the caller must have checked */
export function moveResolution(execution: Execution, facts: Facts, row: ResolutionRow, to: Finality): ResolutionRow {
  invariant(mayResolve(row.finality, to), `resolution ${row.resolution_id} may move from ${row.finality} to ${to}`)
  return recordResolution(execution, facts, { ...row, finality: to })
}

/** Records a resolution and publishes it. */
export function recordResolution(execution: Execution, facts: Facts, row: ResolutionRow): ResolutionRow {
  const engine_sequence = execution.nextSequence()
  const recorded = keepResolution(execution, facts, { ...row, engine_sequence })
  const { market_id, resolution_id, revision } = recorded
  execution.publish({
    engine_sequence,
    at: execution.now,
    kind: 'resolution',
    market_id,
    resolution_id,
    revision,
    verdict: recorded.verdict as Verdict,
    finality: recorded.finality as Finality,
    payouts: recorded.payouts as readonly OutcomePayout[],
    dispute: recorded.dispute as Dispute | null,
  })
  return recorded
}

/** Records payment progress, which is not published. */
export function keepResolution({ changes }: Execution, facts: Facts, row: ResolutionRow): ResolutionRow {
  facts.resolutions.set(row.resolution_id, row)
  changes.resolutions.set(row.resolution_id, row)
  return row
}

/** Newest revision of a market's resolution; null: none. */
export function newestOf(facts: Facts, market_id: string): ResolutionRow | null {
  let newest: ResolutionRow | null = null
  for (const row of facts.resolutions.values()) {
    if (row.market_id === market_id && row.revision > (newest?.revision ?? 0)) newest = row
  }
  return newest
}

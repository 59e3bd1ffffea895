import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { resolutionIdOf } from '../../revisions/identity.ts'
import { Quarantined } from '../quarantine.ts'
import type { Payout, ResolutionRecord } from '../record.ts'
import type { Location, Reading } from './memory.ts'
import { evidenceOf, recordOf } from './reading.ts'

/**
 * The resolutions stated so far. Proposal, dispute and final decision of one resolution share the source instant of the first of
 * them, and a statement that repeats the last one makes no new record. Only another final decision replaces a final one: the
 * venue's parts learn of it at different times, and one that still trades or disputes is behind.
 */

/** A statement about how a market ends. Payouts are empty if it names none. */
export type Statement = {
  readonly finality: ResolutionRecord['finality']
  readonly payouts: readonly Payout[]
}

/**
 * Takes a statement about a market.
 * @param own_at when the venue says it became true; null: when it was received
 * @throws Quarantined SOURCE_AFTER_RECEIVED
 */
export function stateResolution(
  reading: Reading,
  location: Location,
  market_id: string,
  statement: Statement,
  own_at: Micros | null,
): void {
  const { resolutions } = reading.memory
  const known = resolutions.get(market_id)
  const content = contentOf(statement)
  if (known?.content === content || (known?.finality === 'final' && statement.finality !== 'final')) return
  const begins = known === undefined || known.finality === 'withdrawn'
  const source_at = begins ? (own_at ?? reading.payload.received_at) : known.source_at
  reading.found.resolutions.push(resolutionRecord(reading, location, market_id, statement, source_at))
  resolutions.set(market_id, { source_at, finality: statement.finality, content })
}

/**
 * Takes the payouts of a fallback source.
 * @throws Quarantined FIELDS_DISAGREE if the market is final with other payouts
 */
export function confirmResolution(
  reading: Reading,
  location: Location,
  market_id: string,
  payouts: readonly Payout[],
): void {
  const statement: Statement = { finality: 'final', payouts }
  const known = reading.memory.resolutions.get(market_id)
  if (known?.finality === 'final' && known.content !== contentOf(statement)) throw new Quarantined('FIELDS_DISAGREE')
  stateResolution(reading, location, market_id, statement, null)
}

/** Withdraws an earlier proposal or dispute of a market that trades on without a statement about its end. */
export function withdrawResolution(reading: Reading, location: Location, market_id: string): void {
  if (!reading.memory.resolutions.has(market_id)) return
  stateResolution(reading, location, market_id, { finality: 'withdrawn', payouts: [] }, null)
}

function contentOf({ finality, payouts }: Statement): string {
  return [finality, ...payouts.map(({ outcome, payout }) => `${outcome}=${payout}`).sort()].join('\u001f')
}

function resolutionRecord(
  reading: Reading,
  location: Location,
  market_id: string,
  { finality, payouts }: Statement,
  source_at: Micros,
): ResolutionRecord {
  const common = recordOf(reading, location, market_id, source_at)
  const evidence_id = resolutionIdOf(common, formatMicros(source_at), formatMicros(common.received_at))
  return { ...common, finality, payouts, dispute_window_ends_at: null, evidence: evidenceOf(reading, evidence_id) }
}

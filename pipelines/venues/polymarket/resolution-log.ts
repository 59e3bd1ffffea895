import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { resolutionIdOf } from '../../revisions/identity.ts'
import { Quarantined } from '../quarantine.ts'
import type { Payout, ResolutionRecord } from '../record.ts'
import { evidenceOf, type Place, type Reading, recordOf } from './reading.ts'

/** What a record says of how a market ends. Payouts are empty where it states none. */
export type Statement = {
  readonly finality: ResolutionRecord['finality']
  readonly payouts: readonly Payout[]
}

type Known = { readonly source_at: Micros; readonly finality: Statement['finality']; readonly content: string }

/**
 * The resolutions stated so far. Proposal, dispute and final decision of one resolution share the source instant of the
 * first of them, and a statement that only repeats the last one is not a new record. A final decision is undone by another
 * one only: the venue's parts learn of it at different times, and one that still trades or disputes is behind.
 */
export class ResolutionLog {
  readonly #known = new Map<string, Known>()

  /**
   * Takes a statement about a market.
   * @param own_at when the venue says that it was so; null: when it was received
   * @throws Quarantined SOURCE_AFTER_RECEIVED
   */
  state(reading: Reading, place: Place, market_id: string, statement: Statement, own_at: Micros | null): void {
    const known = this.#known.get(market_id)
    const content = contentOf(statement)
    if (known?.content === content || (known?.finality === 'final' && statement.finality !== 'final')) return
    const begins = known === undefined || known.finality === 'withdrawn'
    const source_at = begins ? (own_at ?? reading.payload.received_at) : known.source_at
    reading.found.resolutions.push(resolutionRecord(reading, place, market_id, statement, source_at))
    this.#known.set(market_id, { source_at, finality: statement.finality, content })
  }

  /** A fallback's statement of the payouts: taken unless the market is final already, with which it must agree. */
  confirm(reading: Reading, place: Place, market_id: string, payouts: readonly Payout[]): void {
    const statement: Statement = { finality: 'final', payouts }
    const known = this.#known.get(market_id)
    if (known?.finality === 'final' && known.content !== contentOf(statement)) throw new Quarantined('FIELDS_DISAGREE')
    this.state(reading, place, market_id, statement, null)
  }

  /** The market trades on and says nothing of a resolution: a proposal or dispute of before is withdrawn. */
  withdraw(reading: Reading, place: Place, market_id: string): void {
    const known = this.#known.get(market_id)
    if (known !== undefined) this.state(reading, place, market_id, { finality: 'withdrawn', payouts: [] }, null)
  }
}

function contentOf({ finality, payouts }: Statement): string {
  return [finality, ...payouts.map(({ outcome, payout }) => `${outcome}=${payout}`).sort()].join('\u001f')
}

function resolutionRecord(
  reading: Reading,
  place: Place,
  market_id: string,
  { finality, payouts }: Statement,
  source_at: Micros,
): ResolutionRecord {
  const common = recordOf(reading, place, market_id, source_at)
  const evidence_id = resolutionIdOf(common, formatMicros(source_at), formatMicros(common.received_at))
  return { ...common, finality, payouts, dispute_window_ends_at: null, evidence: evidenceOf(reading, evidence_id) }
}

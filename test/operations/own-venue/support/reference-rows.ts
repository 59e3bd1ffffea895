import { eventIdOf, marketIdOf, outcomeIdOf } from '../../../../pipelines/revisions/identity.ts'
import { deriveId } from '../../../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../../../primitives/instants.ts'
import type { Row } from '../../../../warehouse/schema.ts'
import type { TableName } from '../../../../warehouse/tables.ts'
import type { Warehouse } from '../../../../warehouse/warehouse.ts'

const VENUE = 'kalshi'

/** A market of another venue, by what that calls it. */
export const referenceId = (name: string) => marketIdOf(VENUE, name)
export const referenceOutcome = (name: string, label: string) => outcomeIdOf(referenceId(name), label)

/** Writes what a venue says of its markets, revision after revision. */
export class References {
  readonly #warehouse: Warehouse
  readonly #now: () => Micros
  readonly #revisions = new Map<string, number>()
  #appended = 0

  constructor(warehouse: Warehouse, now: () => Micros) {
    this.#warehouse = warehouse
    this.#now = now
  }

  /** @param volume of the last day */
  async market(name: string, status: string, volume = '10'): Promise<void> {
    const at = this.#now()
    const market_id = referenceId(name)
    const event_id = eventIdOf(VENUE, `event-${name}`)
    const shared = { source_at: at, received_at: at }
    if (!this.#revisions.has(market_id)) {
      const event = { event_id, revision: 1, title: `Event ${name}`, category: 'politics', market_ids: [market_id] }
      await this.#append('event', { ...event, ...shared })
      const size = { metric_id: deriveId('mtc', name), revision: 1, venue_id: VENUE, source_market_id: name }
      await this.#append('market_metric', { ...size, market_id, volume_24h: volume, ...shared })
    }
    await this.#append('market', {
      market_id,
      ...this.#revised(market_id),
      event_id,
      title: `Will ${name} happen?`,
      status,
      outcome_type: 'binary',
      outcomes: ['YES', 'NO'].map((label) => ({ outcome_id: referenceOutcome(name, label), label })),
      rules: { resolution_question: `Will ${name} happen?`, resolution_sources: ['the report'] },
      schedule: { closes_at: at + 7 * 86_400_000_000 },
      venue_mapping: { venue_id: VENUE, source_market_id: name, source_outcome_ids: ['YES', 'NO'] },
      ...shared,
    })
  }

  async quote(name: string): Promise<void> {
    const at = this.#now()
    const market_id = referenceId(name)
    const outcome_id = referenceOutcome(name, 'YES')
    await this.#append('market_quote', {
      record_id: deriveId('obs', name, at),
      revision: 1,
      venue_id: VENUE,
      source_market_id: name,
      market_id,
      outcome_id,
      bid: '0.4',
      ask: '0.5',
      source_at: at,
      received_at: at,
    })
  }

  async resolution(name: string, finality: string, yes: string, no: string): Promise<void> {
    const at = this.#now()
    const payouts = [
      { outcome_id: referenceOutcome(name, 'YES'), payout: yes },
      { outcome_id: referenceOutcome(name, 'NO'), payout: no },
    ]
    await this.#append('market_resolution', {
      resolution_id: deriveId('res', name, formatMicros(at)),
      revision: 1,
      market_id: referenceId(name),
      venue_id: VENUE,
      source_market_id: name,
      payouts,
      evidence: [{ evidence_id: `ev_${name}`, kind: 'archive_row' }],
      finality,
      source_at: at,
      received_at: at,
    })
  }

  #revised(id: string): Row {
    const revision = (this.#revisions.get(id) ?? 0) + 1
    this.#revisions.set(id, revision)
    if (revision === 1) return { revision }
    return { revision, supersedes_id: `${id}.${revision - 1}`, correction_reason: 'STATUS_CHANGED' }
  }

  async #append(table: TableName, row: Row): Promise<void> {
    this.#appended += 1
    const options = {
      app_id: 'test',
      app_sequence: this.#appended,
      stamp: { kind: 'wall' },
      operation: 'TEST',
    } as const
    await this.#warehouse.append(table, [row], options)
  }
}

import { deriveId } from '../../primitives/ids.ts'
import { type Instant, MICROS_PER_SECOND, type Micros, toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { IngestState } from './ingest-state.ts'

/** Health of an ingest session; counts are of the session alone. */
export type IngestFacts = {
  readonly at: Micros
  readonly state: IngestState
  readonly last_success_at: Micros | null
  readonly last_source_at: Micros | null
  readonly gaps: number
  readonly quarantined: number
  readonly records_new: number
  /** Connections to the venue that were opened. */
  readonly sessions: number
  /** The last problem, in one sentence; null = none since it was ok. */
  readonly problem: string | null
}

/** Records the health of one venue's ingest: a row when its state changes, otherwise one a minute. A missing one shows a reporter that hangs. */
export type HealthRecorder = {
  /** Stores a row if one is due. */
  record(facts: IngestFacts): Promise<void>
  /** Stores the final facts if they differ from the stored ones. */
  end(facts: IngestFacts): Promise<void>
}

const EVERY: Micros = 60 * MICROS_PER_SECOND

type Counts = Pick<IngestFacts, 'gaps' | 'quarantined' | 'records_new' | 'sessions'>
type Before = Counts & Pick<IngestFacts, 'last_success_at' | 'last_source_at'>

/** Opens a recorder whose counts continue those of the venue's earlier sessions. */
export async function openHealthRecorder(warehouse: Warehouse, venue_id: string): Promise<HealthRecorder> {
  const before = await storedBefore(warehouse, venue_id)
  let stored: IngestFacts | null = null
  const store = async (facts: IngestFacts): Promise<void> => {
    await storeHealth(warehouse, venue_id, withEarlier(facts, before))
    stored = facts
  }
  return {
    async record(facts) {
      if (facts.state !== stored?.state || facts.at - stored.at >= EVERY) await store(facts)
    },
    async end(facts) {
      if (stored === null || hasChanged(stored, facts)) await store(facts)
    },
  }
}

function hasChanged(stored: IngestFacts, facts: IngestFacts): boolean {
  const { at: _stored_at, ...before } = stored
  const { at: _at, ...now } = facts
  return JSON.stringify(before) !== JSON.stringify(now)
}

function withEarlier(facts: IngestFacts, before: Before): IngestFacts {
  return {
    ...facts,
    last_success_at: facts.last_success_at ?? before.last_success_at,
    last_source_at: facts.last_source_at ?? before.last_source_at,
    gaps: before.gaps + facts.gaps,
    quarantined: before.quarantined + facts.quarantined,
    records_new: before.records_new + facts.records_new,
    sessions: before.sessions + facts.sessions,
  }
}

async function storeHealth(warehouse: Warehouse, venue_id: string, facts: IngestFacts): Promise<void> {
  const { at, ...columns } = facts
  const health_id = deriveId('ihl', venue_id, at, facts.state)
  await warehouse.append('ingest_health', [{ health_id, venue_id, ...columns, source_at: at }], {
    app_id: `ingest-health/${health_id}`,
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'INGEST_HEALTH',
    apart: venue_id,
  })
}

type HealthRow = Counts & { readonly last_success_at: Instant | null; readonly last_source_at: Instant | null }

async function storedBefore(warehouse: Warehouse, venue_id: string): Promise<Before> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['ingest_health'] })
  try {
    const [row] = (await session.query(readSql(import.meta.url, 'sql/newest_ingest_health.sql'), {
      venue_id,
    })) as unknown as HealthRow[]
    if (row === undefined) return NOTHING_BEFORE
    return {
      ...row,
      last_success_at: row.last_success_at === null ? null : toMicros(row.last_success_at),
      last_source_at: row.last_source_at === null ? null : toMicros(row.last_source_at),
    }
  } finally {
    await session.close()
  }
}

const NOTHING_BEFORE: Before = {
  gaps: 0,
  quarantined: 0,
  records_new: 0,
  sessions: 0,
  last_success_at: null,
  last_source_at: null,
}

import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { TableName } from '../../warehouse/tables.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { governanceActs, inDays, policyChange, rosterChange, TEST_POLICY } from './governance-world.ts'
import { person } from './review-world.ts'

export const PEOPLE = {
  admin: person('admin', 'administrator'),
  member: person('member', 'committee'),
  other: person('other', 'committee'),
  overseer: person('overseer', 'oversight'),
  operator: person('operator', 'operator'),
  analyst: person('analyst', 'analyst'),
}

/** Puts a roster and a policy of these people in force. @returns the proposal of the policy */
export async function governHome(warehouse: Warehouse): Promise<string> {
  const { admin, member, overseer } = PEOPLE
  const acts = governanceActs(warehouse)
  const now = await warehouse.now()
  const expiry = { threshold: 1, expires_at: inDays(now, 60) }
  await acts.propose(admin, rosterChange(await acts.state(), Object.values(PEOPLE), expiry))
  const policy = policyChange(await acts.state(), TEST_POLICY, inDays(now, 300))
  await acts.propose(admin, policy)
  await acts.vote(member, policy)
  const { proposal } = await acts.vote(overseer, policy)
  return proposal!.proposal_id
}

const level = (tick_at: Micros, ordinal: number, fields: Row): Row => ({
  observation_id: `obs_${ordinal}`,
  revision: 1,
  index_id: 'idx_a',
  index_version_id: 'idv_a',
  tick_at: formatMicros(tick_at),
  level: '10.0000',
  quality_state: 'valid',
  record_hash: `hash_${ordinal}`,
  ...fields,
})

/** Appends a commit at the present. */
export async function append(warehouse: Warehouse, table: TableName, ...rows: Row[]): Promise<void> {
  const app_id = `test/${table}/${JSON.stringify(rows[0])}`
  await warehouse.append(table, rows, { app_id, app_sequence: 1, stamp: { kind: 'wall' }, operation: 'TEST' })
}

/**
 * Records from which notices follow: twenty minutes of stale levels, a restated level, a resolution that was changed, an outage of a
 * venue, and an index that was suspended.
 */
export async function recordFaults(warehouse: Warehouse): Promise<void> {
  const now = await warehouse.now()
  const tick = (minute: number) => now - (30 - minute) * 60_000_000
  const stale = { quality_state: 'stale', reason_codes: ['NO_FRESH_INPUT'] }
  const levels = Array.from({ length: 24 }, (_, n) => level(tick(n), n, n >= 2 && n < 22 ? stale : {}))
  for (const part of [levels.slice(0, 12), levels.slice(12)]) await append(warehouse, 'index_observation', ...part)
  const restated = { revision: 2, supersedes_id: 'obs_0', correction_reason: 'LATE_DATA', level: '12.5000' }
  const same = { revision: 2, supersedes_id: 'obs_1', correction_reason: 'LATE_DATA', quality_state: 'corrected' }
  await append(warehouse, 'index_observation', level(tick(0), 100, restated), level(tick(1), 101, same))
  await appendResolutions(warehouse, formatMicros(tick(0)))
  const report = { venue_id: 'kalshi', gaps: 0, quarantined: 0, records_new: 0, sessions: 1 }
  const reportAt = (minute: number, state: string) => ({
    ...{ ...report, health_id: `ihl_${minute}`, state, source_at: formatMicros(tick(minute)) },
  })
  await append(warehouse, 'ingest_health', reportAt(0, 'ok'), reportAt(1, 'down'), reportAt(2, 'down'))
  await append(warehouse, 'ingest_health', reportAt(20, 'ok'))
  const index = {
    index_id: 'idx_a',
    slug: 'a',
    symbol: 'A',
    unit: 'points',
    base_value: '10',
    base_date: formatMicros(now),
  }
  await append(warehouse, 'index_definition', { ...index, revision: 1, status: 'active' })
  await append(warehouse, 'index_definition', { ...index, revision: 2, status: 'suspended' })
}

async function appendResolutions(warehouse: Warehouse, source_at: string): Promise<void> {
  const resolution = (revision: number, outcome_id: string, correction: Row): Row => ({
    ...{ resolution_id: `res_${revision}`, revision, market_id: 'mkt_a', venue_id: 'kalshi', source_market_id: 'K' },
    ...{ finality: 'final', source_at, received_at: source_at },
    payouts: [{ outcome_id, payout: '1' }],
    ...correction,
  })
  await append(warehouse, 'market_resolution', resolution(1, 'out_y', {}))
  const changed = { supersedes_id: 'res_1', correction_reason: 'SOURCE_CORRECTION' }
  await append(warehouse, 'market_resolution', resolution(2, 'out_n', changed))
}

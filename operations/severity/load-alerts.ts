import type { HazardRecord } from '../../pipelines/venues/record.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

export type StoredAlert = { readonly event_id: string; readonly alert: HazardRecord }

/** Loads the newest statement of each alert up to a cutoff. */
export async function loadAlerts(session: ReadSession, cutoff: Micros): Promise<readonly StoredAlert[]> {
  const rows = await session.query(readSql(import.meta.url, 'sql/severity_alerts.sql'), {
    cutoff: formatMicros(cutoff),
  })
  return rows.map((row) => ({ event_id: String(row.event_id), alert: alertOf(row) }))
}

function alertOf(row: Row): HazardRecord {
  const instant = (name: string) => (row[name] === null ? null : toMicros(row[name], name))
  return {
    ...row,
    file: 'hazard_alert',
    line: 0,
    measures: JSON.parse(String(row.measures)),
    started_at: instant('started_at'),
    ended_at: instant('ended_at'),
    source_at: instant('source_at'),
    received_at: instant('received_at'),
  } as unknown as HazardRecord
}

import { firstDifference } from '../../pipelines/review/same-value.ts'
import type { ReviewRow, Value } from '../../pipelines/review/subject.ts'
import { observedAssessment } from '../../pipelines/severity/severity-record.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { loadAlerts } from './load-alerts.ts'
import { loadPast } from './run-severity.ts'

/**
 * Computes an observed assessment by the model again, from the alert that was stored and the last approved assessment then.
 * @param session as of the last instant before the assessment was published
 * @returns the first field that differs; null: none does
 */
export async function verifyModelAssessment(session: ReadSession, row: ReviewRow): Promise<string | null> {
  const event_id = String(row.event_id)
  const cutoff = toMicros(row.observation_cutoff_at)
  const found = (await loadAlerts(session, cutoff)).find((one) => one.event_id === event_id)
  if (found === undefined) return `event_id is ${event_id}; no alert of it was known by then`
  const last = (await loadPast(session, cutoff)).get(event_id)?.last ?? null
  const again = observedAssessment({ ...found, last, cutoff })
  return firstDifference(row, again as unknown as Record<string, Value>)
}

import type { SeverityAssessment } from '../../protocol/resources/severity.ts'
import type { Api } from '../data/api-client.ts'
import { getSeverity } from './reads.ts'
import { useInForce } from './use-in-force.ts'

/** Reads and follows the current assessment of one series of an event. */
export function useSeverity(api: Api, event_id: string, assessment_type: SeverityAssessment['assessment_type']) {
  return useInForce({
    api,
    topic: 'event.severity',
    filters: { event_id },
    key: `severity ${assessment_type} ${event_id}`,
    load: (signal) => getSeverity(api, event_id, assessment_type, signal),
  })
}

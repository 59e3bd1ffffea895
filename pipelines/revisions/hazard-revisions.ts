import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { hazardFacts } from '../venues/hazard-facts.ts'
import type { HazardRecord } from '../venues/record.ts'
import { eventIdOf } from './identity.ts'
import type { PlannedState, ReferenceRule } from './plan-references.ts'
import { instantOrNull } from './quote-revisions.ts'

/**
 * Chains of `hazard_alert`: one event of a feed. A record is a new revision only if its facts differ from those known at its
 * receipt; the facts serve as the state.
 */
export const HAZARD_RULE: ReferenceRule<string, HazardRecord> = {
  idOf: (r) => eventIdOf(r.venue_id, r.source_event_id),
  merge: (_before, r) => hazardFacts(r),
  reasonOf: () => 'ALERT_CHANGED',
}

/** Returns a row of `hazard_alert`. */
export function hazardRow({ record, revised }: PlannedState<string, HazardRecord>) {
  const { file: _file, line: _line, path: _path, measures, ...stated } = record
  return {
    event_id: HAZARD_RULE.idOf(record),
    ...revised,
    ...stated,
    measures: canonicalJson(measures),
    started_at: formatMicros(record.started_at),
    ended_at: instantOrNull(record.ended_at),
    source_at: formatMicros(record.source_at),
    received_at: formatMicros(record.received_at),
  }
}

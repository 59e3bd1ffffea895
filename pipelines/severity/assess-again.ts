import type { EvidenceItem } from '../evidence/evidence-item.ts'
import { type Assessment, assess } from './assess.ts'
import { combineEvidence } from './combine-evidence.ts'
import type { ComponentEvidence } from './hazard-evidence.ts'
import { SEVERITY_PARAMETERS } from './methodology.ts'
import { componentScores, type LastApproved, needsPerson, type SeverityRecord } from './severity-record.ts'

/** Fields of an observed assessment that follow from the figures of its evidence and the last approved one. */
export type AssessedAgain = Assessment &
  Pick<SeverityRecord, 'component_scores' | 'review_state' | 'previous_level' | 'previous_score'>

/** Computes an observed assessment by the model again, from the figures of its evidence. */
export function assessAgain(evidence: readonly EvidenceItem[], last: LastApproved): AssessedAgain {
  const figures = evidence.map(figuresOf)
  const components = combineEvidence(figures)
  const assessment = assess(
    components,
    figures.map(({ tier }) => tier),
    SEVERITY_PARAMETERS,
  )
  const waits = needsPerson(assessment.level, last)
  return {
    ...assessment,
    component_scores: componentScores(components),
    reason_codes: [...assessment.reason_codes, ...waits],
    review_state: waits.length > 0 ? 'under_review' : 'approved',
    previous_level: last?.level ?? null,
    previous_score: last?.score ?? null,
  }
}

function figuresOf({ component, tier, measured }: EvidenceItem): ComponentEvidence {
  const { value, low, high } = JSON.parse(measured ?? '{}') as ComponentEvidence
  return { component, tier, value, low, high } as ComponentEvidence
}

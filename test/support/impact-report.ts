import type { GovernanceAct } from '../../pipelines/governance/acts.ts'
import {
  IMPACT_ENGINE,
  type ImpactDocument,
  impactDigest,
  impactText,
} from '../../pipelines/governance/impact/impact-document.ts'
import { changeIdOf } from '../../pipelines/governance/proposal.ts'

/** Fields that a test of signatures sets; the rest of the report says that nothing was compared. */
type Given = Partial<ImpactDocument> & Pick<ImpactDocument, 'base_hash' | 'content_hash' | 'as_of'>

const NO_TICKS = {
  compared: 0,
  equal: 0,
  only_before: 0,
  only_after: 0,
  level_on_both: 0,
  level_only_before: 0,
  level_only_after: 0,
  different_level: 0,
  different_state: 0,
}
const NO_SIDE = { states: [], coverage_ratio: null, confidence: null }

/** Returns the act of a runner who signs a report, without the runner; details that are given replace those of the report. */
export function signedReport(
  given: Given,
  details: Partial<GovernanceAct['details']> = {},
): Pick<GovernanceAct, 'act' | 'kind' | 'subject_id' | 'details'> {
  const document: ImpactDocument = {
    statement: 'tidemark.impact.v1',
    engine: IMPACT_ENGINE,
    change_id: changeIdOf(given),
    index_id: 'idx_a',
    version_before: '1',
    version_after: '2',
    from: '2026-01-01T00:00:00Z',
    to: '2026-04-01T00:00:00Z',
    linked_at: '2026-01-01T00:00:00Z',
    is_full_window: true,
    change_class: 'parameter',
    restate_bp: '10',
    levels_sha256: '0'.repeat(64),
    levels: {
      ticks: NO_TICKS,
      basis_points: null,
      absolute_basis_points: null,
      largest: null,
      state_moves: [],
      before: NO_SIDE,
      after: NO_SIDE,
    },
    composition: {
      turnover: '0.0000000000',
      constituents_in: 0,
      constituents_out: 0,
      constituents: [],
      constituents_unlisted: 0,
    },
    changes: [],
    missing_inputs: { before: null, after: null },
    back_test: { before: null, after: { resolved: 0, leads: [] } },
    ...given,
  }
  const report = impactText(document)
  const { base_hash, content_hash, change_class, change_id } = document
  const stated = { base_hash, content_hash, change_class, impact_digest: impactDigest(report), engine: 'exact', report }
  return {
    act: 'attest',
    kind: 'index_version',
    subject_id: change_id,
    details: { ...stated, ...details } as GovernanceAct['details'],
  }
}

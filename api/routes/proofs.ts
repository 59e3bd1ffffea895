import { extraOf } from '../../pipelines/transparency/record-proof.ts'
import { parseHashes, tlogProofText } from '../../pipelines/transparency/tlog-proof.ts'
import type { AssessmentTableName } from '../../warehouse/reader/followed-tables.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { rowsOf } from '../resources/pick.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { ELIGIBILITY_POLICY, PRO_FORMA } from '../transparency/eligibility-forms.ts'
import { findEntry } from '../transparency/find-entry.ts'
import {
  complaintForm,
  GOVERNANCE_ACT,
  noticeForm,
  POLICY,
  PROPOSAL,
  RESTATEMENT,
  ROSTER,
} from '../transparency/governance-forms.ts'
import { type RecordForm, recordOf } from '../transparency/record-form.ts'
import {
  CONSTITUENTS,
  INDEX_OBSERVATION,
  METHODOLOGY,
  RATING,
  RATING_METHODOLOGY,
  SEVERITY,
  SEVERITY_METHODOLOGY,
  versionForm,
} from '../transparency/record-forms.ts'
import { childOf } from './child-of.ts'
import { requirePolicy, requireProForma } from './eligibility.ts'
import { requireDocument, requireImpactAct, requireProposal } from './governance.ts'
import { actForm, requireGovernanceAct } from './governance-acts.ts'
import { pinnedAt } from './history-request.ts'
import { requireComplaint, requireNotice, requireRestatement } from './notices.ts'
import { ordinalParameter, requiredText, requireIndex, requireVersion } from './parameters.ts'

/** Proofs of records, each found as its own endpoint finds it. */
export const PROOF_ROUTES = {
  get_index_observation_proof: async (request) => {
    const index_id = String(requireIndex(request).index_id)
    const observation_id = requiredText(request, 'observation_id')
    const found = await request.reader.history.observation(observation_id, pinnedAt(request, ['index_observation']))
    return proofOf(
      request,
      INDEX_OBSERVATION,
      childOf(found?.row ?? null, { index_id }, 'index_observation', observation_id),
    )
  },
  get_index_version_proof: (request) => {
    const row = requireVersion(request)
    return proofOf(request, versionForm(row), row)
  },
  get_constituents_proof: (request) => proofOf(request, CONSTITUENTS, requireVersion(request)),
  get_methodology_proof: (request) => {
    const [id, version] = methodologyOf(request)
    const row = request.reader.catalog(null).methodology(id, version)
    if (row === null) throw missing('index_methodology', `${id}@${version}`)
    return proofOf(request, METHODOLOGY, row)
  },
  get_rating_methodology_proof: (request) =>
    assessmentMethodologyProof(request, 'market_rating', RATING_METHODOLOGY, 'rating_methodology'),
  get_severity_methodology_proof: (request) =>
    assessmentMethodologyProof(request, 'severity_assessment', SEVERITY_METHODOLOGY, 'severity_methodology'),
  get_rating_proof: (request) => assessmentProof(request, 'market_rating', RATING, ['rating', 'rating_id']),
  get_severity_assessment_proof: (request) =>
    assessmentProof(request, 'severity_assessment', SEVERITY, ['severity_assessment', 'assessment_id']),
  get_governance_roster_proof: (request) => proofOf(request, ROSTER, requireDocument(request, 'roster')),
  get_governance_policy_proof: (request) => proofOf(request, POLICY, requireDocument(request, 'policy')),
  get_governance_proposal_proof: (request) => proofOf(request, PROPOSAL, requireState(request)),
  get_governance_act_proof: async (request) => {
    const row = await requireGovernanceAct(request)
    return proofOf(request, actForm(row), row)
  },
  get_governance_notice_proof: (request) => {
    const row = requireNotice(request)
    return proofOf(request, noticeForm(row), row)
  },
  get_restatement_proof: (request) => proofOf(request, RESTATEMENT, requireRestatement(request)),
  get_complaint_proof: (request) => {
    const row = revisionOf(request, requireComplaint(request), 'complaint_state')
    return proofOf(request, complaintForm(row), row)
  },
  get_governance_impact_proof: (request) => proofOf(request, GOVERNANCE_ACT, requireImpactAct(request)),
  get_eligibility_policy_proof: (request) => proofOf(request, ELIGIBILITY_POLICY, requireLoggedPolicy(request)),
  get_index_pro_forma_proof: (request) => proofOf(request, PRO_FORMA, requireProForma(request)),
} as const satisfies Partial<RouteHandlers>

/** Returns a policy that was published: the built-in one is part of the software, and has no entry. */
function requireLoggedPolicy(request: RouteRequest): Row {
  const row = requirePolicy(request)
  if (row.published_at !== null) return row
  throw missing('published_policy', String(row.policy_id))
}

/** Returns the asked state of a proposal; else its newest one. */
function requireState(request: RouteRequest): Row {
  return revisionOf(request, requireProposal(request), 'proposal_state')
}

/** Returns the asked revision of a record with its history; else the newest one. */
function revisionOf(request: RouteRequest, newest: Row, resource: 'proposal_state' | 'complaint_state'): Row {
  const revision = ordinalParameter(request, 'revision')
  if (revision === null) return newest
  const found = rowsOf(newest.history).find((row) => row.revision === revision)
  if (found !== undefined) return found
  throw missing(resource, String(revision))
}

function methodologyOf(request: RouteRequest): readonly [string, string] {
  return [requiredText(request, 'methodology_id'), requiredText(request, 'version')]
}

function assessmentMethodologyProof(
  request: RouteRequest,
  table: AssessmentTableName,
  form: RecordForm,
  resource: 'rating_methodology' | 'severity_methodology',
): Promise<RouteAnswer> {
  const [id, version] = methodologyOf(request)
  const row = request.reader.catalog(null).assessmentMethodology(table, id, version)
  if (row === null) throw missing(resource, `${id}@${version}`)
  return proofOf(request, form, row)
}

async function assessmentProof(
  request: RouteRequest,
  table: AssessmentTableName,
  form: RecordForm,
  [resource, id]: readonly ['rating', 'rating_id'] | readonly ['severity_assessment', 'assessment_id'],
): Promise<RouteAnswer> {
  const asked = requiredText(request, id)
  const found = await request.reader.assessments.record(table, asked, pinnedAt(request, [table]))
  if (found === null) throw missing(resource, asked)
  return proofOf(request, form, found.row)
}

async function proofOf(request: RouteRequest, form: RecordForm, row: Row): Promise<RouteAnswer> {
  const { log = null } = request
  const record = recordOf(form, row)
  const { index } = await findEntry(log, record)
  const proof = await log!.prove(index, await log!.covering(index))
  const data = { record_text: record.record_text, ...proof }
  const { checkpoint, hashes } = proof
  return { data, plain: tlogProofText({ extra: extraOf(data), index, hashes: parseHashes(hashes), checkpoint }) }
}

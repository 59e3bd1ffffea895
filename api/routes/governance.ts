import { runnerReports } from '../../pipelines/governance/impact/runner-reports.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import {
  differencesOf,
  effectInstantOf,
  governanceActOf,
  governancePolicyOf,
  governanceRosterOf,
  proposalOf,
  vetoedBeforeOf,
  votesWithReasons,
} from '../resources/governance.ts'
import { impactOf } from '../resources/impact.ts'
import { rowsOf } from '../resources/pick.ts'
import { seatsOf } from '../resources/seats.ts'
import type { RouteHandlers, RouteRequest } from '../server/handler.ts'
import { POLICY, PROPOSAL, ROSTER } from '../transparency/governance-forms.ts'
import { loggedAs } from '../transparency/record-form.ts'
import { catalogPage } from './catalog-page.ts'
import { actForm, listGovernanceActs, requireGovernanceAct } from './governance-acts.ts'
import { ordinalParameter, requiredText, textParameter } from './parameters.ts'

export const GOVERNANCE_ROUTES = {
  get_governance_roster: (request) => {
    const row = requireDocument(request, 'roster')
    return { data: governanceRosterOf(row), ...loggedAs(ROSTER, row) }
  },
  get_governance_policy: (request) => {
    const row = requireDocument(request, 'policy')
    return { data: governancePolicyOf(row), ...loggedAs(POLICY, row) }
  },
  list_governance_proposals: (request) => {
    const [kind, state] = [textParameter(request, 'kind'), textParameter(request, 'state')]
    return catalogPage(request, {
      rows: (catalog) => catalog.proposals(),
      keep: (row) => (kind === null || row.kind === kind) && (state === null || row.state === state),
      key: (row) => [toMicros(row.proposed_at), String(row.proposal_id)],
      show: proposalOf,
      form: PROPOSAL,
    })
  },
  get_governance_proposal: (request) => {
    const row = requireProposal(request)
    const catalog = request.reader.catalog(request.as_of)
    const diff = differencesOf(row, catalog.proposals())
    const votes = votesWithReasons(row, catalog.governanceActs())
    const history = rowsOf(row.history).map(proposalOf)
    const takes_effect_at = effectInstantOf(row, catalog.governanceActs())
    const vetoed_before = vetoedBeforeOf(row, catalog.proposals())
    const derived = { votes, ...seatsOf(row, catalog), takes_effect_at, vetoed_before, diff }
    return { data: { ...proposalOf(row), ...derived, history } }
  },
  get_governance_impact: (request) => {
    const change_id = requiredText(request, 'change_id')
    const impact = impactOf(request.reader.catalog(request.as_of).governanceActs(), change_id)
    if (impact === null) throw missing('impact', change_id)
    return { data: impact }
  },
  list_governance_acts: listGovernanceActs,
  get_governance_act: async (request) => {
    const row = await requireGovernanceAct(request)
    return { data: governanceActOf(row), ...loggedAs(actForm(row), row) }
  },
} as const satisfies Partial<RouteHandlers>

/** Returns the asked version of a document, else the newest. @throws {ServiceError} GOVERNANCE_NOT_FOUND */
export function requireDocument(request: RouteRequest, kind: 'roster' | 'policy'): Row {
  const catalog = request.reader.catalog(request.as_of)
  const rows = kind === 'roster' ? catalog.rosters() : catalog.policies()
  const version = ordinalParameter(request, 'version') ?? Math.max(0, ...rows.map((row) => Number(row.version)))
  const found = rows.find((row) => row.version === version)
  if (found !== undefined) return found
  throw missing(kind, String(version))
}

/** Returns the act that signed a runner's last report of a change. @throws {ServiceError} GOVERNANCE_NOT_FOUND */
export function requireImpactAct(request: RouteRequest): Row {
  const [change_id, runner] = [requiredText(request, 'change_id'), textParameter(request, 'runner')]
  const acts = request.reader.catalog(request.as_of).governanceActs()
  const reports = runnerReports(acts, change_id)
  if (reports.length === 0) throw missing('impact', change_id)
  const found = reports.findLast((report) => runner === null || report.runner === runner)
  if (found === undefined) throw missing('impact_of_runner', runner!)
  return found.act as Row
}

/** Returns the proposal of a path in its newest state, with its history. @throws {ServiceError} GOVERNANCE_NOT_FOUND */
export function requireProposal(request: RouteRequest): Row {
  const proposal_id = requiredText(request, 'proposal_id')
  const row = request.reader.catalog(request.as_of).proposal(proposal_id)
  if (row !== null) return row
  throw missing('proposal', proposal_id)
}

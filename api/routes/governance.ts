import { toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import {
  differencesOf,
  governanceActOf,
  governancePolicyOf,
  governanceRosterOf,
  proposalOf,
} from '../resources/governance.ts'
import { rowsOf } from '../resources/pick.ts'
import type { RouteHandlers, RouteRequest } from '../server/handler.ts'
import { catalogPage } from './catalog-page.ts'
import { integerParameter, requiredText, textParameter } from './parameters.ts'

export const GOVERNANCE_ROUTES = {
  get_governance_roster: (request) => ({
    data: governanceRosterOf(documentOf(request, 'roster', request.reader.catalog(request.as_of).rosters())),
  }),
  get_governance_policy: (request) => ({
    data: governancePolicyOf(documentOf(request, 'policy', request.reader.catalog(request.as_of).policies())),
  }),
  list_governance_proposals: (request) => {
    const [kind, state] = [textParameter(request, 'kind'), textParameter(request, 'state')]
    return catalogPage(request, {
      rows: (catalog) => catalog.proposals(),
      keep: (row) => (kind === null || row.kind === kind) && (state === null || row.state === state),
      key: (row) => [toMicros(row.proposed_at), String(row.proposal_id)],
      show: proposalOf,
    })
  },
  get_governance_proposal: (request) => {
    const proposal_id = requiredText(request, 'proposal_id')
    const row = request.reader.catalog(request.as_of).proposal(proposal_id)
    if (row === null) throw missing('proposal', proposal_id)
    const diff = differencesOf(row, request.reader.catalog(request.as_of).proposals())
    return { data: { ...proposalOf(row), diff, history: rowsOf(row.history).map(proposalOf) } }
  },
  list_governance_acts: (request) => {
    const outcome = textParameter(request, 'outcome')
    return catalogPage(request, {
      rows: (catalog) => catalog.governanceActs(),
      keep: (row) => outcome === null || governanceActOf(row).outcome === outcome,
      key: (row) => [toMicros(row.published_at), String(row.refusal_id ?? row.act_id)],
      show: governanceActOf,
    })
  },
} as const satisfies Partial<RouteHandlers>

/** Returns the asked version of a document, else the newest. @throws {ServiceError} GOVERNANCE_NOT_FOUND */
function documentOf(request: RouteRequest, kind: 'roster' | 'policy', rows: readonly Row[]): Row {
  const asked = integerParameter(request, 'version')
  const version = asked === 0 ? Math.max(0, ...rows.map((row) => Number(row.version))) : asked
  const found = rows.find((row) => row.version === version)
  if (found !== undefined) return found
  throw missing(kind, String(asked))
}

import { type GovernanceAct, governanceActId, governanceText } from '../../pipelines/governance/acts.ts'
import type { Decision } from '../../pipelines/governance/decide.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { proposalRecord } from '../../pipelines/governance/proposal-record.ts'
import { adoptedBy } from '../../pipelines/governance/record-decision.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import type { RosterRole } from '../../vocabulary/governance.ts'
import type { Row } from '../../warehouse/schema.ts'

/** Tables of the records that follow from acts. */
export const DERIVED_TABLES = [
  'governance_proposal',
  'governance_roster',
  'governance_policy',
  'eligibility_policy',
] as const
export type DerivedTable = (typeof DERIVED_TABLES)[number]

/** Records that follow from an act, by table. */
export type DerivedRows = Readonly<Partial<Record<DerivedTable, Row>>>

/** Act with everything that its row states. */
export type RecordedAct = {
  readonly act: GovernanceAct
  readonly sequence: number
  readonly recorded_at: Micros
  readonly roles: readonly RosterRole[]
  /** null: the service, which signs nothing. */
  readonly signed: { readonly public_key: string; readonly signature: string } | null
}

/** Returns the row of an act. */
export function actRow({ act, sequence, recorded_at, roles, signed }: RecordedAct, records: DerivedRows): Row {
  const { details: _in_text, acted_at, ...named } = act
  return {
    act_id: governanceActId(act),
    sequence,
    ...named,
    roles,
    public_key: signed?.public_key ?? null,
    signed_text: governanceText(act),
    signature: signed?.signature ?? null,
    acted_at: formatMicros(acted_at),
    recorded_at: formatMicros(recorded_at),
    records: canonicalJson(records),
  }
}

/** Returns the rows that follow from a decision. @param before state of the proposal before the act; null: it is new */
export function derivedRows(
  decision: Decision,
  before: Proposal | null,
  by: { readonly act_id: string; readonly recorded_at: Micros },
): DerivedRows {
  if ('attestation' in decision) return {}
  const { proposal } = decision
  const rows = { governance_proposal: proposalRecord(proposal, by.act_id) }
  const is_adopted = proposal.state === 'effective' && before?.state !== 'effective'
  const adopted = is_adopted ? adoptedBy(proposal, by.recorded_at) : null
  if (adopted === null) return rows
  const { document, record_hash, proposal_id, effective_from } = adopted
  const { version, previous_hash } = document
  const row: Row = {
    version,
    record_hash,
    previous_hash,
    proposal_id,
    effective_from: formatMicros(effective_from),
    document: canonicalJson(document),
    act_id: by.act_id,
  }
  if (document.statement === 'tidemark.eligibility_policy.v1') {
    const { policy_id, name } = document
    return { ...rows, eligibility_policy: { policy_id, name, ...row } }
  }
  const expiring = { ...row, expires_at: document.expires_at }
  return { ...rows, [proposal.kind === 'roster' ? 'governance_roster' : 'governance_policy']: expiring }
}

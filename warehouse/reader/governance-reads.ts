import { knownAt } from './catalog-state.ts'
import type { ReferenceTableName } from './followed-tables.ts'
import type { Catalog, CatalogState } from './reader.ts'
import { type Memories, referenceOf } from './table-memory.ts'

type GovernanceReads = Pick<
  Catalog,
  | 'rosters'
  | 'policies'
  | 'proposals'
  | 'proposal'
  | 'governanceActs'
  | 'notices'
  | 'notice'
  | 'complaints'
  | 'complaint'
  | 'restatements'
  | 'restatement'
  | 'marketRevisions'
>

/** Returns the reads of the records of governance in one state. */
export function governanceReads(memories: Memories, state: CatalogState): GovernanceReads {
  const known = (table: ReferenceTableName) => referenceOf(memories, table).knownAt(knownAt(state, table))
  const proposals = () => known('governance_proposal')
  const complaints = () => known('governance_complaint')
  return {
    rosters: () => known('governance_roster').all(),
    policies: () => known('governance_policy').all(),
    proposals: () =>
      proposals()
        .allCurrent()
        .map(({ row }) => row),
    proposal: (proposal_id) => {
      const row = proposals().current({ proposal_id })
      return row === null ? null : { ...row, history: proposals().revisions(row) }
    },
    governanceActs: () => known('governance_act').all(),
    notices: () => known('governance_notice').all(),
    notice: (notice_id) => known('governance_notice').current({ notice_id }),
    complaints: () =>
      complaints()
        .allCurrent()
        .map(({ row }) => row),
    complaint: (complaint_id) => {
      const row = complaints().current({ complaint_id })
      return row === null ? null : { ...row, history: complaints().revisions(row) }
    },
    restatements: () => known('index_restatement').all(),
    restatement: (proposal_id) => known('index_restatement').current({ proposal_id }),
    marketRevisions: () => known('market').all(),
  }
}

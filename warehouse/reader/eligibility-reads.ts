import { toMicros } from '../../primitives/instants.ts'
import { knownAt } from './catalog-state.ts'
import type { ReferenceTableName } from './followed-tables.ts'
import type { Catalog, CatalogState } from './reader.ts'
import { type Memories, referenceOf } from './table-memory.ts'

type EligibilityReads = Pick<Catalog, 'eligibilityPolicies' | 'eligibilityDecision' | 'proFormas'>

/** Returns the reads of policies, decisions and announced compositions in one state. */
export function eligibilityReads(memories: Memories, state: CatalogState): EligibilityReads {
  const known = (table: ReferenceTableName) => referenceOf(memories, table).knownAt(knownAt(state, table))
  return {
    eligibilityPolicies: () => known('eligibility_policy').all(),
    eligibilityDecision: (market_id, policy_id, policy_version) =>
      known('eligibility_decision').current({ market_id, policy_id, policy_version }),
    proFormas: (index_id) =>
      known('index_pro_forma')
        .all()
        .filter((row) => row.index_id === index_id)
        .sort((a, b) => toMicros(a.effective_from) - toMicros(b.effective_from)),
  }
}

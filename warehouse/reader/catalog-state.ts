import type { Micros } from '../../primitives/instants.ts'
import {
  ELIGIBILITY_REFERENCES,
  GOVERNANCE_REFERENCES,
  REFERENCE_TABLES,
  RESTATEMENT_REFERENCES,
  type ReferenceTableName,
} from './followed-tables.ts'
import type { CatalogState } from './reader.ts'
import type { Memories } from './table-memory.ts'

/** Tables that a catalogue got later, in the order in which it got them. */
const LATER_TABLES = [...GOVERNANCE_REFERENCES, ...ELIGIBILITY_REFERENCES, ...RESTATEMENT_REFERENCES] as const

/** Tables that a catalogue shows, in the order of the stamps in a state. */
const CATALOG_TABLES: readonly CatalogTable[] = [
  ...REFERENCE_TABLES.filter((table) => !isLater(table)),
  'market_metric',
  // Last, the newest at the end, so that cursors issued before these tables still name the stamps of the others.
  ...LATER_TABLES,
]
type CatalogTable = ReferenceTableName | 'market_metric'

/** Returns the state of memory now: stamps of a table strictly increase, so the stamp of its last row identifies its rows. */
export function stateOfMemory(memories: Memories, at: Micros): CatalogState {
  return { at, known: CATALOG_TABLES.map((table) => memories.get(table)!.horizon) }
}

/** Returns the state at an instant of the past. */
export function stateAsOf(as_of: Micros): CatalogState {
  return { at: as_of, known: CATALOG_TABLES.map(() => as_of) }
}

/** Returns the stamp of the last row of a table that a state includes; 0: the state is older than the table. */
export function knownAt(state: CatalogState, table: CatalogTable): Micros {
  return state.known[CATALOG_TABLES.indexOf(table)] ?? 0
}

function isLater(table: CatalogTable): boolean {
  return LATER_TABLES.some((name) => name === table)
}

/** Reports whether memory holds every row of a state; another process may have read further. */
export function holdsState(memories: Memories, state: CatalogState): boolean {
  return CATALOG_TABLES.every((table) => memories.get(table)!.horizon >= knownAt(state, table))
}

/** Reports whether no row will be published any more that a state includes. */
export function isFinal(memories: Memories, state: CatalogState): boolean {
  return CATALOG_TABLES.every((table) => memories.get(table)!.sealed_through >= knownAt(state, table))
}

/** Returns a text that is equal for equal states only. */
export function stateKey({ at, known }: CatalogState): string {
  return [at, ...known].join(' ')
}

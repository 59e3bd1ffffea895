import type { Micros } from '../../primitives/instants.ts'
import { ARCHIVE_TABLE, type FollowedTableName } from './followed-tables.ts'
import type { HistorySource } from './history/history-source.ts'
import type { Catalog } from './reader.ts'
import type { Memories, MemoryOf, TableMemory } from './table-memory.ts'

/** Tables that an answer as of an instant was made of. */
export class UsedTables {
  readonly memories: Memories
  readonly as_of: Micros
  /** Stamp of the last row of each table when it was first used; null: the table was sealed through the instant. */
  readonly #horizons = new Map<FollowedTableName, Micros | null>()

  constructor(memories: Memories, as_of: Micros) {
    this.memories = memories
    this.as_of = as_of
  }

  note(table: FollowedTableName): void {
    if (this.#horizons.has(table)) return
    const { sealed_through, horizon } = this.memories.get(table)!
    this.#horizons.set(table, sealed_through >= this.as_of ? null : horizon)
  }

  /** Returns those of them that may still receive a row published by the instant. */
  open(): FollowedTableName[] {
    return [...this.#horizons.keys()].filter((table) => {
      const { version, sealed_through } = this.memories.get(table)!
      return version >= 0 && sealed_through < this.as_of
    })
  }

  /** Reports whether a table that was not sealed when it was used has got a row since. */
  haveChanged(): boolean {
    return [...this.#horizons].some(
      ([table, horizon]) => horizon !== null && this.memories.get(table)!.horizon !== horizon,
    )
  }

  /** Returns the memory of tables; each one asked for is noted. */
  noting(): MemoryOf {
    return {
      get: (table: FollowedTableName): TableMemory | undefined => {
        this.note(table)
        return this.memories.get(table)
      },
    }
  }

  /** Returns a source of history; each table whose files are asked for is noted. */
  notingSource(source: HistorySource): HistorySource {
    return {
      query: source.query,
      snapshot: (table) => {
        if (table !== ARCHIVE_TABLE) this.note(table)
        return source.snapshot(table)
      },
    }
  }

  /** Returns a catalogue that notes the tables behind each of its reads: it computes rows once, so later reads touch no memory. */
  notingCatalog(catalog: Catalog): Catalog {
    const reads = Object.entries(CATALOG_TABLES_OF).map(([name, tables]) => {
      const read = catalog[name as keyof typeof CATALOG_TABLES_OF] as (...keys: never[]) => unknown
      const noted = (...keys: never[]) => {
        for (const table of tables) this.note(table)
        return read(...keys)
      }
      return [name, noted] as const
    })
    return { ...catalog, ...Object.fromEntries(reads) }
  }
}

const INDEX = ['index_definition', 'index_version'] as const
const VERSION = ['index_version', 'index_link'] as const
const RESOLUTION = ['market_resolution'] as const
const MARKET = ['market', 'event', 'market_eligibility', 'market_metric', ...RESOLUTION] as const
const SEVERITY_INDEX = ['severity_index_definition', 'severity_index_version'] as const

/** Tables that each read of a catalogue is made of. */
export const CATALOG_TABLES_OF = {
  indexes: INDEX,
  index: INDEX,
  versions: VERSION,
  version: VERSION,
  methodology: ['methodology'],
  methodologies: ['methodology'],
  events: MARKET,
  event: MARKET,
  markets: MARKET,
  market: MARKET,
  resolution: RESOLUTION,
  resolutions: RESOLUTION,
  allResolutions: RESOLUTION,
  resolutionHistory: RESOLUTION,
  assessmentMethodologies: ['assessment_methodology'],
  assessmentMethodology: ['assessment_methodology'],
  severityIndexes: SEVERITY_INDEX,
  severityIndex: SEVERITY_INDEX,
  severityIndexVersion: SEVERITY_INDEX,
  rosters: ['governance_roster'],
  policies: ['governance_policy'],
  proposals: ['governance_proposal'],
  proposal: ['governance_proposal'],
  governanceActs: ['governance_act'],
  notices: ['governance_notice'],
  notice: ['governance_notice'],
  complaints: ['governance_complaint'],
  complaint: ['governance_complaint'],
  restatements: ['index_restatement'],
  restatement: ['index_restatement'],
  marketRevisions: ['market'],
  eligibilityPolicies: ['eligibility_policy'],
  eligibilityDecision: ['eligibility_decision'],
  proFormas: ['index_pro_forma'],
} as const satisfies Readonly<Record<Exclude<keyof Catalog, 'state'>, readonly FollowedTableName[]>>

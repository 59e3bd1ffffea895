import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Connection } from '../duckdb/memory-database.ts'
import type { Row } from '../schema.ts'
import type { Store } from '../store/store.ts'
import type { TableLog } from '../warehouse.ts'
import type { CommitVersions } from './commit-versions.ts'
import { seqOf } from './placed-row.ts'
import type { VerifyFiles } from './verified-paths.ts'

/** Dependencies of loading a table. */
export type LoadContext = {
  readonly connection: Connection
  readonly versions: CommitVersions
  readonly verify: VerifyFiles
  readonly store: Store
  readonly commit: TableLog['commit']
  readonly now_ms: number
  /** Commits since then are kept for resuming. */
  readonly recent_since_ms: number
}

/** Last version that is read by one query rather than commit by commit, and the stamp of its last row. */
export type LoadBase = { readonly version: number; readonly stamp: Micros }

/** Returns the seq of a stored row. @param last a version that contains the row */
export async function seqOfRow(row: Row, last: number, versions: CommitVersions): Promise<number> {
  return seqOf(await versions.versionOf(toMicros(row.published_at), last), row.row_ordinal as number)
}

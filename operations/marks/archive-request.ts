import type { Micros } from '../../primitives/instants.ts'
import type { ImportClock } from '../../vocabulary/ingest.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

/** A market of an archive, and the instants [from, to) from which its records could be known. */
type ArchiveMarket = { readonly market_id: string; readonly from: Micros; readonly to: Micros }

export type ArchiveMarksRequest = {
  readonly warehouse: Warehouse
  readonly clock: ImportClock
  readonly markets: readonly ArchiveMarket[]
  /** True: records of these ranges were read later, by a backfill, and count from their source instant. */
  readonly is_late: boolean
  readonly signal?: AbortSignal | undefined
  /** Receives the number of marks that are published so far. */
  readonly on_published?: (marks_published: number) => void
}

import type { LineSink } from '../../../pipelines/governance/impact/compare-levels.ts'
import type { Instant } from '../../../primitives/instants.ts'
import type { ImpactEngine } from '../../../vocabulary/governance.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'

export type ImpactRequest = {
  /** File of a change: a definition with one version that is not published, or a form. */
  readonly file: string
  /** null: as in the first report of the change, else 90 days. */
  readonly from: Instant | null
  readonly to: Instant | null
  /** null: as in the first report of the change, else now. */
  readonly as_of: Instant | null
  readonly engine: ImpactEngine
  readonly warehouse: Warehouse
  /** Receives the data as lines of CSV: levels side by side, or markets. */
  readonly lines?: LineSink | undefined
  readonly signal?: AbortSignal | undefined
}

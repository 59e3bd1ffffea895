import type { Micros } from '../../primitives/instants.ts'
import type { TableName } from '../tables.ts'

/** A live data file of a snapshot, with the range of published_at inside it. */
export type SourceFile = {
  readonly path: string
  readonly rows: number
  readonly published_from: Micros
  readonly published_to: Micros
}

/** The derived interval file that a reader may use for a table (warehouse/intervals). */
export type SourceIntervals = {
  readonly path: string
  /** The last published_at among the rows it was made from. */
  readonly covered_to: Micros
}

/** Everything a read of one table needs, as plain data: it can be handed to another process. */
export type TableSource = {
  readonly table: TableName
  readonly files: readonly SourceFile[]
  readonly intervals: SourceIntervals | null
}

import type { Micros } from '../../primitives/instants.ts'
import type { TableName } from '../tables.ts'

/** Live data file of a snapshot, with its range of published_at. */
export type SourceFile = {
  readonly path: string
  readonly rows: number
  readonly published_from: Micros
  readonly published_to: Micros
}

/** Derived interval file that a reader may use for a table (warehouse/intervals). */
export type SourceIntervals = {
  readonly path: string
  /** The last published_at among the rows it was made from. */
  readonly covered_to: Micros
}

/** Input of a read of one table, as plain data that can be sent to another process. */
export type TableSource = {
  readonly table: TableName
  readonly files: readonly SourceFile[]
  readonly intervals: SourceIntervals | null
}

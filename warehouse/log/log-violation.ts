import type { TableName } from '../tables.ts'

/** Faults of a table's log and data files. */
type Rule =
  | 'LOG_FILE_DAMAGED'
  | 'LOG_FILE_MISSING'
  | 'LOG_ARCHIVE_DAMAGED'
  | 'LOG_ARCHIVE_DIFFERS'
  | 'HASH_CHAIN'
  | 'COMMIT_TIME_ORDER'
  | 'STAMP_ORDER'
  | 'SEAL_BROKEN'
  | 'STAMP_PARTITION'
  | 'COMPACTION_ROWS'
  | 'CHECKPOINT_DAMAGED'
  | 'CHECKPOINT_DIFFERS'
  | 'DATA_FILE_DAMAGED'
  | 'ROW_COUNT'
  | 'PUBLISHED_AT'
  | 'ROW_ORDINAL'

export type LogViolation = {
  readonly table: TableName
  readonly file: string
  readonly version: number
  readonly rule: Rule
  readonly detail: string
}

export type Report = (version: number, file: string, rule: Rule, detail: string) => void

import { join } from 'node:path'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { Micros } from '../../primitives/instants.ts'
import { type TableName, tableSchema } from '../tables.ts'

/**
 * Describes the origin of a derived interval file. Both are outside the table's folder: the file is never part of the table
 * and may be deleted at any time.
 */
export type IntervalManifest = {
  readonly table: TableName
  readonly table_id: string
  /** The last log version that the file covers, and that version's own hash. */
  readonly version: number
  readonly commit_sha256: string
  /** The last published_at among the rows of that version. */
  readonly covered_to: Micros
  /** Hash of the table's columns, chain, current key and order; a change of these makes the file invalid. */
  readonly schema_sha256: string
  readonly rows: number
  readonly file: string
  readonly file_bytes: number
  readonly file_sha256: string
}

/** Returns the folder of everything derived from one table. */
export function derivedFolder(root: string, table: TableName): string {
  return join(root, '.derived', table)
}

/** Returns the path of the one manifest, which is replaced as a whole. */
export function manifestPath(root: string, table: TableName): string {
  return join(derivedFolder(root, table), 'intervals.json')
}

/** Returns the hash of the file's format. */
export function schemaHash(table: TableName): string {
  const { columns, chain, current, sort } = tableSchema(table)
  return contentHash({ format: 1, columns, chain, current, sort })
}

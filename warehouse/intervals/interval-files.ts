import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { contentHash } from '../../primitives/canonical-json.ts'
import type { Micros } from '../../primitives/instants.ts'
import { type TableName, tableSchema } from '../tables.ts'

/**
 * States what a derived interval file was made from. It lies beside the file, outside the table's folder: the file is
 * never part of the table and may be deleted at any time.
 */
export type IntervalManifest = {
  readonly table: TableName
  readonly table_id: string
  /** The last log version that the file covers, and that version's own hash. */
  readonly version: number
  readonly commit_sha256: string
  /** The last published_at among the rows of that version. */
  readonly covered_to: Micros
  /** Of the table's columns, chain, current key and order: another form needs another file. */
  readonly schema_sha256: string
  readonly rows: number
  readonly file: string
  readonly file_bytes: number
  readonly file_sha256: string
}

/** Folder of everything derived from one table. */
export function derivedFolder(root: string, table: TableName): string {
  return join(root, '.derived', table)
}

/** Path of the manifest: there is one, it is replaced as a whole. */
export function manifestPath(root: string, table: TableName): string {
  return join(derivedFolder(root, table), 'intervals.json')
}

/** Identity of the form that the file has. */
export function schemaHash(table: TableName): string {
  const { columns, chain, current, sort } = tableSchema(table)
  return contentHash({ format: 1, columns, chain, current, sort })
}

/** SHA-256 of a file, read in pieces. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer)
  return hash.digest('hex')
}

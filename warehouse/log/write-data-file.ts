import { randomUUID } from 'node:crypto'
import { utcDay } from '../../primitives/instants.ts'
import type { RowList } from '../schema.ts'
import type { StoreKey } from '../store/store.ts'
import type { AddFile } from './actions.ts'
import { type PublishedAt, stampRange } from './choose-stamp.ts'
import type { LogContext } from './log-context.ts'
import { PARTITION_COLUMN } from './table-definition.ts'

/** The data file could not be written, so nothing was committed. */
export class DataFileFailed extends Error {
  override readonly name = 'DataFileFailed'
}

type DataFile = { readonly key: StoreKey; readonly add: AddFile }

/**
 * Writes the rows of a commit, stamped `published_at`, to a new file.
 * @throws {DataFileFailed} with the error as its cause
 */
export async function writeDataFile(
  { store, engine, schema, table }: LogContext,
  rows: RowList,
  published_at: PublishedAt,
): Promise<DataFile> {
  const { first, last } = stampRange(published_at)
  const published_date = utcDay(last)
  const path = `${PARTITION_COLUMN}=${published_date}/part-${randomUUID()}.zstd.parquet`
  const key = `${table}/${path}`
  let stats = ''
  const write = async (local_path: string) => {
    stats = await engine.writeRows({ table, schema, rows, published_at }, local_path)
  }
  const file = await store.putProduced(key, write).catch((cause) => {
    throw new DataFileFailed(`${key} could not be written`, { cause })
  })
  const add: AddFile = {
    path,
    partitionValues: { published_date },
    size: file.size_bytes,
    modificationTime: Math.floor(file.modified_at / 1000),
    dataChange: true,
    stats,
    tags: {
      'tidemark.sha256': file.sha256,
      'tidemark.stamp_min': String(first),
      'tidemark.stamp_max': String(last),
    },
  }
  return { key, add }
}

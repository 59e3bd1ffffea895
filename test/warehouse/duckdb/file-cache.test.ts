import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemoryDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'
import { createParquetEngine } from '../../../warehouse/parquet/parquet-engine.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const CACHED = `select coalesce(sum(memory_usage_bytes), 0)::bigint as bytes from duckdb_memory() where tag = 'EXTERNAL_FILE_CACHE'`

test('files that a merge has read are not kept in memory', async () => {
  const file = join(tempFolder(), 'some.parquet')
  const engine = createParquetEngine()
  await engine.query(`copy (select range as n, md5(range::varchar) as text from range(100000)) to '${file}'`)
  await engine.query(`select count(text) from read_parquet('${file}')`)
  expect(await engine.query(CACHED)).toEqual([{ bytes: '0' }])
  // DuckDB by itself keeps parts of it, so the question above is one that can fail.
  const caching = await openMemoryDatabase({ enable_external_file_cache: 'true' })
  await readRows(caching.connection, `select count(text) from read_parquet('${file}')`)
  expect(Number((await readRows(caching.connection, CACHED))[0]!.bytes)).toBeGreaterThan(0)
  caching.close()
})

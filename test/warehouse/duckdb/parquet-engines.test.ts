import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createParquetEngine, type ParquetEngine } from '../../../warehouse/parquet/parquet-engine.ts'
import type { TableSchema } from '../../../warehouse/schema.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const schemaOf = (type: 'VARCHAR' | 'BIGINT'): TableSchema => {
  return { columns: { v: type }, required: ['v'], chain: ['v'], current: ['v'], sort: ['v'] }
}

type Write = { readonly schema: TableSchema; readonly values: readonly (string | number)[]; readonly path: string }

const write = (engine: ParquetEngine, { schema, values, path }: Write) => {
  const rows = values.map((v) => ({ v }))
  return engine.writeRows({ table: 'one_name', schema, rows, published_at: 1 }, path)
}

const read = async (engine: ParquetEngine, path: string) => {
  const rows = await engine.query(`select v from read_parquet('${path}') order by row_ordinal`)
  return rows.map(({ v }) => v)
}

test('engines of one process write tables of one name at the same time, each its own rows and columns', async () => {
  const writes = Array.from({ length: 12 }, (_, n): Write => {
    const path = join(folder, `${n}.parquet`)
    return n % 2 === 0
      ? { schema: schemaOf('VARCHAR'), values: Array.from({ length: 300 }, (_, i) => `${n}-${i}`), path }
      : { schema: schemaOf('BIGINT'), values: Array.from({ length: 200 }, (_, i) => n * 1000 + i), path }
  })
  const engines = writes.map(createParquetEngine)
  await Promise.all(writes.map((one, n) => write(engines[n]!, one)))
  for (const { values, path } of writes) expect(await read(engines[0]!, path)).toEqual(values.map(String))
})

test('a batch that is refused, or whose file cannot be written, leaves the next batch whole', async () => {
  const engine = createParquetEngine()
  const schema = schemaOf('BIGINT')
  const path = join(folder, 'next.parquet')
  const refused = write(engine, { schema, values: [1, 'two'], path })
  await expect(refused).rejects.toThrow('one_name.v')
  const unwritten = write(engine, { schema, values: [1], path: join(folder, 'absent', 'x.parquet') })
  await expect(unwritten).rejects.toThrow('absent')
  await write(engine, { schema, values: [3, 4], path })
  expect(await read(engine, path)).toEqual(['3', '4'])
})

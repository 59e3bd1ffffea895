import { expect, test } from 'vitest'
import { openSharedDatabase, readRows } from '../../../warehouse/duckdb/memory-database.ts'

test('databases of the shared instance do not see each other, and closing one leaves the other', async () => {
  const [one, other] = [await openSharedDatabase(), await openSharedDatabase()]
  await one.connection.run('create view level as select 1::integer as n')
  await other.connection.run('create view level as select 2::integer as n')
  expect(await readRows(one.connection, 'from level')).toEqual([{ n: 1 }])
  await one.close()
  expect(await readRows(other.connection, 'from level')).toEqual([{ n: 2 }])
  await other.close()
  const later = await openSharedDatabase()
  await expect(readRows(later.connection, 'from level')).rejects.toThrow('level does not exist')
  await later.close()
})

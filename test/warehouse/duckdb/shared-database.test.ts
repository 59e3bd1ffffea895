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

test('an empty one is used again by one other, and one in which something was made by nobody', async () => {
  const nameOf = async ({ connection }: Awaited<ReturnType<typeof openSharedDatabase>>) =>
    (await readRows(connection, 'select current_database() as name'))[0]!.name
  const first = await openSharedDatabase()
  const name = await nameOf(first)
  await first.close(true)
  await first.close(true)
  const [second, third] = [await openSharedDatabase(), await openSharedDatabase()]
  expect(await nameOf(second)).toBe(name)
  expect(await nameOf(third)).not.toBe(name)
  await second.connection.run('create table kept (x integer)')
  await Promise.all([second.close(), third.close()])
  const last = await openSharedDatabase()
  expect(await nameOf(last)).not.toBe(name)
  await last.close(true)
})

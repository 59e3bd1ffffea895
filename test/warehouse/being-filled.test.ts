import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openReader } from '../../warehouse/reader/open-reader.ts'
import { ReaderHealth } from '../../warehouse/reader/reader-health.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../support/patient-queries.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a warehouse that is filled for the first time says what is loaded', async () => {
  const root = join(tempFolder(), 'warehouse')
  await mkdir(`${root}.making`)
  await expect(openWarehouse({ root })).rejects.toMatchObject({
    code: 'WAREHOUSE_NOT_FOUND',
    message: expect.stringMatching(/first data of the warehouse .* several minutes/),
  })
})

test.each([
  ['being filled', (root: string) => mkdir(`${root}.making`), /^the first data of the warehouse is still being loaded/],
  [
    'missing',
    async () => undefined,
    /^there is no warehouse in warehouse; allowed: .*import.*index apply.*worker.*up` has made$/,
  ],
  ['damaged', damaged, /^warehouse.json of warehouse warehouse is damaged/],
])('the status of a reader, which anybody may read, names no path: %s', async (_, make, said) => {
  const root = join(tempFolder(), 'warehouse')
  await make(root)
  const reader = await openReader({ root, interval_ms: 20, limits: PATIENT_QUERIES })
  const { reason } = reader.status()
  await reader.close()
  expect(reason).toMatch(said)
  expect(reason).not.toContain(dirname(root))
})

test('the status of a reader names an object store as the command line does: its address is no path of the machine', () => {
  const health = new ReaderHealth('s3://tidemark/warehouse', () => undefined)
  health.update('warehouse', new Error('there is no warehouse in s3://tidemark/warehouse'), 0)
  expect(health.current().reason).toBe('there is no warehouse in s3://tidemark/warehouse')
})

async function damaged(root: string): Promise<void> {
  await mkdir(root)
  await writeFile(join(root, 'warehouse.json'), 'x')
}

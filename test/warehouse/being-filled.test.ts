import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { tempFolder } from '../support/temp-folder.ts'

test('a warehouse that is filled for the first time names the folder where its data is now', async () => {
  const root = join(tempFolder(), 'warehouse')
  await mkdir(`${root}.making`)
  await expect(openWarehouse({ root })).rejects.toMatchObject({
    code: 'WAREHOUSE_NOT_FOUND',
    message: expect.stringMatching(/first data .* in \S+\/warehouse\.making .* several minutes/),
  })
})

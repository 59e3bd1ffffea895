import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isNewWarehouse } from '../../../operations/sample/make-warehouse.ts'
import { answersMeanwhile } from '../../../service/up/seed-warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('progress names the folder that is filled only while a new warehouse is made there', async () => {
  const root = join(tempFolder(), 'warehouse')
  const said = async () => answersMeanwhile(root, await isNewWarehouse(root))
  expect(await said()).toContain(`503 until the first data is loaded (in ${root}.making)`)
  mkdirSync(root)
  expect(await said()).toContain('503')
  writeFileSync(join(root, 'warehouse.json'), '{}')
  expect(await said()).toBe('public answers come from the data that is there already')
  expect(await isNewWarehouse('s3://bucket/warehouse')).toBe(false)
  expect(answersMeanwhile('s3://bucket/warehouse', false)).toBe('the API starts once the first data is loaded')
})

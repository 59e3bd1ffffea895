import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noteSimulatedVenues, readSimulatedVenues } from '../../warehouse/simulated-venues.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()
const NOTE = 'simulated-venues.json'

function emptyRoot(name: string): string {
  const root = join(folder, name)
  mkdirSync(root)
  return root
}

test('a warehouse without a note has no simulated venue', async () => {
  expect(await readSimulatedVenues(emptyRoot('none'))).toEqual(new Set())
})

test('what was noted stays noted, and the same note is not written again', async () => {
  const root = emptyRoot('noted')
  await noteSimulatedVenues(root, ['manifold', 'kalshi'])
  await noteSimulatedVenues(root, ['usgs'])
  expect(await readSimulatedVenues(root)).toEqual(new Set(['kalshi', 'manifold', 'usgs']))
  const text = readFileSync(join(root, NOTE), 'utf8')
  expect(text).toBe('{"format":1,"venue_ids":["kalshi","manifold","usgs"]}\n')
  writeFileSync(join(root, NOTE), text.trim())
  await noteSimulatedVenues(root, ['kalshi'])
  expect(readFileSync(join(root, NOTE), 'utf8')).toBe(text.trim())
})

test('a note of a later format is refused as one', async () => {
  const root = emptyRoot('later')
  writeFileSync(join(root, NOTE), '{"format":2,"venue_ids":[]}')
  await expect(readSimulatedVenues(root)).rejects.toMatchObject({ code: 'WAREHOUSE_SCHEMA_CHANGED' })
})

test.each(['{"format":1', '{"format":1,"venue_ids":[1]}', '{"format":1}', ''])(
  'a damaged note %j is refused with its file and what is allowed',
  async (text) => {
    const root = emptyRoot(`damaged-${text.length}`)
    writeFileSync(join(root, NOTE), text)
    await expect(readSimulatedVenues(root)).rejects.toMatchObject({
      code: 'WAREHOUSE_CORRUPT',
      message: expect.stringMatching(/simulated-venues\.json is damaged; allowed: \{"format":1/),
    })
  },
)

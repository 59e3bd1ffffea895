import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { questionLine, valueLine, writeArchive } from '../../support/archive-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
})
afterAll(() => warehouse.close())

const apply = (name: string, constituents: string) => {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(
    file,
    `
index: { index_id: idx_${name}, slug: ${name}, symbol: ${name.toUpperCase()}, name: ${name}, unit: index_points, base_value: "1000", base_date: 2026-01-01T00:00:00Z }
methodology: { methodology_id: mth_${name}, version: "1", name: ${name}, parameters: { mode: chain_linked } }
versions:
  - version: "1"
    effective_from: 2026-01-01T00:00:00Z
    calculation_frequency: P1D
    constituents:
${constituents}
`,
  )
  return applyDefinitions({ files: [file], clock: 'wall', warehouse })
}
const single = (venue: string) =>
  `      - { constituent_id: con_a, venue_id: ${venue}, source_market_id: m, target_weight: "1" }`

test.each(['predictit', 'betfair', 'gdacs', 'usgs'])(
  '%s may not enter an index: nothing is published',
  async (venue) => {
    await expect(apply(venue, single(venue))).rejects.toMatchObject({
      code: 'INDEX_SOURCE_NOT_ELIGIBLE',
      exit_code: 2,
      message: `venue_id of constituent con_a in version 1 of idx_${venue} is "${venue}"; allowed: a source eligible for indexes (not predictit, betfair, usgs or gdacs)`,
    })
    expect((await warehouse.log('index_definition').snapshot()).rows).toBe(0)
  },
)

test('nor as one leg of a pool', async () => {
  const legs = ['polymarket', 'betfair'].map((venue) => `{ venue_id: ${venue}, source_market_id: m, outcome: "YES" }`)
  const pool = `      - { constituent_id: con_a, normalization: logodds_pool, target_weight: "1", legs: [${legs}] }`
  await expect(apply('pool', pool)).rejects.toMatchObject({ code: 'INDEX_SOURCE_NOT_ELIGIBLE' })
})

test.each(['polymarket', 'sample', 'v'])('%s may: it has terms, or may be the venue of an archive', async (venue) => {
  expect(await apply(`of_${venue}`, single(venue))).toMatchObject({ indexes: [{ created: true }] })
})

test('a misspelled venue is named with the nearest one, in any leg', async () => {
  await expect(apply('typo', single('manifol'))).rejects.toMatchObject({
    code: 'VALIDATION_DEFINITION_INVALID',
    message: expect.stringMatching(
      /^venue_id of constituent con_a in version 1 is "manifol" \(did you mean manifold\?\); allowed: betfair, .*kalshi, /,
    ),
  })
  const legs = ['polymarket', 'polymarkt'].map((venue) => `{ venue_id: ${venue}, source_market_id: m, outcome: "YES" }`)
  const pool = `      - { constituent_id: con_a, normalization: logodds_pool, target_weight: "1", legs: [${legs}] }`
  await expect(apply('typo', pool)).rejects.toThrow('did you mean polymarket?')
})

test('a name like that of a known venue may, once a quote of it is stored', async () => {
  await expect(apply('of_kalsh', single('kalsh'))).rejects.toThrow('did you mean kalshi?')
  const line = valueLine(['s1', 'm', 1, '01T06:00', '0.5']).replace(',v,', ',kalsh,')
  const dir = writeArchive(join(folder, 'archive'), [line])
  await importArchive({ archive: 'forecastbench', dir, clock: 'wall', warehouse })
  expect(await apply('of_kalsh', single('kalsh'))).toMatchObject({ indexes: [{ created: true }] })
})

test('an outcome that a stored market does not have is refused, and those that it has are named', async () => {
  const dir = writeArchive(join(folder, 'described'), [], [questionLine('s1', 'm', '2026-01-01T06:00:00+00:00')])
  await importArchive({ archive: 'forecastbench', dir, clock: 'wall', warehouse })
  const of = (outcome: string) =>
    single('v').replace('source_market_id: m', `source_market_id: m, outcome: "${outcome}"`)
  await expect(apply('of_maybe', of('Maybe'))).rejects.toMatchObject({
    code: 'VALIDATION_DEFINITION_INVALID',
    message: 'outcome of constituent con_a in version 1 is "Maybe"; allowed: YES, NO',
  })
  expect(await apply('of_no', of('NO'))).toMatchObject({ indexes: [{ created: true }] })
})

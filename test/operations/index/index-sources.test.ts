import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { applyDefinitions, validateDefinitions } from '../../../operations/index/apply-definitions.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { questionLine, valueLine, writeArchive } from '../../support/archive-folder.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
})
afterAll(() => warehouse.close())

const define = (name: string, constituents: string) => {
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
  return { files: [file], clock: 'wall', warehouse } as const
}
const apply = (name: string, constituents: string) => applyDefinitions(define(name, constituents))
/** A message about a line of a file, ending with these words. */
const said = (words: string) => new RegExp(`\\.yaml:\\d+: ${words.replaceAll(/[()?]/g, '\\$&')}$`)
/** The same as the command line asks. */
const strict = (name: string, constituents: string) =>
  applyDefinitions({ ...define(name, constituents), unknown_markets: 'refused' })
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
      /\.yaml:\d+: venue_id of constituent con_a in version 1 is "manifol" \(did you mean manifold\?\); allowed: betfair, .*kalshi, /,
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
    message: expect.stringMatching(said('outcome of constituent con_a in version 1 is "Maybe"; allowed: YES, NO')),
  })
  expect(await apply('of_no', of('NO'))).toMatchObject({ indexes: [{ created: true }] })
})

describe('a version whose constituents have no mark at its link', () => {
  const QUOTED = single('kalsh')
  const defined = (name: string, ...starts: readonly string[]) => {
    const { files, ...rest } = define(name, QUOTED)
    const text = readFileSync(files[0]!, 'utf8').replace(/( {4}effective_from: ).*/, `$1${starts[0]}`)
    const more = starts.slice(1).map((start, i) => {
      const head = `  - version: "${i + 2}"\n    effective_from: ${start}\n    calculation_frequency: P1D\n`
      return `${head}    constituents:\n${QUOTED}\n`
    })
    writeFileSync(files[0]!, text + more.join(''))
    return { ...rest, files, unknown_markets: 'refused' } as const
  }
  const first = '2026-01-01T00:00:00Z'

  test('is refused with what is missing; marks are carried for a day', async () => {
    const linked = await validateDefinitions(defined('linked', first, '2026-01-01T18:00:00Z'))
    expect(linked.indexes).toMatchObject([{ silent_constituents: [] }])
    const late = defined('late', first, '2026-01-05T00:00:00Z')
    await expect(validateDefinitions(late)).rejects.toMatchObject({
      code: 'INDEX_LINK_UNSTABLE',
      message: expect.stringContaining(
        'version 2 of idx_late cannot be linked: constituent con_a of version 2 has no mark at 2026-01-05T00:00:00Z: the newest quote is of 2026-01-01T00:00:00Z, and marks are carried for PT24H',
      ),
    })
    await expect(applyDefinitions(late)).rejects.toMatchObject({ code: 'INDEX_LINK_UNSTABLE' })
    expect(await validateDefinitions({ ...late, unknown_markets: 'allowed' })).toMatchObject({
      indexes: [{ versions_published: ['1', '2'], silent_constituents: [] }],
    })
  })

  test('is only warned of where nothing is linked: the first version waits for its first mark', async () => {
    const { indexes } = await validateDefinitions(defined('waiting', '2026-01-05T00:00:00Z'))
    expect(indexes).toMatchObject([{ silent_constituents: [{ constituent_id: 'con_a', max_carry: 'PT24H' }] }])
  })
})

describe('markets that the warehouse does not know', () => {
  const market = (venue: string, id: string, outcome = 'YES') =>
    single(venue).replace('source_market_id: m', `source_market_id: ${id}, outcome: "${outcome}"`)

  beforeAll(async () => {
    const question = questionLine('s1', 'harbor-election-2026', '2026-01-01T06:00:00+00:00')
    const dir = writeArchive(join(folder, 'known'), [], [question])
    await importArchive({ archive: 'forecastbench', dir, clock: 'wall', warehouse })
  })

  test('are refused with the nearest one, and accepted where they are allowed', async () => {
    const before = (await warehouse.log('index_definition').snapshot()).rows
    await expect(strict('planned', market('v', 'harbor-electoin-2026'))).rejects.toMatchObject({
      code: 'VALIDATION_DEFINITION_INVALID',
      exit_code: 2,
      message: expect.stringMatching(
        said(
          'source_market_id of constituent con_a in version 1 is "harbor-electoin-2026" (did you mean harbor-election-2026?); allowed: harbor-election-2026, m, or any with --allow-unknown',
        ),
      ),
    })
    expect((await warehouse.log('index_definition').snapshot()).rows).toBe(before)
    expect(await strict('known', market('v', 'harbor-election-2026'))).toMatchObject({ indexes: [{ created: true }] })
    expect(await apply('planned', market('v', 'harbor-electoin-2026'))).toMatchObject({ indexes: [{ created: true }] })
  })

  test('of a version that is published already pass unchanged', async () => {
    const again = await strict('planned', market('v', 'harbor-electoin-2026'))
    expect(again.indexes).toMatchObject([{ versions_published: [], versions_unchanged: ['1'] }])
  })

  test('a venue without any says so', async () => {
    await expect(strict('empty', single('kalshi'))).rejects.toThrow(
      'allowed: a market that was imported; kalshi has none',
    )
  })

  test('a market that quotes alone describe is known, and so are its outcomes', async () => {
    expect(await strict('quoted', market('kalsh', 'm'))).toMatchObject({ indexes: [{ created: true }] })
    await expect(strict('quoted_maybe', market('kalsh', 'm', 'Maybe'))).rejects.toThrow(
      'outcome of constituent con_a in version 1 is "Maybe"; allowed: an outcome with stored quotes',
    )
  })

  test('an outcome that differs in case alone is named', async () => {
    await expect(strict('lower', market('v', 'm', 'yes'))).rejects.toThrow(
      'is "yes" (did you mean YES?); allowed: YES, NO',
    )
  })

  test('a validation refuses what an application refuses, and publishes nothing', async () => {
    const before = (await warehouse.log('index_definition').snapshot()).rows
    const valid = await validateDefinitions(define('valid', market('v', 'harbor-election-2026')))
    expect(valid.indexes).toMatchObject([{ index_id: 'idx_valid', created: true, versions_published: ['1'] }])
    const unknown = { ...define('invalid', market('v', 'nowhere')), unknown_markets: 'refused' } as const
    await expect(validateDefinitions(unknown)).rejects.toMatchObject({ code: 'VALIDATION_DEFINITION_INVALID' })
    expect((await warehouse.log('index_definition').snapshot()).rows).toBe(before)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportReport } from '../../../operations/import/import-archive.ts'
import { formatMicros, microsOf, toMicros } from '../../../primitives/instants.ts'
import { fromScaled, quantize } from '../../../primitives/scaled.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { runArchive } from '../../support/run/run-archive.ts'
import { sized } from '../../support/sized.ts'

/** Counts of the archive's files, taken without the code under test; the short form ends on 2026-01-19. */
const COUNTS = sized(
  {
    ...{ rows: 32_980, chains: 32_855, revised: 125, instants: 155, resolutions: 379, late: 231 },
    ...{ asked: 24_642, first_differ: 32, still_differ: 0, last_source_at: '2026-01-18T00:00:00Z' },
    ...{ end: '2026-02-16T00:00:00Z', total: '9013.994', final: 378, published: [100, 154] },
  },
  {
    ...{ rows: 154_289, chains: 154_079, revised: 210, instants: 850, resolutions: 790, late: 465 },
    ...{ asked: 102_341, first_differ: 66, still_differ: 3, last_source_at: '2026-08-20T00:00:00Z' },
    ...{ end: '2026-08-22T00:00:00Z', total: '47195.279', final: 789, published: [0, 1, 100, 311, 500, 702, 849] },
  },
)

describe('the recorded ForecastBench archive under the recorded clock', () => {
  let warehouse: Warehouse
  let report: ImportReport
  let dir: string

  beforeAll(async () => {
    const archive = await runArchive()
    warehouse = await openWarehouse({ root: archive.root })
    report = archive.report
    dir = archive.dir
  }, 240_000)
  afterAll(() => warehouse.close())

  async function ask(as_of: string, sql: string): Promise<Row[]> {
    const session = await openReadSession(warehouse, { as_of: toMicros(as_of) })
    try {
      return await session.query(sql)
    } finally {
      await session.close()
    }
  }

  test('takes every row', () => {
    expect(report).toMatchObject({
      records_read: COUNTS.rows,
      records_new: COUNTS.chains,
      records_revised: COUNTS.revised,
      records_duplicate: 0,
      records_quarantined: 0,
      first_source_at: '2025-10-27T00:00:00Z',
      last_source_at: COUNTS.last_source_at,
    })
  })

  const VISIBLE = `
    select count(*) as chains, cast(sum(value) as decimal(18,3)) as total, count(*) filter (is_final) as final
    from market_observation`

  test.each([
    ['2026-01-17T00:00:00Z', 30_675, '8354.127', 374],
    [COUNTS.end, COUNTS.chains, COUNTS.total, COUNTS.final],
  ])('as of %s: %d chains, sum %s, %d final', async (as_of, chains, total, final) => {
    expect(await ask(as_of, VISIBLE)).toEqual([{ chains, total, final }])
  })

  test('Metaculus 5768 of set 2025-11-23 on 2026-01-01: 0, then corrected to 1, all three rows kept', async () => {
    const where = `source_market_id = '5768' and source_series_id = '2025-11-23' and source_at = '2026-01-01T00:00:00Z'`
    const current = `select value, revision, is_final from market_observation where venue_id = 'metaculus' and ${where}`
    expect(await ask('2026-01-17T00:00:00Z', current)).toEqual([{ value: '0.000000000', revision: 2, is_final: true }])
    expect(await ask('2026-01-19T00:00:00Z', current)).toEqual([{ value: '1.000000000', revision: 3, is_final: true }])
    const history = `select revision, raw_value, correction_reason from market_observation_history where ${where} order by revision`
    expect(await ask('2026-01-19T00:00:00Z', history)).toEqual([
      { revision: 1, raw_value: '0.001', correction_reason: null },
      { revision: 2, raw_value: '0.0', correction_reason: 'RESOLVED' },
      { revision: 3, raw_value: '1.0', correction_reason: 'RESOLUTION_CORRECTED' },
    ])
    const resolution = `select finality, payouts[1].payout as yes, revision from market_resolution where ${where}`
    expect(await ask('2026-01-17T00:00:00Z', resolution)).toEqual([
      { finality: 'final', yes: '0.000000000', revision: 1 },
    ])
    expect(await ask('2026-01-19T00:00:00Z', resolution)).toEqual([
      { finality: 'final', yes: '1.000000000', revision: 2 },
    ])
  })

  test('as of instants all over the archive: what a fold of the file says', async () => {
    const rows = fileRows(dir)
    const published = [...new Set(rows.map((row) => row.published_at))]
    const instants = COUNTS.published.flatMap((n) => [published[n]! - 1, published[n]!])
    for (const at of instants) {
      expect(await ask(formatMicros(at), VISIBLE_EXACT)).toEqual([foldUntil(rows, at)])
    }
  })

  test('the long view, the resolutions and the chains agree at the end', async () => {
    const [counts] = await ask(
      COUNTS.end,
      `select
        (select count(*) from market_observation_history) as rows,
        (select count(*) from market_observation_history where published_at <> received_at) as unlike,
        (select count(*) from market_observation_history where (supersedes_id is null) <> (revision = 1)) as broken,
        (select count(*) from market_resolution_history) as resolutions,
        (select count(distinct received_at) from market_quote_history) as instants,
        (select count(*) from event) as events, (select count(*) from market) as markets`,
    )
    const { rows, resolutions, instants } = COUNTS
    const chains = { broken: 0, resolutions, instants, events: 1214, markets: 1214 }
    expect(counts).toEqual({ rows, unlike: 0, ...chains })
  })

  test('late values are new rows, and one market and day in two question sets keeps both values (P5, P6)', async () => {
    const different = (view: string) => `
      select venue_id, source_market_id, source_at from ${view}
      group by all having count(distinct value) > 1 and count(distinct source_series_id) > 1`
    const first = '(select * from market_observation_history where revision = 1)'
    const [counts] = await ask(
      COUNTS.end,
      `select
        (select count(*) from market_observation_history where received_at > source_at + interval 72 hour) as late,
        (select count(*) from market_observation_history where correction_reason = 'RESOLUTION_CORRECTED') as flips,
        (select count(*) from (select distinct venue_id, source_market_id, source_at from market_observation)) as asked,
        (select count(*) from (${different(first)})) as first_differ,
        (select count(*) from (${different('market_observation')})) as still_differ`,
    )
    const { late, asked, first_differ, still_differ } = COUNTS
    expect(counts).toEqual({ late, flips: 1, asked, first_differ, still_differ })
  })
})

const VISIBLE_EXACT = `
  select count(*) as chains, cast(sum(value) as varchar) as total, count(*) filter (is_final) as final
  from market_observation`

type FileRow = {
  readonly chain: string
  readonly published_at: number
  readonly value: bigint
  readonly final: boolean
}

/** The rows of the file, read without the code under test. */
function fileRows(folder: string): FileRow[] {
  const text = gunzipSync(readFileSync(join(folder, 'market_values_bitemporal.csv.gz'))).toString()
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [set, , published_at, source, market, day, value, resolved] = line.split(',')
      const chain = [set, source, market, day].join()
      return { chain, published_at: microsOf(published_at)!, value: quantize(value!, 9), final: resolved === 'True' }
    })
}

/** The file is sorted by publication: the last row of a chain that is not later than `at` is the visible one. */
function foldUntil(rows: readonly FileRow[], at: number) {
  const visible = new Map<string, FileRow>()
  for (const row of rows) if (row.published_at <= at) visible.set(row.chain, row)
  const chains = [...visible.values()]
  const total = chains.reduce((sum, row) => sum + row.value, 0n)
  return {
    chains: chains.length,
    total: chains.length === 0 ? null : fromScaled(total, 9),
    final: chains.filter((row) => row.final).length,
  }
}

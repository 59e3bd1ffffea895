import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { importArchive } from '../../../operations/import/import-archive.ts'
import { openLivePublisher } from '../../../operations/live/live-publisher.ts'
import { importAndMark } from '../../../operations/marks/import-and-mark.ts'
import { QUOTE_COLUMNS } from '../../../pipelines/venues/quotes-archive.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
const MINUTE = 60_000_000
const TIMEOUT_MS = 240_000

async function clockedWarehouse(name: string, at = '2026-02-01T00:00:00Z') {
  let now = toMicros(at)
  const warehouse = await openWarehouse({
    root: join(folder, name),
    create: true,
    ports: { now: async () => now, without_clock_guards: true },
  })
  const setClock = (to: Micros) => {
    now = to
  }
  return { warehouse, setClock }
}

async function ask(warehouse: Warehouse, sql: string): Promise<Row[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(sql)
  } finally {
    await session.close()
  }
}

/** Current marks without their clocks and ids of revisions, which tell when and how they were published. */
const marksOf = (warehouse: Warehouse, where = 'true') =>
  ask(
    warehouse,
    `select * exclude (mark_id, revision, supersedes_id, correction_reason, published_at, row_ordinal, calculated_at)
     from market_mark where ${where} order by market_id, outcome_id, source_series_id, tick_at`,
  )

describe('the neutral format', () => {
  const at = (time: string) => `2026-01-01T${time}Z`
  type Quoted = { readonly source: string; readonly received?: string; readonly bid: string; readonly ask: string }

  function writeQuotes(name: string, quotes: readonly Quoted[], resolution: object | null = null): string {
    const dir = join(folder, name)
    mkdirSync(dir)
    const market = { received_at: at('00:00:00'), venue_id: 'v', source_market_id: 'm', title: 'Will it?' }
    writeFileSync(join(dir, 'markets.jsonl'), JSON.stringify(market))
    const rows = quotes.map(({ source, received = source, bid, ask: offer }) => {
      const row: Record<string, string> = {
        ...{ received_at: at(received), source_at: at(source), venue_id: 'v', source_market_id: 'm', outcome: 'YES' },
        ...{ bid, ask: offer },
      }
      return QUOTE_COLUMNS.map((column) => row[column] ?? '').join()
    })
    writeFileSync(join(dir, 'quotes.csv'), [QUOTE_COLUMNS.join(), ...rows, ''].join('\n'))
    if (resolution !== null) writeFileSync(join(dir, 'resolutions.jsonl'), `${JSON.stringify(resolution)}\n`)
    return dir
  }

  const load = (warehouse: Warehouse, dir: string, clock: 'wall' | 'recorded' = 'wall') =>
    importAndMark({ archive: 'quotes', dir, clock, warehouse })
  const told = async (warehouse: Warehouse) =>
    (
      await ask(
        warehouse,
        `select strftime(tick_at, '%H:%M') as tick, mark, mark_rule, revision, correction_reason from market_mark
         where outcome_id = (select outcomes[1].outcome_id from market) order by tick_at`,
      )
    ).map((row) => Object.values(row).filter((value) => value !== null))

  const FIRST = { source: '00:00:30', bid: '0.40', ask: '0.42' }
  const LATE = { source: '00:02:20', bid: '0.50', ask: '0.52' }
  const LAST = { source: '00:20:00', bid: '0.60', ask: '0.62' }
  const FINAL = {
    ...{ received_at: at('00:25:10'), source_at: at('00:25:00'), venue_id: 'v', source_market_id: 'm' },
    ...{ finality: 'final', payouts: { YES: '1', NO: '0' } },
  }

  test('an import publishes marks minute by minute where something changed, to the first tick after its last record', async () => {
    const { warehouse } = await clockedWarehouse('plain')
    const report = await load(warehouse, writeQuotes('plain-archive', [FIRST, LAST], FINAL))
    expect(report).toMatchObject({ records_new: 3, marks_published: 12 })
    expect(await told(warehouse)).toEqual([
      ['00:01', '0.410000', 'M1', 1],
      ['00:02', '0.410000', 'M7', 1],
      ['00:16', '0.410000', 'M7', 1],
      ['00:20', '0.610000', 'M1', 1],
      ['00:22', '0.610000', 'M7', 1],
      ['00:26', '1.000000', 'M0', 1],
    ])
    expect(await ask(warehouse, 'select count(*) as n from market_mark where published_at < tick_at')).toEqual([
      { n: 0 },
    ])
    expect(await load(warehouse, join(folder, 'plain-archive'))).toMatchObject({
      records_new: 0,
      marks_published: 0,
      commits: 0,
    })
    await warehouse.close()
  })

  test('late data supersedes the marks that it changes, whatever the order of the imports', async () => {
    const early = writeQuotes('early', [FIRST, LAST])
    const late = writeQuotes('late', [LATE])
    const { warehouse } = await clockedWarehouse('late-last')
    await load(warehouse, early)
    await load(warehouse, late)
    expect(await told(warehouse)).toEqual([
      ['00:01', '0.410000', 'M1', 1],
      ['00:02', '0.410000', 'M7', 1],
      ['00:03', '0.510000', 'M1', 1],
      ['00:04', '0.510000', 'M7', 1],
      ['00:16', '0.510000', 'M7', 2, 'LATE_DATA'],
      ['00:18', '0.510000', 'M7', 1],
      ['00:20', '0.610000', 'M1', 1],
    ])
    const { warehouse: other } = await clockedWarehouse('late-first')
    await load(other, late)
    await load(other, early)
    expect(await atEveryTick(other)).toEqual(await atEveryTick(warehouse))
    expect(await load(other, late)).toMatchObject({ marks_published: 0 })
    await warehouse.close()
    await other.close()
  })

  test('a late quote beside a payout revises the midpoint alone, and says that it was late', async () => {
    const { warehouse } = await clockedWarehouse('beside-payout')
    const quote = { source: '00:25:30', bid: '0.70', ask: '0.72' }
    await load(warehouse, writeQuotes('beside-payout-first', [FIRST, quote], FINAL))
    await load(warehouse, writeQuotes('beside-payout-late', [{ source: '00:25:40', bid: '0.72', ask: '0.74' }]))
    const [found] = await ask(
      warehouse,
      "select revision, correction_reason, mark, midpoint, market_id, mark_id from market_mark where mark_rule = 'M0' and midpoint is not null",
    )
    expect(found).toMatchObject({
      revision: 2,
      correction_reason: 'LATE_DATA',
      mark: '1.000000',
      midpoint: '0.730000000',
    })
    // In the API each value has its own revisions.
    const reader = await openReader({ root: join(folder, 'beside-payout'), limits: PATIENT_QUERIES })
    const as_of = wallClock()
    const record = (field: string) => reader.history.marketObservation(`${found!.mark_id}.${field}`, as_of)
    const [mark, midpoint] = [await record('mark'), await record('midpoint')]
    expect(mark!.row).toMatchObject({ value: '1.000000', revision: 1, supersedes_id: null, correction_reason: null })
    expect(midpoint!.row).toMatchObject({ value: '0.730000000', revision: 2, correction_reason: 'LATE_DATA' })
    expect([mark!.chain.length, midpoint!.chain.length]).toEqual([1, 2])
    expect(midpoint!.row.supersedes_id).toBe(midpoint!.chain[0])
    await reader.close()
    await warehouse.close()
  })

  test('an import that ended before its marks is completed by the next one', async () => {
    const dir = writeQuotes('ended', [FIRST, LATE, LAST])
    const { warehouse } = await clockedWarehouse('ended-early')
    await importArchive({ archive: 'quotes', dir, clock: 'wall', warehouse })
    const { warehouse: other } = await clockedWarehouse('not-ended')
    const whole = await load(other, dir)
    expect(await load(warehouse, dir)).toMatchObject({ records_new: 0, marks_published: whole.marks_published })
    expect(await marksOf(warehouse)).toEqual(await marksOf(other))
    await warehouse.close()
    await other.close()
  })

  /** The mark that a reader sees at each minute of the hour. */
  async function atEveryTick(warehouse: Warehouse): Promise<Row[]> {
    return ask(
      warehouse,
      `select t.tick, o.outcome_id, m.* exclude (tick_at, mark_id, revision, supersedes_id, correction_reason, published_at,
         row_ordinal, calculated_at, outcome_id, confirmed_at)
       from (select unnest(generate_series(timestamptz '2026-01-01 00:00:00Z', timestamptz '2026-01-01 00:30:00Z', interval 1 minute)) as tick) as t
       cross join (select distinct outcome_id from market_mark) as o
       asof join market_mark as m on m.outcome_id = o.outcome_id and m.tick_at <= t.tick
       order by o.outcome_id, t.tick`,
    )
  }
})

describe('recorded Betfair streams', () => {
  /** In the fast lane one market's stream; import-recorded.test.ts imports them all. */
  const copied = sized(/1\.197931750/, /./)
  const from = { archive: 'betfair', dir: join(folder, 'streams') } as const
  beforeAll(() =>
    cpSync(recordedData('betfair_stream'), from.dir, {
      recursive: true,
      filter: (path) => !path.endsWith('.gz') || copied.test(path),
    }),
  )

  test(
    'an import publishes what the live feed publishes over the same records',
    async () => {
      const { warehouse: imported } = await clockedWarehouse('imported')
      const report = await importAndMark({ ...from, clock: 'recorded', warehouse: imported })
      await expectSourced(imported)
      const [day] = await ask(
        imported,
        `select min(published_at) as first, max(published_at) as last from market_quote
       where market_id = (select market_id from market_quote group by market_id order by count(*) desc limit 1)`,
      )
      const last = toMicros(day!.last)
      const first = Math.max(toMicros(day!.first), last - 180 * MINUTE)

      const { warehouse: live, setClock } = await clockedWarehouse('live')
      await importArchive({ ...from, clock: 'recorded', warehouse: live })
      const publisher = openLivePublisher(live)
      const begin = Math.floor(first / MINUTE) * MINUTE - MINUTE
      setClock(begin + 6_000_000)
      await publisher.publishDue()
      setClock(last + 6_000_000)
      const published = await publisher.publishDue()
      expect(published.marks).toBeGreaterThan(sized(15, 30))

      const where = `tick_at > '${formatMicros(begin)}' and tick_at <= '${formatMicros(last)}'`
      expect(await marksOf(imported, where)).toEqual(await marksOf(live, where))
      expect(report.marks_published).toBeGreaterThanOrEqual(published.marks)
      await live.close()

      const again = await importAndMark({ ...from, clock: 'recorded', warehouse: imported })
      expect(again).toMatchObject({ payloads_new: 0, records_new: 0, records_revised: 0, marks_published: 0 })
      await imported.close()
    },
    TIMEOUT_MS,
  )

  /** No mark is published before the records that it is made of, and each of its sources is stored. */
  async function expectSourced(warehouse: Warehouse): Promise<void> {
    const sources = `
      from (select published_at, tick_at, unnest(source_observation_ids) as id from market_mark where mark_rule <> 'M0') as m
      left join market_observation_history as o on o.observation_id = m.id`
    expect(await ask(warehouse, `select count(*) as n ${sources} where o.observation_id is null`)).toEqual([{ n: 0 }])
    expect(
      await ask(
        warehouse,
        `select count(*) as n ${sources} where o.published_at > m.published_at or o.source_at > m.tick_at`,
      ),
    ).toEqual([{ n: 0 }])
    const settled = await ask(
      warehouse,
      `select count(distinct m.outcome_id) as n from market_mark as m join market_resolution as r on r.market_id = m.market_id
       where r.finality = 'final' and m.mark_rule = 'M0'`,
    )
    const final = await ask(warehouse, `select sum(len(payouts)) as n from market_resolution where finality = 'final'`)
    expect(settled[0]!.n).toBeGreaterThan(0)
    expect(Number(settled[0]!.n)).toBe(Number(final[0]!.n))
  }
})

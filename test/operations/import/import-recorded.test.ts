import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { type ImportReport, importArchive } from '../../../operations/import/import-archive.ts'
import { compactWarehouse } from '../../../operations/upkeep/compact-warehouse.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { recordedData } from '../../support/recorded-data.ts'
import { runArchive } from '../../support/run/run-archive.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { recordsIn } from './recorded-records.ts'

const FOLDERS = {
  kalshi: 'kalshi_v2_recorded',
  manifold: 'manifold_docs',
  predictit: 'predictit_api',
  betfair: 'betfair_stream',
  gdacs: 'gdacs_rss',
  usgs: 'usgs_geojson',
} as const
type Kind = keyof typeof FOLDERS
const KINDS = Object.keys(FOLDERS) as Kind[]
/** Imported twice; in the fast lane marks/archive-marks.test.ts does it with one stream of Betfair. */
const TWICE = KINDS.filter((kind) => sized(kind !== 'betfair', true))
const PAYLOADS: Record<Kind, number> = { kalshi: 21, manifold: 3, predictit: 1, betfair: 19_176, gdacs: 3, usgs: 1 }

/** Every set of recorded data, a new one too. */
const SETS = readdirSync(recordedData('')).filter((name) => !name.includes('.') && name !== 'SHA256SUMS')
const sumOf = ({ imported, duplicate, redacted, ignored, quarantined }: ImportReport['input']) =>
  imported + duplicate + redacted + ignored + quarantined

describe('recorded payloads', () => {
  let warehouse: Warehouse
  const first = new Map<Kind, ImportReport>()
  const second = new Map<Kind, ImportReport>()
  const load = (archive: Kind) =>
    importArchive({ archive, dir: recordedData(FOLDERS[archive]), clock: 'wall', warehouse })

  beforeAll(async () => {
    warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
    for (const kind of KINDS) first.set(kind, await load(kind))
    for (const kind of TWICE) second.set(kind, await load(kind))
  })
  afterAll(() => warehouse.close())

  async function importOf(set: string): Promise<{ readonly dir: string; readonly report: ImportReport }> {
    const kind = KINDS.find((one) => FOLDERS[one] === set)
    return kind === undefined ? runArchive() : { dir: recordedData(set), report: first.get(kind)! }
  }

  async function ask(sql: string): Promise<Row[]> {
    const session = await openReadSession(warehouse, { as_of: null })
    try {
      return await session.query(sql)
    } finally {
      await session.close()
    }
  }

  test.each(KINDS)('%s: everything is taken, nothing is quarantined', (kind) => {
    const report = first.get(kind)!
    expect(report.quarantine).toEqual([])
    expect(report).toMatchObject({ payloads_read: PAYLOADS[kind], payloads_new: PAYLOADS[kind] })
    expect(report.records_new).toBeGreaterThan(0)
  })

  test.each(TWICE)('%s: a second import adds nothing', (kind) => {
    const { records_read, files } = first.get(kind)!
    expect(second.get(kind)).toMatchObject({
      files,
      payloads_new: 0,
      records_read,
      records_new: 0,
      records_revised: 0,
      records_duplicate: records_read,
      reference_records: 0,
      commits: 0,
    })
  })

  test.each(SETS)(
    '%s: every record of every file is counted once, under one outcome',
    { timeout: 240_000 },
    async (set) => {
      const { dir, report } = await importOf(set)
      const { input, input_files, ignored, problems } = report
      for (const counts of [input, ...input_files]) expect(sumOf(counts)).toBe(counts.read)
      const read = input_files.map(({ file, read }) => [file, read] as const)
      const found = [...recordsIn(set, dir)]
      expect(read).toEqual(found.sort(([a], [b]) => (a < b ? -1 : 1)))
      for (const name of ['read', 'imported', 'duplicate', 'ignored'] as const) {
        const in_files = input_files.reduce((sum, counts) => sum + counts[name], 0)
        expect(in_files, name).toBe(input[name])
      }
      expect(ignored.reduce((sum, rule) => sum + rule.count, 0)).toBe(input.ignored)
      expect(problems).toEqual([])
      expect(input.imported).toBeGreaterThan(0)
    },
  )

  test.each(TWICE)('%s: a second import repeats the report with duplicates', (kind) => {
    const [report, again] = [first.get(kind)!, second.get(kind)!]
    const { imported, duplicate } = report.input
    expect(again.input).toEqual({ ...report.input, imported: 0, duplicate: imported + duplicate })
    expect(again.ignored).toEqual(report.ignored)
  })

  test('Betfair: trades, last prices and payouts are in the tables', async () => {
    const trades =
      "select count(*)::integer as n, count(distinct source_trade_id)::integer as ids from public_trade where venue_id = 'betfair'"
    expect(await ask(trades)).toEqual([{ n: 12_132, ids: 12_132 }])
    const last =
      "select count(*)::integer as n from market_quote_history where venue_id = 'betfair' and last_trade is not null"
    expect(await ask(last)).toEqual([{ n: 1_208 }])
  })

  test('every payload is there, and its name is the hash of its text', async () => {
    expect(await ask('select venue_id, count(*)::integer as n from venue_payload group by 1 order by 1')).toEqual(
      KINDS.toSorted().map((venue_id) => ({ venue_id, n: PAYLOADS[venue_id] })),
    )
    expect(await ask('select file from venue_payload where sha256(body) <> content_hash')).toEqual([])
  })

  test('GDACS: 115 events, and no revision for a record that was only written anew', async () => {
    const counts = 'select count(*)::integer as n, count(distinct source_event_id)::integer as events'
    expect(await ask(`${counts} from hazard_alert_history where venue_id = 'gdacs'`)).toEqual([{ n: 115, events: 115 }])
    // As many events of the catalogue, each stated once: dates that move alone state nothing new.
    const events = 'select count(*)::integer as n, count(distinct event_id)::integer as events from event_history'
    expect(await ask(`${events} where source_mappings[1].venue_id = 'gdacs'`)).toEqual([{ n: 115, events: 115 }])
    expect(first.get('gdacs')).toMatchObject({ records_read: 140, records_new: 115, records_duplicate: 25 })
  })

  test('USGS: 12 events; an alert that is null stays missing', async () => {
    const rows = await ask(
      "select alert_level, count(*)::integer as n from hazard_alert where venue_id = 'usgs' group by 1 order by 1",
    )
    expect(rows.reduce((sum, { n }) => sum + (n as number), 0)).toBe(12)
    expect(rows.some(({ alert_level }) => alert_level === null)).toBe(true)
  })

  test('Kalshi: no zero price', async () => {
    const zero = ['bid', 'ask', 'last_trade', 'reported_probability'].map((field) => `${field} = 0`).join(' or ')
    expect(await ask(`select * from market_quote_history where venue_id = 'kalshi' and (${zero})`)).toEqual([])
    expect(await ask("select * from public_trade where venue_id = 'kalshi' and price in (0, 1)")).toEqual([])
  })

  test('no price outside [0, 1] except odds, which say so', async () => {
    const outside = ['bid', 'ask', 'last_trade', 'reported_probability'].map((f) => `${f} not between 0 and 1`)
    expect(await ask(`select * from market_quote where ${outside.join(' or ')}`)).toEqual([])
    expect(await ask('select distinct venue_id, price_unit from order_book')).toEqual([
      { venue_id: 'betfair', price_unit: 'decimal_odds' },
    ])
  })

  test(`the audit finds nothing${sized('', ', before and')} after compaction`, async () => {
    if (sized(false, true)) expect((await auditWarehouse({ warehouse })).violations).toEqual([])
    await compactWarehouse({ warehouse })
    expect((await auditWarehouse({ warehouse })).violations).toEqual([])
  })
})

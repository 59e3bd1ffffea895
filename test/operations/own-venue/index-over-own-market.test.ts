import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { auditWarehouse } from '../../../operations/audit/audit-warehouse.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { verifyObservations } from '../../../operations/index/verify-observations.ts'
import { openMarkSource } from '../../../operations/own-venue/mark-source.ts'
import { tellMarks } from '../../../operations/own-venue/tell-marks.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { type ClockedVenue, clockedVenue, minuteAt, SECOND_MARKET } from './support/clocked-venue.ts'
import { ownRows } from './support/venue-world.ts'

const database = withDatabase()
const folder = tempFolder()

const DEFINITION = `
index: { index_id: idx_own, slug: own, symbol: OWN, name: Our own markets, base_value: "1000", base_date: ${minuteAt(1)} }
methodology: { methodology_id: mth_own, version: "1.0.0", name: Test, parameters: {} }
versions:
  - version: "1"
    effective_from: ${minuteAt(1)}
    calculation_frequency: PT1M
    minimum_coverage_ratio: "0.60"
    constituents:
      - { constituent_id: con_first, venue_id: tidemark, source_market_id: mkt_1, outcome: out_yes, target_weight: "0.7", normalization: probability_0_1 }
      - { constituent_id: con_second, venue_id: tidemark, source_market_id: mkt_2, outcome: out_second_yes, target_weight: "0.3", normalization: probability_0_1 }
`

async function levels({ warehouse }: ClockedVenue) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(`
      select strftime(tick_at, '%M') as minute, quality_state as state, list_transform(inputs, lambda i: i.mark_rule) as rules
      from index_observation order by tick_at`)
  } finally {
    await session.close()
  }
}

async function quoteBoth(venue: ClockedVenue, outcome: Parameters<ClockedVenue['place']>[1]): Promise<void> {
  await venue.place('acct_a', { ...outcome, side: 'BUY', limit_price: '0.48', quantity: '100' })
  await venue.place('acct_b', { ...outcome, side: 'SELL', limit_price: '0.50', quantity: '100' })
}

test('an index over our own markets follows them through pause, close, resolution and correction, and every level is verified', async () => {
  const { pool } = await database()
  const venue = await clockedVenue(pool, join(folder, 'index'))
  await venue.operate(SECOND_MARKET)
  await venue.operate({ kind: 'move_market', market_id: 'mkt_2', to: 'open' })
  await quoteBoth(venue, { outcome_id: 'out_yes' })
  await quoteBoth(venue, { market_id: 'mkt_2', outcome_id: 'out_second_yes' })
  const file = join(folder, 'own.yaml')
  writeFileSync(file, DEFINITION)
  venue.setClock(minuteAt(0, '30'))
  await applyDefinitions({ files: [file], clock: 'wall', warehouse: venue.warehouse })

  const source = openMarkSource(venue.warehouse)
  const marks = () => tellMarks({ source, reads: venue.reads, client: venue.engine.client })
  const payouts = (yes: string, no: string) => [
    { outcome_id: 'out_second_yes', payout: yes },
    { outcome_id: 'out_second_no', payout: no },
  ]
  const evidence = [{ evidence_id: 'ev_1', kind: 'report', source_uri: null, observed_at: null, content_hash: null }]
  const resolver = { kind: 'operator', resolver_id: null }
  const happens: Record<number, () => Promise<void>> = {
    1: () => venue.place('acct_c', { side: 'BUY', limit_price: '0.50', quantity: '10' }),
    2: () => venue.operate({ kind: 'move_market', market_id: 'mkt_2', to: 'paused' }),
    3: () => venue.operate({ kind: 'move_market', market_id: 'mkt_2', to: 'open' }),
    4: () => venue.operate({ kind: 'move_market', market_id: 'mkt_2', to: 'closed' }),
    5: () =>
      venue.operate({
        kind: 'propose_resolution',
        resolution_id: 'res_one',
        market_id: 'mkt_2',
        verdict: 'resolved',
        payouts: payouts('1', '0'),
        evidence,
        resolver,
        dispute_window_ms: 60_000,
      }),
    7: () => venue.operate({ kind: 'finalize_resolution', resolution_id: 'res_one' }),
    8: () =>
      venue.operate({
        kind: 'correct_resolution',
        resolution_id: 'res_two',
        supersedes_id: 'res_one',
        payouts: payouts('0', '1'),
        evidence,
        resolver,
        correction_reason: 'the report was amended',
        approved_by: 'second person',
      }),
  }
  const told: number[] = []
  for (let minute = 0; minute <= 9; minute += 1) {
    if (minute > 0) venue.setClock(minuteAt(minute, '20'))
    await happens[minute]?.()
    await venue.passMinute(minute)
    told.push((await marks()).told)
  }

  const found = await levels(venue)
  const course = Object.fromEntries(found.map(({ minute, state, rules }) => [String(minute), [state, rules]]))
  expect(course).toEqual({
    '01': ['valid', ['M1', 'M1']],
    '02': ['valid', ['M1', 'M1']],
    '03': ['valid', ['M1', 'M7']],
    '04': ['valid', ['M1', 'M1']],
    '05': ['indicative', ['M1', 'frozen']],
    '06': ['indicative', ['M1', 'frozen']],
    '07': ['indicative', ['M1', 'frozen']],
    '08': ['valid', ['M1', 'M0']],
    '09': ['valid', ['M1', 'M0']],
    '10': ['valid', ['M1', 'M0']],
  })
  const verified = await verifyObservations({ warehouse: venue.warehouse, index_id: 'idx_own' })
  expect(verified).toMatchObject({ checked: found.length, reproduced: found.length, failures: [] })

  const resolutions = await ownRows(
    venue.warehouse,
    'market_resolution',
    'revision, resolution_id, supersedes_id, correction_reason, finality, winning_outcome_ids',
  )
  expect(
    resolutions.map(({ resolution_id, supersedes_id, ...row }) => [
      ...Object.values(row),
      String(resolution_id).split('.')[0],
      supersedes_id === null ? null : String(supersedes_id).split('.')[0],
    ]),
  ).toEqual([
    [1, null, 'proposed', ['out_second_yes'], 'res_one', null],
    [2, 'RESOLVED', 'final', ['out_second_yes'], 'res_one', 'res_one'],
    [3, 'the report was amended', 'final', ['out_second_no'], 'res_two', 'res_one'],
  ])
  const statuses = await ownRows(
    venue.warehouse,
    'market',
    'revision, status, correction_reason, list_transform(outcomes, lambda o: o.payout_value) as payouts'.replace(
      /$/,
      '',
    ),
  )
  const second = statuses.filter(({ revision }) => Number(revision) > 2)
  expect(second.map(({ status, correction_reason, payouts: paid }) => [status, correction_reason, paid])).toEqual([
    ['paused', 'STATUS_CHANGED', [null, null]],
    ['open', 'STATUS_CHANGED', [null, null]],
    ['closed', 'STATUS_CHANGED', [null, null]],
    ['resolving', 'STATUS_CHANGED', [null, null]],
    ['resolved', 'STATUS_CHANGED', ['1.000000', '0.000000']],
    ['resolved', 'RESOLUTION_CORRECTED', ['0.000000', '1.000000']],
  ])

  const [mark] = (await venue.reads.marks()).filter(({ outcome_id }) => outcome_id === 'out_yes')
  const [published] = await ownRows(
    venue.warehouse,
    'market_mark',
    "max_by(mark, tick_at) filter (outcome_id = 'out_yes') as mark",
  )
  expect(mark).toMatchObject({ mark: 49_000_000, mark_observation_id: expect.stringMatching(/^mrk_.+\.mark$/) })
  expect(published).toEqual({ mark: '0.490000' })
  expect(told.slice(0, 2)).toEqual([2, 0])

  const reader = await openReader({ root: venue.warehouse.root, limits: PATIENT_QUERIES })
  try {
    const range = { from: toMicros(minuteAt(0)), to: toMicros(minuteAt(5)), interval: 'PT5M' } as const
    const candles = await reader.history.marketCandles(
      { market_id: 'mkt_1', outcome_id: 'out_yes', field: 'last_trade', trades: true },
      range,
      { as_of: venue.now(), at: venue.now() },
    )
    expect(candles).toMatchObject([{ open: '0.500000000', close: '0.500000000' }])
    expect(reader.catalog(null).market('mkt_2')).toMatchObject({ status: 'resolved', event_id: 'evt_second' })
  } finally {
    await reader.close()
  }
  expect((await auditWarehouse({ warehouse: venue.warehouse })).violations).toEqual([])
  await venue.close()
}, 180_000)

import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openReader } from '../../../warehouse/reader/open-reader.ts'
import type { Reader } from '../../../warehouse/reader/reader.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { PATIENT_QUERIES } from '../../support/patient-queries.ts'
import { SEED } from '../../support/seed.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { sealAll } from './caught-up.ts'

/**
 * Random records of a few markets and events, half of them loaded and half followed: at every instant what is in force by memory,
 * by files and by the public views is one record. Many of the program's are withdrawn, so that memory must tell what it lacks.
 */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })
const START = toMicros('2026-01-01T00:00:00Z')
const COMMITS = 14
const ROWS_A_COMMIT = 6
const HOURS_4 = MICROS_PER_DAY / 6
const at = (n: number): Micros => START + n * HOURS_4
const root = join(tempFolder(), 'warehouse')
const ALL = { kind: null, methodology_id: null }
let warehouse: Warehouse
let reader: Reader

type Draft = {
  readonly subject: number
  readonly chain: number
  readonly from: number
  readonly days: number | null
  readonly kind: 'committee' | 'analyst' | 'model'
  readonly is_override: boolean
  readonly state: string
  readonly methodology: number
}
const nat = (max: number) => fc.nat({ max })
const draft: fc.Arbitrary<Draft> = fc.record({
  subject: nat(1),
  chain: nat(25),
  from: fc.integer({ min: -8, max: 3 }),
  days: fc.option(nat(2), { nil: null, freq: 2 }),
  kind: fc.constantFrom('committee', 'analyst', 'model', 'model', 'model', 'model', 'model', 'model'),
  is_override: fc.boolean(),
  state: fc.constantFrom('approved', 'approved', 'approved', 'disputed', 'under_review', 'withdrawn', 'superseded'),
  methodology: nat(1),
})

/** A chain keeps what it is about: who issued it, its subject and its interval; its state changes by revisions. */
const chains = new Map<number, { readonly first: Draft; readonly from: Micros; revision: number }>()

function ratingRow(one: Draft, n: number): Row {
  const known = chains.get(one.chain) ?? { first: one, from: at(n + one.from), revision: 0 }
  chains.set(one.chain, known)
  known.revision += 1
  const { first, from, revision } = known
  const people = first.kind === 'committee' && first.is_override
  return {
    rating_id: `rat_${one.chain}_${revision}`,
    chain_id: `rch_${one.chain}`,
    revision,
    market_id: `mkt_${first.subject}`,
    band: 'MR2',
    component_scores: { liquidity: '1.00' },
    outlook: 'stable',
    watch_status: 'none',
    confidence: '0.5000',
    reason_codes: [],
    methodology_id: `mth_${first.methodology}`,
    methodology_version: '1',
    issuer: { kind: first.kind, issuer_id: 'x' },
    evidence: [{ evidence_id: 'evd_1', kind: 'k', measured: 'text' }],
    effective_from: formatMicros(from),
    effective_to:
      first.kind === 'model' || first.days === null ? null : formatMicros(from + first.days * MICROS_PER_DAY),
    observation_cutoff_at: formatMicros(from),
    review_state: revision === 1 && one.state === 'superseded' ? 'approved' : one.state,
    override: people ? { override_id: 'ovr_1', proposed_value: 'MR2' } : null,
  }
}

function severityRow(rating: Row): Row {
  const { rating_id, market_id, band: _band, outlook: _o, watch_status: _w, ...row } = rating
  return {
    ...row,
    assessment_id: String(rating_id).replace('rat', 'asm'),
    event_id: 'evt_0',
    assessment_type: market_id === 'mkt_0' ? 'observed' : 'forecast',
    level: 'SEV-1',
    component_scores: { human: '1.00' },
    event_time_window: { start: String(row.effective_from), end: null },
  }
}

beforeAll(async () => {
  warehouse = await openWarehouse({ root, create: true })
  const drafts = fc.sample(draft, { numRuns: COMMITS * ROWS_A_COMMIT, seed: SEED })
  for (let n = 0; n < COMMITS; n += 1) {
    const rows = drafts.slice(n * ROWS_A_COMMIT, (n + 1) * ROWS_A_COMMIT).map((one) => ratingRow(one, n))
    const options = { app_sequence: n, operation: 'TEST', stamp: { kind: 'recorded', at: at(n) } } as const
    await warehouse.append('market_rating', rows, { ...options, app_id: 'rating' })
    await warehouse.append('severity_assessment', rows.map(severityRow), { ...options, app_id: 'severity' })
    if (n === COMMITS / 2) {
      await warehouse.log('market_rating').compact({ published_date: '2026-01-01' })
      reader = await openReader({ root, interval_ms: 20, limits: PATIENT_QUERIES })
    }
  }
  await sealAll(reader, warehouse, at(COMMITS))
})
afterAll(async () => {
  await reader.close()
  await warehouse.close()
})

const market = (n: number) => ({ table: 'market_rating', key: { market_id: `mkt_${n}` } }) as const
const event = (n: number) =>
  ({
    table: 'severity_assessment',
    key: { event_id: 'evt_0', assessment_type: n === 0 ? 'observed' : 'forecast' },
  }) as const

async function viewsAt(as_of: Micros | null): Promise<Map<string, Row>> {
  const tables = ['market_rating', 'severity_assessment'] as const
  const session = await openReadSession(warehouse, { as_of, pin: false, tables })
  try {
    const ratings = await session.query('from market_rating')
    const severity = await session.query('from severity_assessment')
    return new Map([
      ...ratings.map((row) => [String(row.market_id), row] as const),
      ...severity.map((row) => [String(row.assessment_type), row] as const),
    ])
  } finally {
    await session.close()
  }
}

test('at every instant files and memory give the record of the views', async () => {
  let in_force = 0
  for (let n = -1; n <= COMMITS + 8; n += 2) {
    const as_of = at(n) + 1
    const views = await viewsAt(as_of)
    for (const subject of [0, 1]) {
      for (const whole of [true, false]) {
        const rating = await reader.assessments.inForce(market(subject), { ...ALL, whole }, as_of)
        expect([n, rating.row?.rating_id ?? null]).toEqual([n, views.get(`mkt_${subject}`)?.rating_id ?? null])
        const severity = await reader.assessments.inForce(event(subject), { ...ALL, whole }, as_of)
        const wanted = views.get(event(subject).key.assessment_type)?.assessment_id ?? null
        expect([n, severity.row?.assessment_id ?? null]).toEqual([n, wanted])
        if (rating.row !== null) in_force += 1
      }
    }
  }
  expect(in_force).toBeGreaterThan(15)
})

test('now memory gives the record of the views, or says that it cannot tell; a reader that begins anew does too', async () => {
  const views = await viewsAt(null)
  // The second keeps no commits for resuming, so it reads all records by one query.
  const second = await openReader({ root, limits: PATIENT_QUERIES, recent: { retention_ms: 0, bytes_max: 1 } })
  expect(second.status()).toMatchObject({ phase: 'ready', reason: null, unread: [] })
  for (const one of [reader, second]) {
    for (const subject of [0, 1]) {
      const known = one.assessments.current(market(subject), ALL)
      if (known !== null) {
        expect(known.placed?.row.rating_id ?? null).toBe(views.get(`mkt_${subject}`)?.rating_id ?? null)
        expect((known.placed?.row.evidence as Row[] | undefined)?.[0] ?? {}).not.toHaveProperty('measured')
      }
    }
    const seqs = ({ assessments }: Reader) =>
      assessments.allCurrent('severity_assessment').map(({ placed }) => placed?.seq)
    expect(seqs(one)).toEqual(seqs(reader))
  }
  await second.close()
})

test('kinds and methodologies choose among what is known, as the rule does', async () => {
  for (const as_of of [6, 13].map(at)) {
    for (const kind of ['committee', 'analyst', 'model', null]) {
      for (const methodology_id of ['mth_0', 'mth_1', null]) {
        const asked = { kind, methodology_id }
        const from_files = await reader.assessments.inForce(market(0), { ...asked, whole: true }, as_of)
        const from_memory = await reader.assessments.inForce(market(0), { ...asked, whole: false }, as_of)
        expect(from_memory.row?.rating_id).toBe(from_files.row?.rating_id)
        if (from_files.row === null) continue
        if (kind !== null) expect(from_files.row.issuer).toMatchObject({ kind })
        if (methodology_id !== null) expect(from_files.row.methodology_id).toBe(methodology_id)
      }
    }
  }
})

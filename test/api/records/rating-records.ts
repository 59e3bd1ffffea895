import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RATING_SUBJECT } from '../../../operations/rating/rating-subject.ts'
import { submitRating } from '../../../operations/rating/submit-rating.ts'
import { expireOverrides, moveRecord, proposeOverride, upholdDispute } from '../../../operations/review/review.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { formatMicros, MICROS_PER_DAY, type Micros, toMicros } from '../../../primitives/instants.ts'
import type { Row } from '../../../warehouse/schema.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { modelRow, type Person, person, portsOf, publishRatings } from '../../support/review-world.ts'

/** Ratings as the operations publish them, at instants of 2026. */

export const day = (date: string): Micros => toMicros(`${date}T00:00:00Z`)
const analyst = person('analyst', 'analyst')
const member_a = person('member_a', 'committee')
const member_b = person('member_b', 'committee')
const observer = person('observer', 'observer')
const people = [analyst, member_a, member_b, observer]

/** 40 markets; three are disputed later (E19). */
export const VALIDATED = Array.from({ length: 40 }, (_, n) => `mkt_e19_${n}`)
const E11_MARKETS = ['mkt_e11', 'mkt_e11b', 'mkt_e11c', 'mkt_e11d', 'mkt_e11e', 'mkt_e11f']
const MARKETS = ['mkt_e24', ...E11_MARKETS, 'mkt_acts', 'mkt_kinds', 'mkt_bare', ...VALIDATED]

let steps = 0
async function append(warehouse: Warehouse, table: 'market' | 'market_resolution', rows: readonly Row[], at: Micros) {
  steps += 1
  const stamp = { kind: 'recorded', at } as const
  await warehouse.append(table, rows, { app_id: `records ${steps}`, app_sequence: 1, stamp, operation: 'TEST' })
}

/** Writes the markets, which are listed in December 2025. */
export async function writeRatedMarkets(warehouse: Warehouse): Promise<void> {
  const rows = MARKETS.map((market_id) => marketRow(market_id, day('2025-12-01')))
  await append(warehouse, 'market', rows, day('2025-12-01'))
}

/** Writes their ratings, and the resolutions of May 2026. */
export async function writeRatingRecords(warehouse: Warehouse, folder: string): Promise<void> {
  await writeE24(warehouse)
  await writeE11(warehouse, folder)
  await writeActs(warehouse, folder)
  await writeE19(warehouse)
}

function marketRow(market_id: string, received: Micros): Row {
  const at = formatMicros(received)
  return {
    market_id,
    revision: 1,
    event_id: `evt_${market_id}`,
    title: market_id,
    status: 'open',
    outcome_type: 'binary',
    outcomes: [{ outcome_id: `out_${market_id}`, label: 'YES' }],
    venue_mapping: { venue_id: 'v', source_market_id: market_id },
    source_at: at,
    received_at: at,
  }
}

/** Worked example E24: a correction, a record that takes effect later, and its withdrawal. */
async function writeE24(warehouse: Warehouse): Promise<void> {
  const chain = { chain_id: 'rch_e24', effective_from: '2026-01-01T00:00:00Z' }
  const rat_1 = { ...modelRow('mkt_e24', 'MR2', day('2026-01-01')), ...chain, rating_id: 'rat_1' }
  const reason = { revision: 2, correction_reason: 'SOURCE_CORRECTION' }
  const rat_2 = { ...rat_1, rating_id: 'rat_2', ...reason, supersedes_id: 'rat_1', band: 'MR3' }
  const rat_3 = { ...modelRow('mkt_e24', 'MR2', day('2026-01-20')), rating_id: 'rat_3' }
  const gone = { ...rat_3, rating_id: 'rat_3b', ...reason, supersedes_id: 'rat_3', review_state: 'withdrawn' }
  await publishRatings(warehouse, [rat_1], toMicros('2026-01-01T00:10:00Z'))
  await publishRatings(warehouse, [rat_2], day('2026-01-10'))
  await publishRatings(warehouse, [rat_3], day('2026-01-15'))
  await publishRatings(warehouse, [gone], day('2026-02-01'))
}

const E11 = {
  resolution_clarity:
    '{ points: ["30", "20", "0", "10", "15", "10", "5"], disputed_markets: "1", resolved_markets: "25" }',
  source_reliability: '{ authority: "1", availability: "0.995", revision_rate: "0.02", independent_sources: "2" }',
  liquidity: '{ spread: "0.018", depth_usd: "12000", volume_usd: "250000" }',
  manipulation_resistance:
    '{ cost_to_move_usd: "8000", concentration: "0.18", top_trader_share: "0.22", wash_share: "0.05" }',
  data_quality: '{ gap_share: "0.01", sequence_gap_share: "0.002", crossed_share: "0.001", p95_latency_ms: "800" }',
  venue_operational_risk: '{ uptime: "0.998", regulation: "0.5", settlement_delay_h: "18", incidents_365d: "2" }',
}
type Component = keyof typeof E11

type Inputs = Readonly<Partial<Record<Component, string>>>

/** Goodness 90 of every component. */
const NINETY: Inputs = {
  resolution_clarity:
    '{ points: ["30", "20", "10", "10", "15", "5", "0"], disputed_markets: "0", resolved_markets: "0" }',
  source_reliability: '{ authority: "1", availability: "1", revision_rate: "0.5", independent_sources: "3" }',
  liquidity: '{ spread: "0", depth_usd: "50000", volume_usd: "3980" }',
  manipulation_resistance:
    '{ cost_to_move_usd: "100000", concentration: "0", top_trader_share: "0", wash_share: "0.5" }',
  data_quality: '{ gap_share: "0", sequence_gap_share: "0", crossed_share: "0", p95_latency_ms: "2000" }',
  venue_operational_risk: '{ uptime: "1", regulation: "0", settlement_delay_h: "0", incidents_365d: "4" }',
}
const WEAK: Inputs = {
  manipulation_resistance: '{ cost_to_move_usd: "0", concentration: "0", top_trader_share: "0.6", wash_share: "1" }',
}

/**
 * Worked example E11 as forms: (a) whole, (b) without source_reliability, (c) without resolution_clarity, (d) a weak link, (e) 90
 * of everything, (f) the same without data_quality.
 */
async function writeE11(warehouse: Warehouse, folder: string): Promise<void> {
  const forms: readonly (readonly [string, Component | null, Inputs])[] = [
    ['mkt_e11', null, {}],
    ['mkt_e11b', 'source_reliability', {}],
    ['mkt_e11c', 'resolution_clarity', {}],
    ['mkt_e11d', null, WEAK],
    ['mkt_e11e', null, NINETY],
    ['mkt_e11f', 'data_quality', NINETY],
  ]
  for (const [place, [market_id, missing, inputs]] of forms.entries()) {
    const at = day('2026-03-01') + place * 3_600_000_000
    const file = writeForm(folder, { market_id, kind: 'analyst', missing, inputs, at })
    const submitted = await submitRating(portsOf(warehouse, people, analyst, at), { file, record_id: null })
    const record_id = String(submitted.records[0]!.rating_id)
    await move(warehouse, 'approve', member_a, record_id, at + 1_000_000)
  }
}

type Form = {
  readonly market_id: string
  readonly kind: 'analyst' | 'committee'
  readonly missing: Component | null
  /** Those that are not of E11. */
  readonly inputs?: Inputs
  readonly at: Micros
  readonly until?: Micros
}

/** Writes a form with the inputs of E11, less one component. */
export function writeForm(folder: string, form: Form): string {
  const { market_id, kind, missing, inputs = {}, at, until = null } = form
  const instant = formatMicros(at)
  const names = Object.keys(E11) as Component[]
  const components = names.map((name) => `  ${name}: ${name === missing ? 'null' : (inputs[name] ?? E11[name])}`)
  const evidence = names.map((component) => {
    const document = `{ kind: report, component: ${component}, tier: A, source_uri: "https://www.bls.gov/${component}"`
    return `  - ${document}, observed_at: ${instant}, content_hash: "sha256:${sha256Hex(component)}" }`
  })
  const file = join(folder, `${market_id}-${kind}-${at}.yaml`)
  const to = until === null ? 'null' : formatMicros(until)
  const head = `rating: { market_id: ${market_id}, kind: ${kind}, observation_cutoff_at: ${instant}, effective_from: null, effective_to: ${to}, rationale: worked example }`
  writeFileSync(file, [head, 'components:', ...components, 'evidence:', ...evidence, ''].join('\n'))
  return file
}

/** Writes one model rating a day for mkt_acts with every act that people may perform on them, and one record of each kind for mkt_kinds. */
async function writeActs(warehouse: Warehouse, folder: string): Promise<void> {
  const daily = async (date: string, band: 'MR1' | 'MR2' | 'MR3') => {
    const row = modelRow('mkt_acts', band, day(date))
    await publishRatings(warehouse, [row], day(date))
    return row.rating_id
  }
  const first = await daily('2026-04-01', 'MR2')
  await daily('2026-04-02', 'MR2')
  const disputed = await daily('2026-04-03', 'MR1')
  const at = (date: string, hours: number) => day(date) + hours * 3_600_000_000
  await move(warehouse, 'dispute', observer, disputed, at('2026-04-03', 6))
  await daily('2026-04-04', 'MR2')
  await move(warehouse, 'reject_dispute', member_a, disputed, at('2026-04-04', 6))
  const overridden = await daily('2026-04-05', 'MR2')
  const proposed = await proposeOverride(
    RATING_SUBJECT,
    portsOf(warehouse, people, analyst, at('2026-04-05', 6)),
    overrideOf(overridden),
  )
  await daily('2026-04-06', 'MR1')
  await move(warehouse, 'approve', member_b, String(proposed.records[0]!.rating_id), at('2026-04-06', 6))
  await daily('2026-04-07', 'MR1')
  await expireOverrides(RATING_SUBJECT, { warehouse, at: at('2026-04-09', 6) })
  const wrong = await daily('2026-04-10', 'MR3')
  await move(warehouse, 'withdraw', member_a, wrong, at('2026-04-10', 6))
  await move(warehouse, 'withdraw', member_a, first, at('2026-04-10', 7))
  const upheld = await daily('2026-04-11', 'MR1')
  await move(warehouse, 'dispute', observer, upheld, at('2026-04-11', 6))
  await upholdDispute(RATING_SUBJECT, portsOf(warehouse, people, member_b, at('2026-04-11', 9)), {
    record_id: upheld,
    grade: 'MR4',
    text: 'the source is gone',
    until: '2026-04-13T00:00:00Z',
  })
  await daily('2026-04-14', 'MR2')
  await writeKinds(warehouse, folder)
}

const overrideOf = (record_id: string) => ({
  record_id,
  proposed_value: 'MR5',
  reason_code: 'NEWS',
  narrative: 'the source is in doubt',
  starts_at: null,
  expires_at: '2026-04-09T00:00:00Z',
})

async function writeKinds(warehouse: Warehouse, folder: string): Promise<void> {
  const publish = async (kind: 'analyst' | 'committee', by: Person, at: Micros, until: Micros) => {
    const file = writeForm(folder, { market_id: 'mkt_kinds', kind, missing: null, at, until })
    const submitted = await submitRating(portsOf(warehouse, people, by, at), { file, record_id: null })
    await move(warehouse, 'approve', member_b, String(submitted.records[0]!.rating_id), at + 1_000_000)
  }
  await publishRatings(warehouse, [modelRow('mkt_kinds', 'MR3', day('2026-04-15'))], day('2026-04-15'))
  await publish('analyst', analyst, day('2026-04-16'), day('2026-04-30'))
  await publish('committee', member_a, day('2026-04-17'), day('2026-04-20'))
  const waiting = writeForm(folder, {
    market_id: 'mkt_kinds',
    kind: 'analyst',
    missing: 'liquidity',
    at: day('2026-04-18'),
  })
  await submitRating(portsOf(warehouse, people, analyst, day('2026-04-18')), { file: waiting, record_id: null })
}

async function move(
  warehouse: Warehouse,
  act: 'approve' | 'dispute' | 'reject_dispute' | 'withdraw',
  by: Person,
  record_id: string,
  at: Micros,
): Promise<void> {
  await moveRecord(RATING_SUBJECT, portsOf(warehouse, people, by, at), { act, record_id, text: 'as decided' })
}

/** Worked example E19: 40 markets of band MR3; the resolutions of three are disputed within a month. */
async function writeE19(warehouse: Warehouse): Promise<void> {
  const at = day('2026-05-01')
  await publishRatings(
    warehouse,
    VALIDATED.map((market_id) => modelRow(market_id, 'MR3', at)),
    at,
  )
  const resolved = day('2026-05-20')
  await append(
    warehouse,
    'market_resolution',
    VALIDATED.map((market_id, n) => resolutionRow(market_id, resolved, n < 3 ? 'disputed' : 'final')),
    resolved,
  )
  const decided = resolved + MICROS_PER_DAY
  const final = VALIDATED.slice(0, 3).map((market_id) => {
    const row = resolutionRow(market_id, resolved, 'final')
    const received_at = formatMicros(decided)
    return {
      ...row,
      resolution_id: `${row.resolution_id}_2`,
      revision: 2,
      supersedes_id: row.resolution_id,
      received_at,
    }
  })
  await append(warehouse, 'market_resolution', final, decided)
}

function resolutionRow(market_id: string, at: Micros, finality: string): Row & { readonly resolution_id: string } {
  const instant = formatMicros(at)
  return {
    resolution_id: `res_${market_id}`,
    revision: 1,
    market_id,
    venue_id: 'v',
    source_market_id: market_id,
    resolved_at: instant,
    finality,
    source_at: instant,
    received_at: instant,
  }
}

/** A further revision, withdrawn, of the newest one of every record among these rows. */
export async function withdrawAll(warehouse: Warehouse, rows: readonly Row[]): Promise<void> {
  const newest = new Map<unknown, Row>()
  for (const row of rows)
    if (((newest.get(row.chain_id)?.revision as number | undefined) ?? 0) < (row.revision as number))
      newest.set(row.chain_id, row)
  const gone = [...newest.values()].map(({ published_at: _at, row_ordinal: _ordinal, ...row }) => ({
    ...row,
    rating_id: `${String(row.rating_id)}_gone`,
    revision: (row.revision as number) + 1,
    supersedes_id: row.rating_id ?? null,
    correction_reason: 'WITHDRAWN',
    review_state: 'withdrawn',
    withdrawal: { withdrawn_by: 'member_a', reason: 'all', withdrawn_at: '2026-06-02T00:00:00Z' },
  }))
  const from = { app_id: 'gone', app_sequence: 1, operation: 'TEST' } as const
  await warehouse.append('market_rating', gone, { ...from, stamp: { kind: 'wall' } })
}

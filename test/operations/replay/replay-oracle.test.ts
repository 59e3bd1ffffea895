import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayIndex } from '../../../operations/replay/replay-index.ts'
import { isServiceError } from '../../../primitives/errors.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { runArchive } from '../../support/run/run-archive.ts'
import { sized } from '../../support/sized.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/**
 * Random definitions over the real archive, replayed by the product and by an independent program in Python's decimal
 * that knows only the archive's CSV and the methodology: every line must be equal.
 */
const DEFINITIONS = Number(process.env.TIDEMARK_ORACLE_DEFINITIONS ?? sized(8, 24))
const FROM = '2025-11-25T00:00:00Z'
const TO = sized('2026-03-15T00:00:00Z', '2026-09-15T00:00:00Z')
/** Days from the first possible start of a version to the last. */
const START_DAYS = sized(60, 250)
const KNOWN_AT = sized(
  ['2025-12-24T00:00:00Z', '2026-01-12T12:00:00Z'],
  ['2026-03-01T00:00:00Z', '2026-08-01T12:00:00Z'],
)
const ORACLE = fileURLToPath(new URL('../../python/replay_oracle.py', import.meta.url))

const folder = tempFolder()
let archive: Awaited<ReturnType<typeof runArchive>>
let warehouse: Warehouse
let markets: readonly Market[]

type Market = { readonly venue_id: string; readonly source_series_id: string; readonly source_market_id: string }
type Job = {
  readonly definition: unknown
  readonly from: string
  readonly to: string
  readonly known_at: string | null
}

beforeAll(async () => {
  archive = await runArchive()
  warehouse = await openWarehouse({ root: archive.root })
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market_quote'] })
  const sql = 'select distinct venue_id, source_series_id, source_market_id from market_quote order by all'
  markets = (await session.query(sql)) as Market[]
  await session.close()
})

afterAll(async () => warehouse?.close())

test(`${DEFINITIONS} random definitions: every replayed line equals the oracle's`, { timeout: 600_000 }, async () => {
  const jobs = Array.from({ length: DEFINITIONS }, (_, seed) => randomJob(seed + 1))
  const expected = await oracle(jobs)
  const states = new Set<string>()
  for (const [i, job] of jobs.entries()) {
    const lines = await replayed(job, i)
    for (const line of lines) if (typeof line !== 'string') states.add(String(line.quality_state))
    expect(lines, `definition of seed ${i + 1}`).toEqual(expected[i])
  }
  expect([...states].sort()).toEqual(['degraded', 'indicative', 'stale', 'suspended', 'valid'])
})

async function oracle(jobs: readonly Job[]): Promise<unknown[]> {
  const file = join(folder, 'jobs.json')
  await writeFile(file, JSON.stringify(jobs))
  const { stdout } = await promisify(execFile)('python3', [ORACLE, archive.dir, file], { maxBuffer: 2 ** 28 })
  return JSON.parse(stdout) as unknown[]
}

/** The lines with the fields the oracle gives; a refusal ends them by its code. */
async function replayed(job: Job, i: number): Promise<(Record<string, unknown> | string)[]> {
  const target = join(folder, `definition-${i}.json`)
  await writeFile(target, JSON.stringify(job.definition))
  const lines: (Record<string, unknown> | string)[] = []
  try {
    for await (const line of replayIndex({ target, from: job.from, to: job.to, as_of: job.known_at, warehouse })) {
      const { excluded_inputs, input_observation_ids, input_reasons: _, ...rest } = line
      expect(excluded_inputs).toEqual([])
      expect(new Set(input_observation_ids).size).toBe(input_observation_ids.length)
      lines.push(rest)
    }
  } catch (error) {
    if (!isServiceError(error)) throw error
    lines.push(error.code)
  }
  return lines
}

/** mulberry32: the same seed gives the same definition on every machine. */
function randomOf(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % bound
  }
}

function randomJob(seed: number): Job {
  const random = randomOf(seed)
  const pick = <T>(...values: readonly T[]): T => values[random(values.length)]!
  const mode = pick('gauge', 'chain_linked')
  const days = Array.from({ length: 1 + random(3) }, () => random(START_DAYS)).sort((a, b) => a - b)
  const starts = [...new Set(days)].map((day) => instantOf(day, pick(0, 0, 0, 13)))
  const wide = mode === 'chain_linked' ? { 'link.min_s': '0.0001', 'link.gearing_range': '0.000001 1000000' } : {}
  const parameters = {
    mode,
    'admission.grace': pick('P2D', 'P1D', 'PT5S', 'P5D'),
    'fresh.stale_after': pick('P2D', 'P3D', 'P7D', 'P1D'),
    'fresh.max_carry': pick('P30D', 'P10D', 'P60D'),
    'quality.min_confidence': pick('0.60', '0.40', '0.20'),
    ...wide,
  }
  const versions = starts.map((effective_from, i) => ({
    version: String(i + 1),
    effective_from,
    calculation_frequency: pick('P1D', 'P1D', 'PT6H', 'P7D'),
    minimum_coverage_ratio: pick('0.80', '0.5', '1'),
    constituents: randomConstituents(random),
  }))
  const index = {
    index_id: `idx_oracle_${seed}`,
    slug: 'oracle',
    symbol: 'ORACLE',
    name: 'Oracle',
    base_value: '1000',
    base_date: instantOf(days[0]!, 0),
  }
  const methodology = { methodology_id: 'mth_oracle', version: '1', name: 'Oracle', parameters }
  return {
    definition: { index, methodology, versions },
    from: FROM,
    to: TO,
    known_at: pick(null, null, ...KNOWN_AT),
  }
}

function instantOf(day: number, hour: number): string {
  return new Date(Date.UTC(2025, 10, 20 + day, hour)).toISOString().replace('.000Z', 'Z')
}

function randomConstituents(random: (bound: number) => number) {
  const chosen = new Map<string, Market>()
  for (let left = 1 + random(12); left > 0; left--) {
    const market = markets[random(markets.length)]!
    chosen.set(JSON.stringify(market), market)
  }
  const weights = randomWeights(random, chosen.size)
  return [...chosen.values()].map((market, i) => ({
    constituent_id: `con_${String(i).padStart(2, '0')}`,
    ...market,
    outcome: ['YES', 'YES', 'YES', 'NO'][random(4)]!,
    target_weight: weights[i]!,
    normalization: ['probability_0_1', 'probability_0_1', 'inverse'][random(3)]!,
  }))
}

/** Weights of at least one unit each that sum to exactly 1, at 3 or 10 decimals. */
function randomWeights(random: (bound: number) => number, count: number): string[] {
  if (count === 1) return ['1']
  const scale = [3, 10][random(2)]!
  const unit = 10 ** scale
  const rest = Array.from({ length: count - 1 }, () => 1 + random(Math.floor(unit / count) - 1))
  const integers = [unit - rest.reduce((sum, value) => sum + value, 0), ...rest]
  return integers.map((value) => `0.${String(value).padStart(scale, '0')}`)
}

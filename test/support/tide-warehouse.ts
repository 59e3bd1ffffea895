import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importArchive } from '../../operations/import/import-archive.ts'
import { applyDefinitions } from '../../operations/index/apply-definitions.ts'
import { computeIndexes } from '../../operations/index/compute-indexes.ts'
import { correctIndex } from '../../operations/index/correct-index.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { type ShortRow, valueLine, writeArchive } from './archive-folder.ts'

/** The days of January 2026 that the small archive is about. */
export const TIDE_RANGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-08T00:00:00Z' } as const

//              set  market day published  value  final payout
export const TIDE_ROWS: readonly ShortRow[] = [
  ['s1', 'A', 1, '01T06:00', '0.5'],
  ['s1', 'B', 1, '01T06:00', '0.3'],
  ['s1', 'A', 2, '02T06:00', '0.6'],
  ['s1', 'B', 2, '02T06:00', '0.4'],
  // nothing about 01-03 and 01-04: the index is stale
  ['s1', 'A', 5, '05T06:00', '0.7'],
  ['s1', 'B', 5, '05T06:00', '0.4'],
  ['s1', 'A', 6, '06T06:00', '1.0', 'F'],
  ['s1', 'B', 6, '06T06:00', '0.4'],
]
/** Known too late for its tick: what a correction admits. */
const LATE: readonly ShortRow[] = [['s1', 'B', 2, '08T06:00', '0.5']]

/**
 * A warehouse with one small gauge, idx_tide, published day by day and corrected once (01-02 and the stale 01-03: 50 to 55).
 * Gives its folder and a function that writes a definition file with other weights and parameters.
 */
export async function tideWarehouse(folder: string) {
  const root = join(folder, 'warehouse')
  const warehouse = await openWarehouse({ root, create: true })
  const write = (name: string, change: TideChange = {}) => writeTideDefinition(folder, name, change)
  try {
    const load = (rows: readonly ShortRow[], clock: 'wall' | 'recorded') =>
      importArchive({
        archive: 'forecastbench',
        dir: writeArchive(join(folder, clock), rows.map(valueLine)),
        clock,
        warehouse,
      })
    await load(TIDE_ROWS, 'recorded')
    await applyDefinitions({ files: [write('tide')], clock: 'recorded', warehouse })
    await computeIndexes({ index_ids: ['idx_tide'], ...TIDE_RANGE, clock: 'recorded', warehouse })
    await load(LATE, 'wall')
    await correctIndex({ index_id: 'idx_tide', from: null, to: null, reason: 'LATE_DATA', warehouse })
  } finally {
    await warehouse.close()
  }
  return { root, write }
}

/** Fields that a test may change in a definition file of the small archive. */
export type TideChange = {
  readonly name?: string
  readonly weights?: readonly [a: string, b: string]
  readonly minimum_coverage_ratio?: string
  readonly frequency?: string
  readonly parameters?: string
}

export function writeTideDefinition(folder: string, file: string, change: TideChange = {}): string {
  const { name = 'Tide', weights = ['0.5', '0.5'], minimum_coverage_ratio = '0.80', frequency = 'P1D' } = change
  const constituent = (id: string, market: string, weight: string) =>
    `      - { constituent_id: con_${id}, venue_id: v, source_series_id: s1, source_market_id: ${market}, outcome: "YES", target_weight: "${weight}", normalization: probability_0_1 }`
  const path = join(folder, `${file}.yaml`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    path,
    `
index: { index_id: idx_tide, slug: tide, symbol: TIDE, name: ${JSON.stringify(name)}, base_value: "1000", base_date: 2026-01-01T00:00:00Z }
methodology: { methodology_id: mth_${file}, version: "1.0.0", name: Test, parameters: { admission.grace: PT12H, fresh.stale_after: PT12H, fresh.max_carry: P30D${change.parameters === undefined ? '' : `, ${change.parameters}`} } }
versions:
  - version: "1"
    effective_from: 2026-01-01T00:00:00Z
    calculation_frequency: ${frequency}
    minimum_coverage_ratio: "${minimum_coverage_ratio}"
    constituents:
${constituent('a', 'A', weights[0])}
${constituent('b', 'B', weights[1])}
`,
  )
  return path
}

/** Writes the definition with a second version from an instant on, with weights of 0.9 and 0.1. */
export function writeSecondVersion(
  folder: string,
  file: string,
  effective_from: string,
  change: TideChange = {},
): string {
  const path = writeTideDefinition(folder, file, change)
  const text = readFileSync(path, 'utf8').replace(`mth_${file}`, 'mth_tide')
  const second = text
    .slice(text.indexOf('  - version:'))
    .replace('version: "1"', 'version: "2"')
    .replace(/effective_from: .*/, `effective_from: ${effective_from}`)
    .replace(/target_weight: "[\d.]+"/, 'target_weight: "0.9"')
    .replace(/target_weight: "[\d.]+"(?![\s\S]*target_weight)/, 'target_weight: "0.1"')
  writeFileSync(path, text + second)
  return path
}

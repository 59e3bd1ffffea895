import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveApi } from '../../../api/serve.ts'
import { wholeWarehouse } from '../../../test/support/whole-warehouse.ts'
import { type KnownRecords, readKnownRecords } from '../requests/known-records.ts'
import { OPERATIONS } from '../requests/public-request.ts'
import { runSchemathesis } from './schemathesis.ts'

export type SchemaOptions = {
  readonly python: string
  /** Empty; everything is below it. */
  readonly folder: string
  readonly seed: number
  /** Requests at least. */
  readonly cases: number
  readonly onRun?: (text: string) => void
}

export type SchemaReport = {
  readonly lane: 'sec:schema'
  readonly seed: number
  readonly cases: number
  readonly runs: number
  readonly operations: number
  /** Output of the run in which Schemathesis found something. */
  readonly violations: readonly string[]
}

/** Longest text of a finding. */
const TOLD_MAX = 20_000
/** Phases of every run but the first: those that make other requests for another seed. */
const SEEDED = 'fuzzing,stateful'
/** Requests of the phases that every first run has, whatever its examples. */
const FIXED = 3_000

/** Serves a warehouse with records for every public endpoint, and runs Schemathesis until it has made enough requests. */
export async function runSchema({ python, folder, seed, cases, onRun }: SchemaOptions): Promise<SchemaReport> {
  const root = await wholeWarehouse(folder)
  writeFileSync(join(folder, 'schemathesis.toml'), settingsOf(await readKnownRecords(root)))
  const at = { warehouse_root: root, host: '127.0.0.1', port: 0 }
  const api = await serveApi({ ...at, environment: 'test', rate_limits: 'off' })
  const violations: string[] = []
  let [made, runs] = [0, 0]
  try {
    while (made < cases && violations.length === 0) {
      const left = runs === 0 ? cases - FIXED : cases - made
      const examples = Math.max(1, Math.ceil(left / OPERATIONS.length))
      const place = { python, base_url: api.base_url, cwd: folder }
      const run = await runSchemathesis({ ...place, examples, seed: seed + runs, ...(runs > 0 && { phases: SEEDED }) })
      made += run.cases
      runs += 1
      if (run.status !== 0 || run.cases === 0) violations.push(run.text.slice(-TOLD_MAX))
      onRun?.(`run ${runs}: ${run.cases} requests, exit code ${run.status}`)
    }
  } finally {
    await api.close()
  }
  return { lane: 'sec:schema', seed, cases: made, runs, operations: OPERATIONS.length, violations }
}

/** Share of the requests about records that exist. Without it nearly all would be answered with 404. */
const KNOWN_SHARE = 0.7

/**
 * Returns the settings that name the records to ask for, as TOML. A parameter takes the same names in every endpoint, so that
 * nearly all requests are about the index, market and event of which most is known.
 */
export function settingsOf(known: KnownRecords): string {
  const values = new Map<string, Set<string>>()
  for (const records of Object.values(known)) {
    const most = Math.max(...records.map((names) => Object.keys(names).length))
    const fullest = records.filter((names) => Object.keys(names).length === most).slice(0, RECORDS_MAX)
    for (const [name, of_record] of fullest.flatMap((names) => Object.entries(names))) {
      const found = values.get(name) ?? new Set()
      for (const value of of_record.slice(0, VALUES_MAX)) found.add(value)
      values.set(name, found)
    }
  }
  const lists = [...values].map(([name, found]) => `[dictionaries.${name}]\nvalues = ${JSON.stringify([...found])}\n`)
  const bindings = [...values.keys()].flatMap((name) =>
    ['path', 'query'].map((at) => `"${at}.${name}" = { dictionary = "${name}", probability = ${KNOWN_SHARE} }`),
  )
  return [...lists, '[parameters]', ...bindings, ''].join('\n')
}

/** Records of a kind, and values of one parameter of each, that requests name. */
const RECORDS_MAX = 2
const VALUES_MAX = 3

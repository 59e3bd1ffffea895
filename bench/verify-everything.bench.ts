/**
 * Measures `tidemark verify everything` over HTTP: a year of an index with a level an hour, and a day of one with a level a minute,
 * each with proofs, and every quote behind every level. Beside it the naive peer: a request a quote and a receipt a page, over some of
 * the same levels, after both gave the same report. The service runs in a process of its own, without rate limits.
 * Goal: a year of hours under 60 s.
 */

import type { EverythingReport } from '../client/everything/report.ts'
import { verifyEverything } from '../client/everything/verify-everything.ts'
import { canonicalJson } from '../primitives/canonical-json.ts'
import { invariant } from '../primitives/errors.ts'
import type { BenchOptions } from './bench-options.ts'
import type { BenchRow } from './bench-row.ts'
import { rounded } from './support/rounds.ts'
import { startPriceServer } from './support/start-price-server.ts'
import { type VerifyWorldSize, verifyWorld } from './support/verify-world.ts'

const CONSTITUENTS = 10
const YEAR_DAYS = 365
const MINUTES_A_DAY = 1440
/** Days that the naive peer verifies: a year of it takes too long. */
const PEER_DAYS = 10

export async function run({ days = YEAR_DAYS }: BenchOptions): Promise<BenchRow[]> {
  const hours = await measure({ frequency: 'PT1H', constituents: CONSTITUENTS, ticks: days * 24 })
  const minutes = await measure({ frequency: 'PT1M', constituents: CONSTITUENTS, ticks: MINUTES_A_DAY })
  const both = await measure({ frequency: 'PT1H', constituents: CONSTITUENTS, ticks: PEER_DAYS * 24 })
  const naive = await measure({ frequency: 'PT1H', constituents: CONSTITUENTS, ticks: PEER_DAYS * 24 }, 'expand')
  invariant(both.table === naive.table, `both ways give the same table: ${both.table} and ${naive.table}`)
  return [
    {
      figure: 'verify_everything.year_of_hours_s',
      value: rounded(hours.wall_s),
      unit: 's',
      goal: days < YEAR_DAYS ? null : { at_most: 60 },
      details: detailsOf(hours),
    },
    {
      figure: 'verify_everything.day_of_minutes_s',
      value: rounded(minutes.wall_s),
      unit: 's',
      goal: null,
      details: { ...detailsOf(minutes), year_of_minutes_s: Math.round(minutes.wall_s * YEAR_DAYS) },
    },
    {
      figure: 'verify_everything.over_naive',
      value: rounded(naive.wall_s / naive.levels / (hours.wall_s / hours.levels)),
      unit: 'x',
      goal: { at_least: 2 },
      details: { ...detailsOf(naive), year_of_hours_s: Math.round((naive.wall_s / naive.levels) * YEAR_DAYS * 24) },
    },
  ]
}

type Measured = {
  readonly wall_s: number
  readonly cpu_s: number
  readonly levels: number
  readonly requests: number
  /** Counts of every check. */
  readonly table: string
}

/** @param unknown parameter that the service refuses, as one of an earlier release does */
async function measure(size: VerifyWorldSize, unknown: string | null = null): Promise<Measured> {
  const world = await verifyWorld(size)
  const server = await startPriceServer({ kind: 'api', root: world.root })
  const real = globalThis.fetch
  let requests = 0
  globalThis.fetch = async (input, init) => {
    requests += 1
    const { pathname, searchParams } = new URL(String(input))
    const is_refused = unknown !== null && pathname.endsWith('/prices') && searchParams.has(unknown)
    return is_refused ? refusal(unknown) : real(input, init)
  }
  try {
    const [cpu, began] = [process.cpuUsage(), performance.now()]
    const report = await verifyEverything({ base_url: server.base_url })
    const wall_s = (performance.now() - began) / 1000
    const { user, system } = process.cpuUsage(cpu)
    invariant(report.ok, `it verifies: ${canonicalJson(report.failures)}`)
    const levels = countOf(report, 'levels')
    invariant(levels === size.ticks, `every level is verified: ${levels} of ${size.ticks}`)
    return { wall_s, cpu_s: (user + system) / 1e6, levels, requests, table: tableOf(report) }
  } finally {
    globalThis.fetch = real
    await server.close()
    world.remove()
  }
}

function refusal(name: string): Response {
  const error = { code: 'VALIDATION_PARAMETER_UNKNOWN', message: `${name} is unknown`, retryable: false }
  return new Response(JSON.stringify({ error }), { status: 400 })
}

function countOf({ checks }: EverythingReport, check: string): number {
  return checks.find((one) => one.check === check)!.checked
}

/** Returns what was found: the naive peer reads other answers, so how many were compared is left out. */
function tableOf({ checks }: EverythingReport): string {
  const found = checks.map(({ check, checked, failed }) => [check, check === 'answers' ? null : checked, failed])
  return canonicalJson(found)
}

function detailsOf({ wall_s, cpu_s, levels, requests }: Measured) {
  return {
    levels,
    constituents: CONSTITUENTS,
    levels_per_s: Math.round(levels / wall_s),
    client_cpu_s: rounded(cpu_s),
    requests,
    requests_per_level: rounded(requests / levels),
  }
}

/**
 * Measures a turn of the notices in a home of 20,000 levels and reports of health, and in one of ten times as many: five new levels
 * and a report, then what follows from them. Beside it the derivation from all facts, as each turn was before. In CPU of the whole
 * process; both give the same notices.
 * Goals: a turn at ten times the records costs at most twice as much, and less than the derivation from all facts.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishNotices } from '../operations/notices/publish-notices.ts'
import { readNoticeFacts } from '../operations/notices/read-facts.ts'
import { readNotices } from '../operations/notices/read-notices.ts'
import { deriveNotices } from '../pipelines/notices/derive-notices.ts'
import { invariant } from '../primitives/errors.ts'
import { formatMicros } from '../primitives/instants.ts'
import { append, governHome } from '../test/support/notice-world.ts'
import type { Row } from '../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../warehouse/warehouse.ts'
import type { BenchRow } from './bench-row.ts'
import { median, rounded } from './support/rounds.ts'
import { MINUTE, YEAR_START } from './support/synthetic-books.ts'

const RECORDS = 20_000
const TIMES = 10
const ROUNDS = 5
/** Rows of one commit. */
const COMMIT = 10_000

export async function run(): Promise<BenchRow[]> {
  const [small, large] = [await measure(RECORDS), await measure(RECORDS * TIMES)]
  const details = { records: RECORDS, times: TIMES, small: small.steps, large: large.steps }
  return [
    {
      figure: 'notices.turn_at_ten_times',
      value: rounded(median(large.steps) / median(small.steps)),
      unit: 'x',
      goal: { at_most: 2 },
      details,
    },
    {
      figure: 'notices.turn_of_all',
      value: rounded(median(large.steps) / median(large.wholes)),
      unit: 'x',
      goal: { at_most: 1 },
      details: { small_of_all: small.wholes, large_of_all: large.wholes },
    },
  ]
}

type Measured = { readonly steps: readonly number[]; readonly wholes: readonly number[] }

async function measure(records: number): Promise<Measured> {
  const root = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const clock = { now: YEAR_START }
  const ports = { now: async () => clock.now, without_clock_guards: true }
  const warehouse = await openWarehouse({ root: join(root, 'warehouse'), create: true, ports })
  const [steps, wholes]: [number[], number[]] = [[], []]
  try {
    await governHome(warehouse)
    for (let from = 0; from < records; from += COMMIT) await appendMinutes(warehouse, clock, from, COMMIT)
    await publishNotices(warehouse)
    for (let round = 0; round < ROUNDS; round += 1) {
      await appendMinutes(warehouse, clock, records + round * 5, 5)
      steps.push(await cpuMs(() => publishNotices(warehouse)))
      wholes.push(await cpuMs(() => derivedFromAll(warehouse, clock.now)))
    }
    return { steps, wholes }
  } finally {
    await warehouse.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Appends a level and a report a minute; one in a thousand begins an impairment of twenty minutes. */
async function appendMinutes(warehouse: Warehouse, clock: { now: number }, from: number, count: number): Promise<void> {
  const minutes = Array.from({ length: count }, (_, n) => from + n)
  clock.now = YEAR_START + (from + count + 2) * MINUTE
  await append(warehouse, 'index_observation', ...minutes.map(levelRow))
  await append(warehouse, 'ingest_health', ...minutes.map(reportRow))
}

const isBad = (minute: number): boolean => minute % 1000 < 20

function levelRow(minute: number): Row {
  return {
    ...{ observation_id: `obs_${minute}`, revision: 1, index_id: 'idx_a', index_version_id: 'idv_a', level: '10.0000' },
    ...{ tick_at: formatMicros(YEAR_START + minute * MINUTE), record_hash: `hash_${minute}` },
    ...{ quality_state: isBad(minute) ? 'stale' : 'valid', reason_codes: isBad(minute) ? ['NO_FRESH_INPUT'] : [] },
  }
}

function reportRow(minute: number): Row {
  return {
    ...{ health_id: `ihl_${minute}`, venue_id: 'venue_a', gaps: 0, quarantined: 0, records_new: 0, sessions: 1 },
    ...{ state: isBad(minute) ? 'down' : 'ok', source_at: formatMicros(YEAR_START + minute * MINUTE) },
  }
}

async function derivedFromAll(warehouse: Warehouse, now: number): Promise<void> {
  const found = await readNoticeFacts(warehouse, null)
  const derived = new Set(deriveNotices(found!.facts, now).map(({ notice_id }) => notice_id))
  const published = await readNotices(warehouse)
  invariant(
    published.length === derived.size && published.every(({ notice_id }) => derived.has(notice_id)),
    `both give the same notices: ${published.length} and ${derived.size}`,
  )
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return rounded((user + system) / 1000)
}

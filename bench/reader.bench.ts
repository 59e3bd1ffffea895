/**
 * Measures reads with 0.1 and with 10 million rows stored, in turns: a page of 100 levels, market prices or trades from a random point
 * of the history, the latest level as of a random instant, and the latest level from memory. A page of prices reads three tables of
 * 10 million rows each. Making the larger warehouses takes minutes, so all are kept.
 * Goals: a page's p99 under 50 ms with 10 million rows; each read less than 1.2 times as long as with 0.1 million.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { invariant } from '../primitives/errors.ts'
import type { Micros } from '../primitives/instants.ts'
import { openReader } from '../warehouse/reader/open-reader.ts'
import type { HistoryPage, Reader } from '../warehouse/reader/reader.ts'
import type { BenchRow } from './bench-row.ts'
import { rounded, spread } from './support/rounds.ts'
import { DAY, FIRST_DAY } from './support/stored-days.ts'
import { INDEXES, indexId, ROWS_A_DAY, storedLevels } from './support/stored-levels.ts'
import { MARKET_ROWS_A_DAY, MARKETS, marketId, storedMarkets } from './support/stored-markets.ts'

const SIZES = { small: 4, large: 346 } as const // days: 0.1 and 10 million rows
const READS = 200
const WARM_UP = 20
const LATEST_READS = 200_000
/** Warm-up: a serving process runs for days, so what it learns about its files at the start is not part of a page. */
const LEARNING_MS = 10_000

export async function run(): Promise<BenchRow[]> {
  return [...(await withReaders(storedLevels, measureLevels)), ...(await withReaders(storedMarkets, measureMarkets))]
}

async function withReaders(
  stored: (days: number) => Promise<string>,
  measure: (small: Reader, large: Reader) => Promise<BenchRow[]>,
): Promise<BenchRow[]> {
  const small = await openReader({ root: await stored(SIZES.small) })
  const large = await openReader({ root: await stored(SIZES.large) })
  try {
    await sleep(LEARNING_MS)
    return await measure(small, large)
  } finally {
    await small.close()
    await large.close()
  }
}

type Read = (reader: Reader, at: Micros, nth: number) => Promise<unknown>

/** Measures pages of the histories of markets: prices of all fields, by publication and by source time, and trades. */
async function measureMarkets(small: Reader, large: Reader): Promise<BenchRow[]> {
  const prices = async (reader: Reader, change: Partial<HistoryPage>, nth: number) => {
    const asked = { market_id: marketId(nth % MARKETS), outcome_id: null, field: null, trades: true }
    const page = { ...PAGE, as_of: reader.horizon('market_quote'), ...change }
    isFull(await reader.history.marketObservations(asked, page))
  }
  const reads: Record<string, Read> = {
    prices_page: (reader, at, nth) => prices(reader, { after: { instant: at, id: '' } }, nth),
    prices_page_by_source: (reader, at, nth) => prices(reader, { time_domain: 'source', start: at }, nth),
    trades_page: async (reader, at, nth) => {
      const asked = { market_id: marketId(nth % MARKETS), outcome_id: null, start: null, end: null }
      const page = { after: { instant: at, id: '' }, limit: PAGE.limit, as_of: reader.horizon('public_trade') }
      isFull(await reader.history.trades(asked, page))
    },
  }
  const rows: BenchRow[] = []
  for (const [name, read] of Object.entries(reads))
    rows.push(...(await compare(name, read, small, large, MARKET_ROWS_A_DAY)))
  return rows
}

async function measureLevels(small: Reader, large: Reader): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  const page = async (reader: Reader, change: Partial<HistoryPage>, nth: number) => {
    const page = { ...PAGE, as_of: reader.horizon('index_observation'), ...change }
    isFull(await reader.history.observations(indexId(nth % INDEXES), page))
  }
  const reads: Record<string, Read> = {
    page: (reader, at, nth) => page(reader, { after: { instant: at, id: '' } }, nth),
    page_by_source: (reader, at, nth) => page(reader, { time_domain: 'source', start: at }, nth),
    latest_as_of: (reader, at, nth) => reader.history.latestObservation(indexId(nth % INDEXES), at),
  }
  for (const [name, read] of Object.entries(reads)) rows.push(...(await compare(name, read, small, large, ROWS_A_DAY)))
  return [...rows, ...latestRows(small, large)]
}

const PAGE: HistoryPage = {
  time_domain: 'published',
  start: null,
  end: null,
  after: null,
  limit: 100,
  quality_state: null,
  include_corrections: false,
  as_of: 0,
}

function isFull(rows: readonly unknown[]): void {
  invariant(rows.length === PAGE.limit, `reader: a page has ${rows.length} rows`)
}

async function compare(
  name: string,
  read: Read,
  small: Reader,
  large: Reader,
  rows_a_day: number,
): Promise<BenchRow[]> {
  const taken = { small: [] as number[], large: [] as number[] }
  for (let n = 0; n < READS + WARM_UP; n += 1) {
    for (const [size, reader] of [
      ['small', small],
      ['large', large],
    ] as const) {
      const days = SIZES[size] - 1
      const at = FIRST_DAY + Math.floor(((n * 0.618_034) % 1) * days * DAY)
      const started = performance.now()
      await read(reader, at, n)
      if (n >= WARM_UP) taken[size].push(performance.now() - started)
    }
  }
  const [of_small, of_large] = [spread(taken.small), spread(taken.large)]
  const details = {
    rows: SIZES.large * rows_a_day,
    reads: READS,
    small_p50_ms: of_small.p50,
    small_p99_ms: of_small.p99,
    large_p50_ms: of_large.p50,
  }
  const goal = name === 'latest_as_of' ? null : { at_most: 50 }
  return [
    { figure: `reader.${name}.p99`, value: of_large.p99, unit: 'ms', goal, details },
    {
      figure: `reader.${name}.large_over_small`,
      value: rounded(of_large.p50 / of_small.p50),
      unit: 'x',
      goal: { at_most: 1.2 },
      details,
    },
  ]
}

function latestRows(small: Reader, large: Reader): BenchRow[] {
  const time = (reader: Reader) => {
    const started = performance.now()
    for (let n = 0; n < LATEST_READS; n += 1)
      invariant(reader.latest.observation(indexId(n % INDEXES)) !== null, 'reader: no level')
    return ((performance.now() - started) * 1e6) / LATEST_READS
  }
  for (const reader of [small, large]) time(reader)
  const rounds = [0, 1, 2, 3, 4].map(() => ({ small: time(small), large: time(large) }))
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[2]!
  const [of_small, of_large] = [middle(rounds.map((one) => one.small)), middle(rounds.map((one) => one.large))]
  const details = { small_ns: rounded(of_small), large_ns: rounded(of_large) }
  return [
    { figure: 'reader.latest', value: rounded(of_large), unit: 'ns', goal: null, details },
    {
      figure: 'reader.latest.large_over_small',
      value: rounded(of_large / of_small),
      unit: 'x',
      goal: { at_most: 1.2 },
      details,
    },
  ]
}

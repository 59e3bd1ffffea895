/**
 * Measures a commit of 1,000 quotes through the table log beside its bare parts: the same rows by the same COPY, the same fsyncs
 * and a link. The two take turns. Then measures the delay until another process can query the rows.
 * Goals: p99 at most 3 times that of the bare parts; visible within 1 s.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { invariant } from '../primitives/errors.ts'
import { formatMicros } from '../primitives/instants.ts'
import { createParquetEngine } from '../warehouse/parquet/parquet-engine.ts'
import { openReadSession } from '../warehouse/read/session.ts'
import type { Row } from '../warehouse/schema.ts'
import { tableSchema } from '../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../warehouse/warehouse.ts'
import type { BenchRow } from './bench-row.ts'
import { rounded } from './support/rounds.ts'

const ROWS = 1000
const COMMITS = 300
const WARM_UP = 20
const TAIL_SCRIPT = fileURLToPath(new URL('support/tail-versions.ts', import.meta.url))
const NOON = Date.UTC(2026, 0, 1, 12) * 1000

export async function run(): Promise<BenchRow[]> {
  const root = await mkdtemp(join(tmpdir(), 'tidemark-bench-'))
  const warehouse = await openWarehouse({ root: join(root, 'warehouse'), create: true })
  const reader = spawn(process.execPath, ['--import', 'tsx', TAIL_SCRIPT, join(root, 'warehouse')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines = createInterface({ input: reader.stdout! })
    await once(lines, 'line')
    const seen = visibleAt(lines)
    const bare = await openBare(root)
    const times = await measure(warehouse, bare)
    await checkRows(warehouse)
    return [...commitRows(times), await visibleRow(times, seen)]
  } finally {
    await endChild(reader)
    await warehouse.close()
    await rm(root, { recursive: true, force: true })
  }
}

type Times = { readonly ours: number[]; readonly bare: number[]; readonly acknowledged: Map<number, number> }

async function measure(warehouse: Warehouse, bare: Bare): Promise<Times> {
  const times: Times = { ours: [], bare: [], acknowledged: new Map() }
  for (let i = 0; i < COMMITS + WARM_UP; i++) {
    const rows = quotes(i)
    const ours = await timed(async () => {
      const { version } = await warehouse.append('market_quote', rows, {
        app_id: 'bench',
        app_sequence: i + 1,
        stamp: { kind: 'wall' },
        operation: 'BENCH',
      })
      times.acknowledged.set(version, performance.timeOrigin + performance.now())
    })
    const theirs = await timed(() => bare.commit(i, rows))
    if (i >= WARM_UP) times.ours.push(ours)
    if (i >= WARM_UP) times.bare.push(theirs)
  }
  return times
}

function commitRows({ ours, bare }: Times): BenchRow[] {
  const of = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!
  const details = {
    commits: COMMITS,
    rows: ROWS,
    ours_p50_ms: rounded(of(ours, 0.5)),
    ours_p99_ms: rounded(of(ours, 0.99)),
    bare_p50_ms: rounded(of(bare, 0.5)),
    bare_p99_ms: rounded(of(bare, 0.99)),
  }
  return [
    {
      figure: 'commit.p99_to_bare',
      value: rounded(of(ours, 0.99) / of(bare, 0.99)),
      unit: 'x',
      goal: { at_most: 3 },
      details,
    },
    { figure: 'commit.p50_to_bare', value: rounded(of(ours, 0.5) / of(bare, 0.5)), unit: 'x', goal: null, details },
  ]
}

async function visibleRow({ acknowledged }: Times, seen: ReadonlyMap<number, number>): Promise<BenchRow> {
  for (let waited = 0; seen.size < acknowledged.size && waited < 100; waited++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  const delays = [...acknowledged].map(([version, at]) => seen.get(version)! - at).sort((a, b) => a - b)
  invariant(delays.every(Number.isFinite), 'every version was seen by the other process')
  const details = { versions: delays.length, p50_ms: rounded(delays[delays.length >> 1]!) }
  return {
    figure: 'commit.visible_elsewhere_max',
    value: rounded(delays.at(-1)!),
    unit: 'ms',
    goal: { at_most: 1000 },
    details,
  }
}

/** Returns the time at which the reading process saw each version. */
function visibleAt(lines: Interface): ReadonlyMap<number, number> {
  const seen = new Map<number, number>()
  lines.on('line', (line) => {
    const [version, at] = line.split(' ')
    seen.set(Number(version), Number(at))
  })
  return seen
}

type Bare = { commit(i: number, rows: readonly Row[]): Promise<void> }

/** Runs the bare parts of a commit: COPY, fsync of the file and its folder, a link in the log folder, its fsync. */
async function openBare(root: string): Promise<Bare> {
  const [data, log] = [join(root, 'bare', 'data'), join(root, 'bare', 'log')]
  await mkdir(data, { recursive: true })
  await mkdir(log, { recursive: true })
  const engine = createParquetEngine()
  return {
    async commit(i, rows) {
      const file = join(data, `part-${i}.parquet`)
      await engine.writeRows(
        { table: 'market_quote', schema: tableSchema('market_quote'), rows, published_at: NOON + i },
        file,
      )
      await syncPath(file)
      await syncPath(data)
      const entry = join(log, `${String(i).padStart(20, '0')}.json`)
      await writeFile(`${entry}.unfinished`, 'x'.repeat(2500))
      await syncPath(`${entry}.unfinished`)
      await link(`${entry}.unfinished`, entry)
      await rm(`${entry}.unfinished`)
      await syncPath(log)
    },
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path)
  await handle.sync()
  await handle.close()
}

/** Checks that every acknowledged row is stored. */
async function checkRows(warehouse: Warehouse): Promise<void> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['market_quote'] })
  const [row] = await session.query('select count(*) as n, count(distinct record_id) as ids from market_quote_history')
  await session.close()
  const expected = (COMMITS + WARM_UP) * ROWS
  invariant(row?.n === expected && row.ids === expected, `every row is stored once: ${JSON.stringify(row)}`)
}

function quotes(commit: number): Row[] {
  return Array.from({ length: ROWS }, (_, i) => {
    const at = formatMicros(NOON + commit * 1_000_000 + i)
    const bid = `0.4${String(i % 100).padStart(2, '0')}`
    return {
      record_id: `obs_${commit}_${i}`,
      revision: 1,
      venue_id: 'bench',
      source_market_id: `m${i % 50}`,
      market_id: `mkt_${i % 50}`,
      outcome_id: `out_${i % 50}`,
      bid,
      ask: `0.6${bid.slice(3)}`,
      source_at: at,
      received_at: at,
    }
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function endChild(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { type Micros, toMicros } from '../../../primitives/instants.ts'
import { openSharedDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { type AppendOptions, type OpenOptions, openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { childArgv } from '../../support/child-argv.ts'

/** Runs after the test, whether it passed or not; what was registered last runs first. */
export function afterTest(cleanup: () => unknown): void {
  onTestFinished(async () => void (await cleanup()))
}

/** A new folder that is removed after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-test-'))
  afterTest(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An open warehouse, closed after the test; in a new folder unless `root` is given. */
export async function testWarehouse(options: Partial<OpenOptions> = {}): Promise<Warehouse> {
  const warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true, ...options })
  afterTest(() => warehouse.close())
  return warehouse
}

export { linkRow, linkRows } from './rows.ts'

/** Append options of step `app_sequence` of the test's application. */
export function step(
  app_sequence: number,
  stamp: AppendOptions['stamp'] = { kind: 'wall' },
  app_id = 'test',
): AppendOptions {
  return { app_id, app_sequence, stamp, operation: 'TEST' }
}

export function recorded(at: string): AppendOptions['stamp'] {
  return { kind: 'recorded', at: toMicros(at) }
}

/** Returns the result of a query over the rows of a table that are visible at `as_of`; `FROM rows` names them. */
export async function queryTable(
  warehouse: Warehouse,
  table: TableName,
  sql: string,
  as_of: Micros | null = null,
): Promise<Record<string, unknown>[]> {
  const log = warehouse.log(table)
  const { files } = await log.snapshot()
  const visible = files.filter((file) => as_of === null || file.stamp_min <= as_of)
  const paths = await log.ensureVerified(visible)
  if (paths.length === 0) return []
  const { connection, close } = await openSharedDatabase()
  try {
    const list = paths.map((path) => `'${path}'`).join(', ')
    const until = as_of === null ? '' : `WHERE epoch_us(published_at) <= ${as_of}`
    const from = `(SELECT * FROM read_parquet([${list}], union_by_name = true) ${until})`
    return (await connection.runAndReadAll(`WITH rows AS ${from} ${sql}`)).getRowObjectsJson()
  } finally {
    await close()
  }
}

/** Count and an order-independent checksum of the index_link rows visible at `as_of`. */
export async function answerAsOf(warehouse: Warehouse, as_of: Micros): Promise<string> {
  const sql = `SELECT count(*)::INTEGER AS n, sha256(coalesce(string_agg(index_version_id || '/' || epoch_us(published_at) || '/' ||
    row_ordinal, ',' ORDER BY index_version_id, published_at, row_ordinal), '')) AS sum FROM rows`
  const [answer] = await queryTable(warehouse, 'index_link', sql, as_of)
  return answer === undefined || answer.n === 0 ? 'no rows' : `${answer.n} rows, ${answer.sum}`
}

/** A script of this folder running in a process of its own, with the lines it prints. */
export type Child = {
  readonly pid: number
  readonly lines: string[]
  readonly kill: () => void
  /** Resolves with its exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>
  /** Resolves when it has printed `count` lines or ended. */
  printed(count: number): Promise<void>
}

/** Starts `test/warehouse/log/children/<script>` with a JSON argument. */
export function startChild(script: string, argument: unknown): Child {
  const file = join(import.meta.dirname, 'children', script)
  const child = spawn(process.execPath, childArgv(file, JSON.stringify(argument)), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  const waiting: (() => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const wake of waiting.splice(0)) wake()
  })
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => {
      resolve(signal ?? code ?? -1)
      for (const wake of waiting.splice(0)) wake()
    })
  })
  let over = false
  void ended.then(() => {
    over = true
  })
  const kill = () => void child.kill('SIGKILL')
  afterTest(kill)
  return {
    pid: child.pid!,
    lines,
    kill,
    ended,
    async printed(count) {
      while (lines.length < count && !over) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

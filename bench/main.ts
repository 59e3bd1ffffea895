import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Table from 'cli-table3'
import { lane, whole } from '../tools/reliability/lane.ts'
import type { BenchOptions } from './bench-options.ts'
import type { BenchRow } from './bench-row.ts'

/**
 * `npm run bench -- [NAME ...] [--days N] [--quotes N]`: runs every *.bench.ts or only those named (`as-of`, `import` ...), prints one JSON
 * line per figure as it is measured and a table at the end. `--days` shortens the benchmarks of a year, `--quotes` is the size of `history`. Exits with 1 if a goal
 * is missed; compare only on an otherwise idle machine.
 */
const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const ENDING = '.bench.ts'

async function main(asked: readonly string[], options: BenchOptions): Promise<number> {
  const known = readdirSync(FOLDER)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .sort()
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    process.stderr.write(`benchmark is ${unknown}; allowed: ${known.join(', ')}\n`)
    return 2
  }
  const rows: BenchRow[] = []
  for (const name of asked.length === 0 ? known : asked) {
    const { run } = (await import(`./${name}${ENDING}`)) as { run: (options: BenchOptions) => Promise<BenchRow[]> }
    for (const row of await run(options)) {
      process.stdout.write(`${JSON.stringify({ ...row, reached: isReached(row) })}\n`)
      rows.push(row)
    }
  }
  process.stderr.write(`${tableOf(rows)}\n`)
  return rows.some((row) => isReached(row) === false) ? 1 : 0
}

/** Returns null if the row has no goal. */
function isReached({ value, goal }: BenchRow): boolean | null {
  if (goal === null) return null
  return 'at_least' in goal ? value >= goal.at_least : value <= goal.at_most
}

function tableOf(rows: readonly BenchRow[]): string {
  const table = new Table({
    head: ['figure', 'value', 'unit', 'goal', ''],
    colAligns: ['left', 'right'],
    style: { head: [], border: [] },
  })
  for (const row of rows) {
    const reached = isReached(row)
    table.push([
      row.figure,
      row.value,
      row.unit,
      goalText(row.goal),
      reached === null ? '' : reached ? 'reached' : 'MISSED',
    ])
  }
  return table.toString()
}

function goalText(goal: BenchRow['goal']): string {
  if (goal === null) return ''
  return 'at_least' in goal ? `>= ${goal.at_least}` : `<= ${goal.at_most}`
}

const command = lane('bench')
  .argument('[names...]', 'benchmarks to run (default: all)')
  .option('--days <n>', 'days of data for the benchmarks that use a year or a week', whole(1))
  .option('--quotes <n>', 'quotes of the longest history of `history`; 1000000000 is the simulated year', whole(1))
  .parse()
process.exitCode = await main(command.args, command.opts<BenchOptions>())

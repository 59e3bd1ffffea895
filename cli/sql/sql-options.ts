import { InvalidArgumentError, Option } from 'commander'
import type { Micros } from '../../primitives/instants.ts'
import type { SqlLimits } from '../../warehouse/read/sql-job.ts'
import { microsOption, parseSize } from '../options.ts'

/** Options of commands that run SQL: how long and with how much memory. */
export type LimitFlags = { readonly timeLimit?: Micros; readonly memoryLimit?: number }

/** Less than this and DuckDB cannot open a view. */
const MEMORY_MIN = 64e6
/** Longest time of a timer in Node, some 24 days. */
const TIME_MS_MAX = 2 ** 31 - 1

export const limitOptions = (): readonly Option[] => [
  microsOption('--time-limit <duration>', 'end the statement after this time, such as 5m (default: 20s)'),
  new Option(
    '--memory-limit <size>',
    'end the statement when it needs more memory, such as 4GB (default: 1GB)',
  ).argParser(parseMemory),
]

/** Returns the limits that the options set. */
export function limitsOf({ timeLimit, memoryLimit }: LimitFlags): Partial<SqlLimits> {
  return {
    ...(timeLimit === undefined ? {} : { time_ms: Math.min(Math.ceil(timeLimit / 1000), TIME_MS_MAX) }),
    ...(memoryLimit === undefined ? {} : { memory_mb: Math.ceil(memoryLimit / 1e6) }),
  }
}

function parseMemory(text: string): number {
  const bytes = parseSize(text)
  if (bytes < MEMORY_MIN) throw new InvalidArgumentError('Allowed: 64MB or more.')
  return bytes
}

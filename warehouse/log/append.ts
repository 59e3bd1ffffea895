import { invariant } from '../../primitives/errors.ts'
import { utcDay } from '../../primitives/instants.ts'
import type { RowList } from '../schema.ts'
import type { TableName } from '../tables.ts'
import { type AppendOptions, type AppendResult, firstGroup, type Member } from './append-member.ts'
import { type RowStamps, type Stamp, stampRange } from './choose-stamp.ts'
import { commitGroup } from './commit-group.ts'
import type { LogContext } from './log-context.ts'

/** Appends rows to a table. */
export type Append = (rows: RowList, options: AppendOptions) => Promise<AppendResult>

/**
 * Creates the function that appends rows in one commit: all of them become visible at once, or none. Appends that are `apart` and wait
 * while a commit of the table is written share the next one; each has its own transaction, guard and answer.
 * @throws {InvariantError} a row does not fit the table; {ServiceError} VALIDATION_CLOCK_REFUSED, WAREHOUSE_CLOCK_SKEW,
 *   WAREHOUSE_STORE_FULL, WAREHOUSE_STORE_UNSUITABLE, WAREHOUSE_CORRUPT, WAREHOUSE_BUSY
 */
export function createAppend(context: LogContext): Append {
  let waiting: readonly Member[] = []
  const commitNext = async (): Promise<void> => {
    const group = firstGroup(waiting)
    waiting = waiting.filter((member) => !group.includes(member))
    if (group.length > 0) await commitGroup(context, group) // none: an earlier commit took them
  }
  return (rows, options) => {
    checkAppend(context.table, rows, options)
    return new Promise((resolve, reject) => {
      waiting = [...waiting, { rows, options, resolve, reject }]
      void context.alone(commitNext)
    })
  }
}

function checkAppend(table: TableName, rows: RowList, { app_sequence, stamp }: AppendOptions): void {
  invariant(rows.length > 0, `append to ${table}: no rows given`)
  const is_integer = Number.isSafeInteger(app_sequence)
  invariant(is_integer, `append to ${table}: app_sequence is ${app_sequence}; allowed: an integer`)
  checkRowStamps(table, rows, stamp)
}

function checkRowStamps(table: TableName, rows: RowList, stamp: Stamp | RowStamps): void {
  if (stamp.kind !== 'recorded_rows') return
  const { at } = stamp
  const { first, last } = stampRange(at)
  invariant(at.length === rows.length, `append to ${table}: ${at.length} stamps for ${rows.length} rows`)
  invariant(utcDay(first) === utcDay(last), `append to ${table}: the stamps span several days`)
  const ascend = at.every((micros, row) => row === 0 || at[row - 1]! <= micros)
  invariant(ascend, `append to ${table}: the stamps do not ascend with the rows`)
}

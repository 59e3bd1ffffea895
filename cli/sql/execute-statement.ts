import { runSql } from '../../operations/query/run-sql.ts'
import { summarizeView } from '../../operations/query/summarize-view.ts'
import type { Output } from '../../service/output.ts'
import { describeViews } from '../../warehouse/describe/describe-view.ts'
import type { SqlLimits } from '../../warehouse/read/sql-job.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { printDescription, printSummary } from './print-view.ts'
import type { ShellStatement } from './shell-state.ts'

/** Runs a statement of the shell and prints its answer. */
export async function executeStatement(
  { kind, subject, as_of, mode, signal }: ShellStatement,
  ports: { readonly warehouse: Warehouse; readonly output: Output; readonly limits: Partial<SqlLimits> },
): Promise<void> {
  const { warehouse, output, limits } = ports
  const run = { warehouse, as_of, limits, signal }
  if (kind === 'describe') {
    const [described] = await describeViews([subject])
    return mode === 'json' ? output.document(described) : printDescription(output, described!)
  }
  if (kind === 'summarize') {
    const columns = await summarizeView({ ...run, view: subject })
    return mode === 'json' ? output.document(columns) : printSummary(output, columns)
  }
  const answer = kind === 'explain' ? 'plan' : 'rows'
  await runSql({ ...run, sql: subject, format: mode, answer, out: output.sink(), width: output.width() })
}

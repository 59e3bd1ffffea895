import type { AuditReport } from '../../operations/audit/audit-warehouse.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { count } from '../../report/number-text.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark audit`: checks that published data is unchanged or that the trading ledger balances; exits 1 and names the first violation. */
export function auditCommand(context: CommandContext) {
  const command = defineCommand(
    'audit',
    'check hash chain, file hashes, revision chains, clocks and sealed as_of digests',
    ['tidemark audit', 'tidemark audit --json', 'tidemark audit --trading'],
  )
    .option('--trading', 'check the trading core instead: ledger, reservations, orders, sequences')
    .option('--anchor <batch>', 'with --trading: newest batch of an earlier audit, which must still have its hash')
  return onAction<{ readonly trading?: boolean; readonly anchor?: string }>(
    command,
    context,
    async ({ options, settings, output, signal }) => {
      if (options.trading === true) {
        const { auditTradingCommand } = await import('../trading/audit-trading.ts')
        return auditTradingCommand(settings, output, options.anchor)
      }
      if (options.anchor !== undefined)
        throw notAllowed('VALIDATION_USAGE_INVALID', '--anchor', options.anchor, 'only with --trading')
      const { auditWarehouse } = await import('../../operations/audit/audit-warehouse.ts')
      const progress = await output.progress('audit')
      const report = await withWarehouse(settings, { create: false }, (warehouse) =>
        auditWarehouse({ warehouse, signal, on_progress: progress.update }),
      ).finally(progress.finish)
      await (output.json ? output.document(report) : printReport(output, report))
      return report.ok ? EXIT.done : EXIT.no
    },
  )
}

/** Prints one line for each kind of check; --json has them for each table. */
async function printReport(output: Output, { checks, violations }: AuditReport): Promise<void> {
  const kinds = [...new Set(checks.map(({ check }) => check))]
  const rows = kinds.map((kind) => {
    const of_kind = checks.filter(({ check }) => check === kind)
    const sum = (field: 'checked' | 'violations') => count(of_kind.reduce((total, check) => total + check[field], 0))
    return [kind, of_kind.length, sum('checked'), sum('violations')]
  })
  await output.table(['check', 'tables', 'checked', 'violations'], rows)
  const [first] = violations
  if (first === undefined) return output.line('nothing published was changed')
  await output.line(`first of ${count(violations.length)} violations: ${first.message}`)
}

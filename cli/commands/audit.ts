import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { EXIT } from '../exit.ts'
import { withWarehouse } from '../with-warehouse.ts'

/** `tidemark audit`: proves that nothing published was changed; exit 1 names the first violation. */
export function auditCommand(context: CommandContext) {
  const command = defineCommand(
    'audit',
    'check hash chain, file hashes, revision chains, clocks and sealed as_of digests',
    ['tidemark audit', 'tidemark audit --json'],
  )
  return onAction(command, context, async ({ settings, output, signal }) => {
    const { auditWarehouse } = await import('../../operations/audit-warehouse.ts')
    const progress = await output.progress('audit')
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      auditWarehouse({ warehouse, signal, on_progress: progress.update }),
    ).finally(progress.finish)
    if (output.json) await output.document(report)
    else {
      await output.table(
        ['table', 'check', 'checked', 'violations'],
        report.checks.map((check) => [check.table, check.check, check.checked, check.violations]),
      )
      const [first] = report.violations
      await output.line(first === undefined ? 'nothing published was changed' : `first violation: ${first.message}`)
    }
    return report.violations.length === 0 ? EXIT.done : EXIT.no
  })
}

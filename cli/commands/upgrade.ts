import type { UpgradeReport } from '../../operations/backup/check-upgrade.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { count } from '../../report/number-text.ts'
import { EXIT } from '../../service/exit-codes.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark upgrade --check`: says what the first start of this release does to a home. */
export function upgradeCommand(context: CommandContext) {
  const command = defineCommand('upgrade', 'say what the first start of this release changes in a home', [
    'tidemark upgrade --check --home /srv/tidemark',
  ]).option('--check', 'say it and change nothing; the upgrade itself is the start of the new release')
  return onAction<{ readonly check?: boolean }>(command, context, async ({ options, settings, output }) => {
    if (options.check !== true) {
      const message = '--check is missing; allowed: tidemark upgrade --check. The start of a new release is the upgrade'
      throw new ServiceError('VALIDATION_USAGE_INVALID', message)
    }
    const [{ checkUpgrade }, { withUnmigrated }] = await Promise.all([
      import('../../operations/backup/check-upgrade.ts'),
      import('../../service/backup/back-up-home.ts'),
    ])
    const report = await withWarehouse(settings, { create: false }, (warehouse) =>
      withUnmigrated(settings, (pool) => checkUpgrade({ home: settings.home, warehouse, pool })),
    )
    await (output.json ? output.document(report) : print(output, report))
    return report.ok ? EXIT.done : EXIT.no
  })
}

async function print(output: Output, report: UpgradeReport): Promise<void> {
  const { changes, refusals, reversible, space_needed_bytes, space_free_bytes } = report
  for (const { code, message } of refusals) await output.line(`refused: ${message} (${code})`)
  if (changes.length === 0) return output.line(refusals.length > 0 ? 'nothing else changes' : 'nothing changes')
  await output.table(
    ['part', 'change', 'name', 'columns'],
    changes.map(({ part, change, name, columns }) => [part, change.replace('_', ' '), name, columns.join(', ')]),
  )
  await output.line(`space: ${count(space_needed_bytes)} bytes at most, ${count(space_free_bytes)} are free`)
  await output.line(
    reversible
      ? 'reversible: the earlier release still opens the home'
      : 'not reversible: the earlier release refuses the home afterwards; make a backup first',
  )
}

import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { type LimitFlags, limitOptions, limitsOf } from '../sql/sql-options.ts'
import { statementOf } from '../sql/statement-of.ts'

type Options = LimitFlags & { readonly asOf?: string }

/** `tidemark explain "SELECT ..."`: how DuckDB would answer a statement, without running it. */
export function explainCommand(context: CommandContext) {
  const command = defineCommand('explain', 'print how a SELECT would be answered, without running it', [
    'tidemark explain "select market_id, count(*) from public_trade group by all"',
    'tidemark explain - < statement.sql',
  ])
    .argument('[statement]', 'one SELECT statement; - or none: standard input')
    .addOption(asOfOption())
  for (const option of limitOptions()) command.addOption(option)
  return onAction<Options>(command, context, async ({ args, options, settings, output, signal }) => {
    const { runSql } = await import('../../operations/query/run-sql.ts')
    const usage = `tidemark explain ${command.usage()}`
    const sql = (await statementOf(args[0] ?? '-', context.stdin, usage))!
    await withWarehouse(settings, { create: false }, (warehouse) =>
      runSql({
        ...{ warehouse, sql, as_of: options.asOf ?? null, answer: 'plan', out: output.sink(), signal },
        format: output.json ? 'json' : 'table',
        limits: limitsOf(options),
      }),
    )
    return undefined
  })
}

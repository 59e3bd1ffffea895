import { Option } from 'commander'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { didYouMean } from '../../primitives/nearest-word.ts'
import { counted } from '../../report/number-text.ts'
import type { Invocation } from '../../service/invocation.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { SQL_FORMATS, type SqlFormat } from '../../warehouse/export/format.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'
import { SHELL_MODES } from '../sql/shell-state.ts'
import { type LimitFlags, limitOptions, limitsOf } from '../sql/sql-options.ts'
import { statementOf } from '../sql/statement-of.ts'

const BINARY: readonly SqlFormat[] = ['arrow', 'parquet']

type Options = LimitFlags & { readonly asOf?: string; readonly format?: SqlFormat; readonly out?: string }

/** `tidemark sql`: runs one read-only SELECT over the views as of an instant; on a terminal without a statement a shell. */
export function sqlCommand(context: CommandContext) {
  const command = defineCommand('sql', 'run one read-only SELECT over the views of stored records, as of an instant', [
    'tidemark sql "select count(*), sum(value) from market_observation"',
    'tidemark sql --as-of 2026-01-17 --format csv "select * from market_resolution order by market_id"',
    'tidemark sql --out observations.arrow "select * from market_observation"',
    'tidemark sql < statement.sql',
    'tidemark sql',
  ])
    .argument('[statement]', 'one SELECT statement; - or none: standard input, on a terminal a shell')
    .addOption(asOfOption())
    .addOption(
      new Option(
        '--format <format>',
        'output format; csv lines end with LF, and csv puts an apostrophe before a text that a spreadsheet would run as a formula, which csv-exact does not (default: by the ending of --out, else table, or json with --json)',
      ).choices(SQL_FORMATS),
    )
    .option('--out <file>', 'write the result to this file, completely or not at all')
  for (const option of limitOptions()) command.addOption(option)
  return onAction<Options>(command, context, async (invocation) => {
    const { args, options, output } = invocation
    const format = formatOf(options)
    if (options.out === undefined && output.terminal && BINARY.includes(format)) throw binaryOnTerminal(format)
    const sql = await statementOf(args[0], context.stdin, `tidemark sql ${command.usage()}`)
    return sql === null ? openShell(invocation, context, format) : runStatement(invocation, sql, format)
  })
}

async function runStatement(run: Invocation<Options>, sql: string, format: SqlFormat): Promise<undefined> {
  const { options, settings, output, signal } = run
  const { runSql } = await import('../../operations/query/run-sql.ts')
  const { rows, as_of } = await withWarehouse(settings, { create: false }, (warehouse) =>
    runSql({
      ...{ warehouse, sql, as_of: options.asOf ?? null, format, signal },
      out: options.out ?? output.sink(),
      width: options.out === undefined ? output.width() : null,
      limits: limitsOf(options),
    }),
  )
  if (options.out === undefined) return
  if (output.json) await output.document({ out: options.out, format, rows, as_of })
  else await output.line(`${counted(rows, 'row')} as of ${as_of} written to ${options.out}`)
}

async function openShell(run: Invocation<Options>, context: CommandContext, format: SqlFormat): Promise<undefined> {
  const { options, settings, output, signal } = run
  if (options.out !== undefined) throw notAllowed('VALIDATION_USAGE_INVALID', '--out', options.out, 'with a statement')
  const mode = SHELL_MODES.find((one) => one === format)
  if (mode === undefined) throw notAllowed('VALIDATION_USAGE_INVALID', '--format', format, SHELL_MODES.join(', '))
  const [{ runShell }, { executeStatement }, { historyFile, readHistory, writeHistory }] = await Promise.all([
    import('../sql/shell.ts'),
    import('../sql/execute-statement.ts'),
    import('../sql/shell-history.ts'),
  ])
  const file = historyFile(settings)
  await withWarehouse(settings, { create: false }, (warehouse) =>
    runShell({
      ...{ output, signal, input: context.stdin!, terminal: context.stdout, history: readHistory(file) },
      state: { as_of: options.asOf ?? null, mode },
      execute: (statement) => executeStatement(statement, { warehouse, output, limits: limitsOf(options) }),
      remember: (lines) => writeHistory(file, lines),
    }),
  )
}

/** Returns the format: --format, else the ending of --out, else json or table. A name without an ending is a table. */
function formatOf({ format, out, json }: Invocation<Options>['options']): SqlFormat {
  if (format !== undefined) return format
  const usual = json ? 'json' : 'table'
  const [, ending] = /\.([^./\\]+)$/.exec(out ?? '') ?? []
  if (ending === undefined || ending === 'txt') return usual
  const known = SQL_FORMATS.find((name) => name === ending)
  if (known !== undefined) return known
  const endings = SQL_FORMATS.map((name) => `.${name}`).join(', ')
  const seen = `${JSON.stringify(out)}${didYouMean(ending, SQL_FORMATS)}`
  throw notAllowed('VALIDATION_USAGE_INVALID', '--out', seen, `a name that ends with ${endings} or .txt, or --format`)
}

function binaryOnTerminal(format: SqlFormat): ServiceError {
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `format is ${format} and standard output is a terminal; allowed: --out FILE, or a pipe`,
    { format },
  )
}

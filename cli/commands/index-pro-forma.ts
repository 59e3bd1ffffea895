import { EXIT } from '../../service/exit-codes.ts'
import type { Output, TableCell } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { Row } from '../../warehouse/schema.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

const CONSTITUENT_FIELDS = ['constituent_id', 'market_id', 'target_weight', 'rank', 'ranking_value', 'rating_id']

/** `tidemark index proforma INDEX`: the announced compositions of an index, and whether the newest can be selected again. */
export function proFormaCommand(context: CommandContext) {
  const command = defineCommand(
    'proforma',
    'show the announced compositions of an index, frozen before they take effect',
    ['tidemark index proforma idx_demo', 'tidemark index proforma idx_demo --verify'],
  )
    .argument('<index>', 'index id')
    .addOption(asOfOption())
    .option('--verify', 'select the newest one again from the facts of its instant; exit 1 if it differs')
  type Options = { readonly asOf?: string; readonly verify?: true }
  return onAction<Options>(command, context, async ({ args, options, settings, output }) => {
    const index_id = args[0]!
    const { readProFormas } = await import('../../operations/selection/read-pro-formas.ts')
    const { verifyRebalance } = await import('../../operations/selection/verify-rebalance.ts')
    const { rows, faults } = await withWarehouse(settings, { create: false }, async (warehouse) => ({
      rows: await readProFormas(warehouse, { index_id, as_of: options.asOf ?? null }),
      faults: options.verify === true ? await verifyRebalance(warehouse, index_id) : null,
    }))
    const shown = rows.map(({ definition, ...row }) => ({ ...row, definition: JSON.parse(String(definition)) }))
    if (output.json) await output.document({ pro_formas: shown, faults })
    else await printRows(rows, faults, output)
    return faults !== null && faults.length > 0 ? EXIT.no : EXIT.done
  })
}

async function printRows(rows: readonly Row[], faults: readonly string[] | null, output: Output): Promise<void> {
  if (rows.length === 0) await output.line('no announced compositions')
  for (const row of rows) {
    await output.line(`version ${row.version} from ${row.effective_from}, selected as of ${row.selected_as_of}`)
    const constituents = row.constituents as readonly Row[]
    await output.table(
      CONSTITUENT_FIELDS,
      constituents.map((one) => CONSTITUENT_FIELDS.map((name) => one[name] as TableCell)),
    )
  }
  if (faults !== null)
    await output.line(faults.length === 0 ? 'selected again: equal' : `selected again: ${faults.join(', ')}`)
}

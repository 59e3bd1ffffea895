import { isServiceError } from '../../primitives/errors.ts'
import { count } from '../../report/number-text.ts'
import type { Invocation } from '../../service/invocation.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { allowUnknownOption, printPlanned, unknownMarkets } from './index-apply.ts'

type Options = { readonly allowUnknown?: true }

/** `tidemark index validate FILE ...`: checks definitions as `apply` does, and publishes nothing. */
export function validateCommand(context: CommandContext) {
  const command = defineCommand('validate', 'check definitions as apply does, without publishing anything', [
    'tidemark index validate demo.yaml',
    'tidemark index validate planned.yaml --allow-unknown --json',
  ])
    .argument('<file...>', 'definition files (YAML or JSON)')
    .addOption(allowUnknownOption())
  return onAction<Options>(command, context, runValidation)
}

async function runValidation(invocation: Invocation<Options>): Promise<undefined> {
  const { args: files, options, settings, output } = invocation
  const { validateDefinitions, validateUnpublished } = await import('../../operations/index/apply-definitions.ts')
  const unknown_markets = unknownMarkets(options.allowUnknown)
  const report = await withWarehouse(settings, { create: false }, (warehouse) =>
    validateDefinitions({ files, clock: 'wall', unknown_markets, warehouse }),
  ).catch((error: unknown) => {
    // Definitions are kept in repositories too, whose checks have no warehouse.
    if (isServiceError(error, 'WAREHOUSE_NOT_FOUND') && options.allowUnknown === true) return null
    throw error
  })
  if (report !== null) {
    if (output.json) await output.document({ ...report, compared: true })
    else await printPlanned(output, report.indexes, 'to publish')
    return
  }
  const definitions = await validateUnpublished(files)
  const indexes = definitions.map(({ index }) => ({ index_id: index.index_id }))
  if (output.json) await output.document({ indexes, compared: false })
  else await output.line(`valid: ${count(indexes.length)}; there is no warehouse to compare definitions with`)
}

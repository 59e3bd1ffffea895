import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { printDescription } from '../sql/print-view.ts'

/** `tidemark describe VIEW`: columns, types and meanings; needs no warehouse. */
export function describeCommand(context: CommandContext) {
  const command = defineCommand('describe', 'print the columns of a view with their types and meanings', [
    'tidemark describe index_observation',
    'tidemark describe market_quote_history --json',
  ]).argument('<view>', 'view, or table of `tidemark tables`; each also with _history')
  return onAction(command, context, async ({ args, output }) => {
    const { describeViews } = await import('../../warehouse/describe/describe-view.ts')
    const [described] = await describeViews([args[0]!])
    if (output.json) await output.document(described)
    else await printDescription(output, described!)
    return undefined
  })
}

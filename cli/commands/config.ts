import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { describeSettings } from '../config.ts'

/** `tidemark config`: every setting, its value and where the value comes from. */
export function configCommand(context: CommandContext) {
  const command = defineCommand('config', 'print every setting with its value and source', ['tidemark config --json'])
  return onAction(command, context, async ({ options, output }) => {
    const rows = describeSettings(options, context.environment)
    if (output.json) return void (await output.document(rows))
    await output.table(
      ['setting', 'value', 'source', 'environment', 'meaning'],
      rows.map((row) => [row.setting, row.value, row.source, row.environment_variable, row.meaning]),
    )
  })
}

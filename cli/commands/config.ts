import { describeSettings, type Environment, type Settings } from '../../service/configuration.ts'
import { describeFailure } from '../../service/exit-codes.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark config`: all settings with values and sources, and the Temporal server that would be used. */
export function configCommand(context: CommandContext) {
  const command = defineCommand('config', 'print every setting with its value and source', ['tidemark config --json'])
  return onAction(command, context, async ({ options, settings, output }) => {
    const rows = [
      ...describeSettings(options, context.environment),
      await describeTemporal(settings, context.environment),
    ]
    if (output.json) return void (await output.document(rows))
    await output.table(
      ['setting', 'value', 'source', 'environment', 'meaning'],
      rows.map((row) => [row.setting, row.value, row.source, row.environment_variable, row.meaning]),
    )
  })
}

/** Returns the row of the Temporal server: its address, or the program that would start one. */
async function describeTemporal(settings: Settings, environment: Environment) {
  const row = { setting: 'temporal_server', environment_variable: '', meaning: 'Temporal server in use' }
  if (settings.temporal_address !== '') return { ...row, value: settings.temporal_address, source: 'environment' }
  const [{ findServerBinary }, { binaryPlaces }] = await Promise.all([
    import('../../workflows/server/find-binary.ts'),
    import('../../service/temporal/open-temporal.ts'),
  ])
  try {
    const found = await findServerBinary(binaryPlaces(settings, environment))
    if (found !== null) return { ...row, value: `${found.path} ${found.version}`, source: found.source }
    return { ...row, value: 'none yet: downloaded, or built with Go, when first needed', source: 'default' }
  } catch (error) {
    return { ...row, value: describeFailure(error).error.message, source: 'environment' }
  }
}

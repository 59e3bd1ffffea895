import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark up` (= `npm start`): sample archive, import, two indexes, and one question asked as of two instants. */
export function upCommand(context: CommandContext) {
  const command = defineCommand(
    'up',
    'make sample data, publish two sample indexes and show a first as_of comparison',
    ['tidemark up', 'tidemark up --home /tmp/tidemark --fresh'],
  )
    .option('--home <dir>', 'folder of everything this makes (default: $TIDEMARK_HOME or .tidemark)')
    .option('--fresh', 'delete what an earlier run made, then start again')
  return onAction<{ fresh?: boolean }>(command, context, async ({ options, settings, output, signal }) => {
    const { runSample } = await import('../../operations/run-sample.ts')
    void [options, settings, output, signal, runSample]
  })
}

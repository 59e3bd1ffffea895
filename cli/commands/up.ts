import { Option } from 'commander'
import { readSettings } from '../../service/configuration.ts'
import type { UpFlags } from '../../service/up/up-options.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { parseCount } from '../options.ts'
import { portOption } from './api.ts'

/** `tidemark up` (= `npm start`): the whole service, with sample data and a simulated world that goes on with the clock. */
export function upCommand(context: CommandContext) {
  const command = defineCommand(
    'up',
    'serve page, API and live levels of simulated venues, with a sample week, until stopped',
    ['tidemark up', 'tidemark up --port 0 --ready-file ready.json --home /tmp/tidemark --fresh', 'tidemark up --once'],
  )
    .addOption(portOption())
    .option('--host <address>', 'address to listen at (default: 127.0.0.1, this machine alone)')
    .option('--home <dir>', 'folder of everything this makes (default: $TIDEMARK_HOME or .tidemark)')
    .option('--fresh', 'delete what an earlier run made, then start again')
    .option('--no-sample-data', 'leave the sample week out')
    .option('--no-temporal', 'let the scheduler of this process do what Temporal would')
    .option('--once', 'make the sample week, print what it shows and end; nothing is served')
    .addOption(
      new Option(
        '--sandbox-accounts <count>',
        'funded accounts with keys, which the ready file has, and markets with live books (default: 2; 0, or no sample data: none)',
      ).argParser(parseCount),
    )
    .option('--ready-file <file>', 'JSON file that is written when the service answers')
  return onAction<UpFlags>(command, context, async (invocation) => {
    const usual_warehouse = readSettings({}, context.environment).warehouse
    const run = { ...invocation, environment: context.environment, usual_warehouse }
    const [{ lockHome }, { makeSampleOnce, runService }] = await Promise.all([
      import('../../service/up/lock-home.ts'),
      import('../../service/up/run-service.ts'),
    ])
    const work = run.options.once === true ? makeSampleOnce : runService
    await lockHome(run.settings.home, () => work(run))
  })
}

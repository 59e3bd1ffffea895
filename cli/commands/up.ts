import { Option } from 'commander'
import { readSettings } from '../../service/configuration.ts'
import type { UpFlags } from '../../service/up/up-options.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { metricsPortOption, parseCount } from '../options.ts'
import { portOption } from './api.ts'

/** `tidemark up` (= `npm start`): runs the whole service with sample data and a live simulated world. */
export function upCommand(context: CommandContext) {
  const command = defineCommand('up', 'serve the page, the API and live levels of simulated venues until stopped', [
    'tidemark up',
    'tidemark up --port 0 --ready-file ready.json --home /tmp/tidemark --fresh',
    'tidemark up --once',
  ])
    .addOption(portOption())
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, only this machine)')
    .option('--fresh', 'delete the data of earlier runs first')
    .option('--no-sample-data', 'skip the sample week')
    .option('--no-temporal', 'use the scheduler of this process in place of Temporal')
    .addOption(
      new Option('--once', 'create the sample week, print a summary and exit without serving').conflicts([
        'sampleData',
        'readyFile',
        'sandboxAccounts',
        'metricsPort',
      ]),
    )
    .addOption(
      new Option(
        '--sandbox-accounts <count>',
        'funded accounts with keys (in the ready file) and markets with live books (default: 2; 0 without sample data)',
      ).argParser(parseCount),
    )
    .addOption(metricsPortOption('port of GET /metrics, /healthz, /readyz and /targets, which lists all processes'))
    .option('--ready-file <file>', 'JSON file to write when the service is ready')
  return onAction<UpFlags>(command, context, async (invocation) => {
    const usual_warehouse = readSettings({}, context.environment).warehouse
    const [{ lockHome }, { makeSampleOnce, runService }, { createProcessBoard }, { refuseProduction }] =
      await Promise.all([
        import('../../service/up/lock-home.ts'),
        import('../../service/up/run-service.ts'),
        import('../../service/up/process-board.ts'),
        import('../../service/up/invented-data.ts'),
      ])
    refuseProduction(invocation.settings.environment)
    const board = createProcessBoard((text) => invocation.output.note(text))
    const run = { ...invocation, environment: context.environment, usual_warehouse, board }
    const work = run.options.once === true ? makeSampleOnce : runService
    await lockHome(run.settings.home, () => work(run))
  })
}

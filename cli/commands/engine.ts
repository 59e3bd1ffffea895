import { Option } from 'commander'
import { limitHeapGrowth } from '../../service/limit-heap-growth.ts'
import { standardInputEnded } from '../../service/shutdown.ts'
import type { EngineFlags } from '../../service/trading/run-engine.ts'
import { refuseUnfinished } from '../../service/usable-home.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { metricsPortOption } from '../options.ts'

/** `tidemark engine`: matches orders, one at a time; a second engine stands by and takes over when the first ends. */
export function engineCommand(context: CommandContext) {
  const command = defineCommand('engine', 'run the trading engine until stopped; stand by while another one leads', [
    'tidemark engine',
    'tidemark engine --address 127.0.0.1:7300',
    'tidemark engine --home /data/tidemark --json',
  ])
    .option(
      '--address <host:port>',
      'address for orders of other processes (default: 127.0.0.1 and a free port); beyond this machine it needs TLS',
    )
    .addOption(metricsPortOption('port of GET /metrics, /healthz and /readyz of this engine'))
    .option('--attached', 'stop when standard input ends, as the child of another process')
    .addOption(new Option('--killpoint <name>', 'crash at this point; for tests').hideHelp())
  return onAction<EngineFlags>(command, context, async (invocation) => {
    refuseUnfinished(invocation.settings.home)
    limitHeapGrowth()
    const { options } = invocation
    const signal = options.attached ? AbortSignal.any([invocation.signal, standardInputEnded()]) : invocation.signal
    const { runEngine } = await import('../../service/trading/run-engine.ts')
    await runEngine({ ...invocation, signal })
  })
}

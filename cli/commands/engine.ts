import { Option } from 'commander'
import { limitHeapGrowth } from '../../service/limit-heap-growth.ts'
import { standardInputEnded } from '../../service/shutdown.ts'
import type { EngineFlags } from '../../service/trading/run-engine.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'

/** `tidemark engine`: decides what orders do, one at a time; a second one stands by and takes over when the first ends. */
export function engineCommand(context: CommandContext) {
  const command = defineCommand(
    'engine',
    'run the trading engine until stopped; where one leads already, stand by and take over when it ends',
    ['tidemark engine', 'tidemark engine --address 127.0.0.1:7300', 'tidemark engine --home /data/tidemark --json'],
  )
    .option('--address <host:port>', 'where other processes hand orders over (default: 127.0.0.1 and a free port)')
    .option('--home <dir>', 'folder of the embedded database (default: $TIDEMARK_HOME or .tidemark)')
    .option('--attached', 'end when standard input ends, as the child of another process should')
    .addOption(new Option('--killpoint <name>', 'end there as a crash would; for tests').hideHelp())
  return onAction<EngineFlags>(command, context, async (invocation) => {
    limitHeapGrowth()
    const { options } = invocation
    const signal = options.attached ? AbortSignal.any([invocation.signal, standardInputEnded()]) : invocation.signal
    const { runEngine } = await import('../../service/trading/run-engine.ts')
    await runEngine({ ...invocation, signal })
  })
}

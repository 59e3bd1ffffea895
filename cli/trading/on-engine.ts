import type { Command } from 'commander'
import type { Invocation } from '../../service/invocation.ts'
import type { TradingPorts } from '../../service/trading/with-trading.ts'
import { type CommandContext, onAction } from '../command.ts'
import type { ActFlags } from './act-options.ts'
import { actorOption, homeOption, reasonOption } from './act-options.ts'

/** Binds a command that reads a few rows of trading state; reads by index, unlike an audit. */
export function onTrading<Options extends object>(
  command: Command,
  context: CommandContext,
  work: (invocation: Invocation<Options>, ports: TradingPorts) => Promise<number | undefined>,
): Command {
  return onAction<Options>(command.addOption(homeOption()), context, async (invocation) => {
    const { withTrading } = await import('../../service/trading/with-trading.ts')
    return withTrading(invocation.settings, (ports) => work(invocation, ports), { by_index: true })
  })
}

/** Binds a command that changes trading state; it takes `--actor` and `--reason`, which are recorded. */
export function onAct<Options extends object>(
  command: Command,
  context: CommandContext,
  work: (invocation: Invocation<Options & ActFlags>, ports: TradingPorts) => Promise<number | undefined>,
): Command {
  return onTrading<Options & ActFlags>(command.addOption(actorOption()).addOption(reasonOption()), context, work)
}

import type { Command } from 'commander'
import { isObject } from '../../primitives/canonical-json.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import { type ActPorts, performSignedAct } from '../../service/trading/operator-act.ts'
import { saveAct } from '../../service/trading/saved-act.ts'
import type { TradingPorts } from '../../service/trading/with-trading.ts'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import { type CommandContext, onAction } from '../command.ts'
import { type ActFlags, actOptions, actorOf } from './act-options.ts'

/**
 * Binds a command that reads a few rows of trading state; reads by index, unlike an audit.
 * @param only_existing false: the command may be the first of a deployment, and makes the database
 */
export function onTrading<Options extends object>(
  command: Command,
  context: CommandContext,
  work: (invocation: Invocation<Options>, ports: TradingPorts) => Promise<number | undefined>,
  only_existing = true,
): Command {
  return onAction<Options>(command, context, async (invocation) => {
    const { withTrading } = await import('../../service/trading/with-trading.ts')
    return withTrading(invocation.settings, (ports) => work(invocation, ports), { by_index: true, only_existing })
  })
}

/** Connections of a command that changes trading state. */
export type ActingPorts = TradingPorts & {
  /** Signs a command as an act of the actor and performs it. @returns the engine's answer, null if it is empty */
  act(command: OperatorCommand): Promise<unknown>
}

/** Binds a command that changes trading state; it takes `--actor` and `--reason`, which are recorded, and is signed. */
export function onAct<Options extends object>(
  command: Command,
  context: CommandContext,
  work: (invocation: Invocation<Options & ActFlags>, ports: ActingPorts) => Promise<number | undefined>,
): Command {
  for (const option of actOptions()) command.addOption(option)
  const perform = async (invocation: Invocation<Options & ActFlags>, ports: TradingPorts) => {
    const { options } = invocation
    const act_ports = actPortsOf(invocation, ports)
    const act = async (asked: OperatorCommand) => {
      if (options.save === undefined)
        return noted(invocation.output, await performSignedAct(act_ports, actorOf(options), asked))
      throw new Saved(await saveAct(act_ports, actorOf(options), asked, options.save))
    }
    try {
      return await work(invocation, { ...ports, act })
    } catch (error) {
      if (!(error instanceof Saved)) throw error
      invocation.output.note(error.message)
      return 0
    }
  }
  return onTrading<Options & ActFlags>(command, context, perform, false)
}

/** Notes the id under which an act is recorded. */
function noted(output: Output, answer: unknown): unknown {
  if (isObject(answer) && typeof answer.act_id === 'string') output.note(`recorded as ${answer.act_id}`)
  return answer
}

/** Returns with what acts of a command are signed. */
export function actPortsOf({ settings, output }: Invocation<object>, { client, reads }: TradingPorts): ActPorts {
  const { home, environment } = settings
  return { client, reads, home, environment, note: (text) => output.note(text) }
}

/** Ends a command whose act was written to a file in place of being sent. */
class Saved extends Error {}

import { ServiceError } from '../../primitives/errors.ts'
import { newestResolution, newResolutionId } from '../../service/trading/newest-resolution.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { onAct } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

type DisputeFlags = { readonly filer: string; readonly basis: string }
type DecideFlags = { readonly uphold?: boolean; readonly reject?: boolean; readonly decision: string }

/** `market dispute` and `market decide`. */
export function disputeCommands(context: CommandContext) {
  return [disputeCommand(context), decideCommand(context)]
}

function disputeCommand(context: CommandContext) {
  const command = defineCommand('dispute', 'dispute a proposed resolution while its window is open', [
    'tidemark market dispute mkt_harbor --filer acct_north --basis "the report counts empty containers" --reason "case 90"',
  ])
    .argument('<market>', 'id of the market')
    .requiredOption('--filer <name>', 'who files the dispute')
    .requiredOption('--basis <text>', 'reason of the dispute')
  return onAct<DisputeFlags>(command, context, async ({ args, options, output }, ports) => {
    const { resolution_id } = await newestResolution(ports, args[0])
    const { filer, basis } = options
    const dispute_id = newResolutionId('dsp')
    const answer = await ports.act({
      kind: 'dispute_resolution',
      resolution_id,
      dispute_id,
      filer,
      basis,
    })
    return void (await printRecord(output, answer))
  })
}

function decideCommand(context: CommandContext) {
  const command = defineCommand(
    'decide',
    'decide a dispute: upheld withdraws the resolution, rejected lets it proceed',
    ['tidemark market decide mkt_harbor --reject --decision "empty containers count" --reason "committee, 3 April"'],
  )
    .argument('<market>', 'id of the market')
    .option('--uphold', 'the dispute is right: withdraw the resolution; another can be proposed')
    .option('--reject', 'the dispute is wrong: the resolution proceeds')
    .requiredOption('--decision <text>', 'decision with its reason')
  return onAct<DecideFlags>(command, context, async ({ args, options, output }, ports) => {
    const { uphold = false, reject = false, decision } = options
    if (uphold === reject) throw usage('decision', 'decision is missing; allowed: either --uphold or --reject')
    const { resolution_id, dispute } = await newestResolution(ports, args[0])
    if (dispute === null)
      throw usage('market', `market is ${args[0]}, which is not disputed; allowed: a disputed market`)
    const decided = { resolution_id, dispute_id: dispute.dispute_id, upheld: uphold, decision }
    const answer = await ports.act({ kind: 'decide_dispute', ...decided })
    return void (await printRecord(output, answer))
  })
}

function usage(field: string, message: string): ServiceError {
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { field })
}

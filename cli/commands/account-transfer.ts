import { parseId } from '../../primitives/ids.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { onAct } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

type Options = { readonly reference?: string; readonly failure?: string; readonly approvedBy?: string }

/** `tidemark account confirm-transfer`: ends a transfer that the rail has carried out. */
export const confirmTransferCommand = (context: CommandContext) =>
  concludingCommand(context, 'confirm-transfer', 'confirmed', 'record that the rail carried out a transfer')

/** `tidemark account fail-transfer`: ends a transfer that the rail has refused; what was held is available again. */
export const failTransferCommand = (context: CommandContext) =>
  concludingCommand(context, 'fail-transfer', 'failed', 'record that the rail refused a transfer')

function concludingCommand(context: CommandContext, name: string, result: 'confirmed' | 'failed', summary: string) {
  const command = defineCommand(name, summary, [`tidemark account ${name} trf_4711 --reason "bank statement 12"`])
    .argument('<transfer>', 'id of a transfer that an account asked for')
    .option('--reference <text>', 'reference of the rail')
    .option('--failure <text>', 'why it failed, for the account to read')
    .option('--approved-by <name>', 'operator who approved it; not the actor (needed outside a sandbox)')
  return onAct<Options>(command, context, async ({ args, options, output }, { act }) => {
    const transfer_id = parseId('trf', args[0], 'transfer')
    const told = { external_reference: options.reference ?? null, failure: options.failure ?? null }
    const approved = options.approvedBy === undefined ? {} : { approved_by: options.approvedBy }
    await act({ kind: 'conclude_transfer', transfer_id, result, ...told, ...approved })
    return void (await printRecord(output, { transfer_id, state: result, ...told }))
  })
}

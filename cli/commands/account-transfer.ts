import { parseId } from '../../primitives/ids.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { seenTransfer } from '../../trading/engine/transfer-commands.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { parseCount } from '../options.ts'
import { onAct, onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

type ListFlags = { readonly all?: boolean; readonly limit: number }

/** `tidemark account transfers`: deposits and withdrawals that accounts asked for. */
export function transfersCommand(context: CommandContext) {
  const command = defineCommand('transfers', 'list deposits and withdrawals that wait for the rail, oldest first', [
    'tidemark account transfers',
    'tidemark account transfers acct_north --all --json',
  ])
    .argument('[account]', 'those of one account')
    .option('--all', 'ended ones too')
    .option('--limit <n>', 'most transfers', parseCount, 100)
  return onTrading<ListFlags>(command, context, async ({ args, options, output }, { reads }) => {
    const account_id = args[0] === undefined ? null : parseId('acct', args[0], 'account')
    const filter = { transfer_id: null, account_id, is_open: options.all !== true, limit: options.limit }
    const transfers = await reads.listTransfers({ until: formatMicros(wallClock()), ...filter })
    if (output.json) return void (await output.document(transfers))
    await output.table(
      ['transfer', 'account', 'direction', 'amount', 'asset', 'destination', 'state', 'requested'],
      transfers.map((of) => [
        of.transfer_id,
        of.account_id,
        of.direction,
        of.amount,
        of.asset_id,
        of.destination,
        of.state,
        of.requested_at,
      ]),
    )
  })
}

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
  return onAct<Options>(command, context, async ({ args, options, output }, { act, reads }) => {
    const transfer_id = parseId('trf', args[0], 'transfer')
    const transfer = seenTransfer(await reads.readTransfer(transfer_id))
    const told = { external_reference: options.reference ?? null, failure: options.failure ?? null }
    const approved = options.approvedBy === undefined ? {} : { approved_by: options.approvedBy }
    await act({ kind: 'conclude_transfer', transfer_id, result, ...told, transfer, ...approved })
    return void (await printRecord(output, { transfer_id, ...transfer, state: result, ...told }))
  })
}

import { randomBytes } from 'node:crypto'
import { parseId } from '../../primitives/ids.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { onAct } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

type Options = { readonly asset: string; readonly transfer?: string; readonly approvedBy?: string }

/** `tidemark account deposit`: books a deposit. */
export const depositCommand = (context: CommandContext) =>
  moneyCommand(context, 'deposit', 'book a deposit to an account')

/** `tidemark account withdraw`: books a withdrawal, at most the available balance. */
export const withdrawCommand = (context: CommandContext) =>
  moneyCommand(context, 'withdraw', 'book a withdrawal from the available balance of an account')

function moneyCommand(context: CommandContext, kind: 'deposit' | 'withdraw', summary: string) {
  const command = defineCommand(kind, summary, [`tidemark account ${kind} acct_north 1000.00 --reason "wire 4711"`])
    .argument('<account>', 'id of the account')
    .argument('<amount>', 'decimal above 0, with at most the digits of the asset')
    .option('--asset <asset>', 'id of the asset', 'asset_usd')
    .option('--transfer <id>', 'id of the transfer in the ledger (default: random)')
    .option('--approved-by <name>', 'operator who approved it; not the actor (needed outside a sandbox)')
  return onAct<Options>(command, context, async ({ args, options, output }, { act, reads }) => {
    const { account_id } = await reads.readAccount(parseId('acct', args[0], 'account'))
    const asset_id = parseId('asset', options.asset, 'asset')
    const transfer_id = parseId('xfer', options.transfer ?? `xfer_${randomBytes(16).toString('hex')}`, 'transfer')
    const amount = args[1]!
    const approved = options.approvedBy === undefined ? {} : { approved_by: options.approvedBy }
    await act({ kind, transfer_id, account_id, asset_id, amount, ...approved })
    return void (await printRecord(output, { transfer_id, account_id, asset_id, amount }))
  })
}

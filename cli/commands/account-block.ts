import { parseId } from '../../primitives/ids.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { onAct } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

/** `tidemark account block`: cancels all orders of an account and rejects new ones. */
export const blockCommand = (context: CommandContext) =>
  blockingCommand(context, 'block', 'cancel all orders of an account and reject new ones', true)

/** `tidemark account unblock`: lets an account place orders again. */
export const unblockCommand = (context: CommandContext) =>
  blockingCommand(context, 'unblock', 'let a blocked account place orders again', false)

function blockingCommand(context: CommandContext, name: string, summary: string, blocked: boolean) {
  const command = defineCommand(name, summary, [`tidemark account ${name} acct_north --reason "case 81"`]).argument(
    '<account>',
    'id of the account',
  )
  return onAct(command, context, async ({ args, output }, { act, reads }) => {
    const { account_id } = await reads.readAccount(parseId('acct', args[0], 'account'))
    await act({ kind: 'block_account', account_id, blocked })
    return void (await printRecord(output, { account_id, blocked }))
  })
}

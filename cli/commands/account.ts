import { type CommandContext, defineCommand } from '../command.ts'
import { blockCommand, unblockCommand } from './account-block.ts'
import { createCommand } from './account-create.ts'
import { accountKeyCommand } from './account-key.ts'
import { accountListCommand, accountShowCommand } from './account-list.ts'
import { depositCommand, withdrawCommand } from './account-money.ts'
import { policyCommand } from './account-policy.ts'
import { accountRecordCommands } from './account-records.ts'
import { confirmTransferCommand, failTransferCommand, transfersCommand } from './account-transfer.ts'

const COMMANDS = [
  createCommand,
  accountListCommand,
  accountShowCommand,
  depositCommand,
  withdrawCommand,
  transfersCommand,
  confirmTransferCommand,
  failTransferCommand,
  policyCommand,
  blockCommand,
  unblockCommand,
  ...accountRecordCommands(),
  accountKeyCommand,
]

/** `tidemark account ...`: accounts, their money, policies and keys. */
export function accountCommand(context: CommandContext) {
  const group = defineCommand(
    'account',
    'open accounts, book deposits and withdrawals, set policies, issue keys, write the records of an account',
  )
  for (const command of COMMANDS) group.addCommand(command(context))
  return group
}

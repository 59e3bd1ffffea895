import { parseId } from '../../primitives/ids.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { onTrading } from '../trading/on-engine.ts'

/** `tidemark account list`: accounts with their balances. */
export function accountListCommand(context: CommandContext) {
  const command = defineCommand('list', 'list accounts with their balances', ['tidemark account list --json'])
  return onTrading(command, context, async ({ output }, { reads }) => {
    const accounts = await reads.listAccounts()
    if (output.json) return void (await output.document(accounts))
    await output.list(
      ['account', 'label', 'blocked', 'asset', 'total', 'available', 'reserved', 'withdrawal hold', 'pending debit'],
      accounts.flatMap(({ account_id, label, blocked, balances }) =>
        (balances.length === 0 ? [null] : balances).map((balance) => [
          account_id,
          label,
          blocked ? 'yes' : 'no',
          balance?.asset_id,
          balance?.total,
          balance?.available,
          balance?.reserved,
          balance?.withdrawal_hold,
          balance?.pending_settlement_debit,
        ]),
      ),
    )
  })
}

/** `tidemark account show`: all details of one account. */
export function accountShowCommand(context: CommandContext) {
  const command = defineCommand('show', 'show the policy, balances, positions, open orders and keys of an account', [
    'tidemark account show acct_north',
  ]).argument('<account>', 'id of the account')
  return onTrading(command, context, async ({ args, output }, { reads }) => {
    const account = await reads.readAccount(parseId('acct', args[0], 'account'))
    if (output.json) return void (await output.document(account))
    const { balances, positions, keys, policy, ...facts } = account
    await output.table(
      ['field', 'value'],
      [...Object.entries(facts), ...Object.entries(policy)].map(([field, value]) => [field, value]),
    )
    await output.table(
      ['asset', 'total', 'available', 'reserved', 'withdrawal hold', 'pending debit', 'pending credit'],
      balances.map((of) => [
        of.asset_id,
        of.total,
        of.available,
        of.reserved,
        of.withdrawal_hold,
        of.pending_settlement_debit,
        of.pending_settlement_credit,
      ]),
    )
    await output.table(
      ['market', 'outcome', 'net', 'average entry', 'realized'],
      positions.map((of) => [of.market_id, of.outcome_id, of.net_quantity, of.average_entry_price, of.realized_pnl]),
    )
    await output.table(
      ['key', 'label', 'algorithm', 'scopes', 'created', 'expires', 'revoked'],
      keys.map((key) => [
        key.key_id,
        key.label,
        key.algorithm,
        key.scopes.join(' '),
        key.created_at,
        key.expires_at,
        key.revoked_at,
      ]),
    )
  })
}

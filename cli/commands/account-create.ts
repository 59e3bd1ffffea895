import { randomBytes } from 'node:crypto'
import { parseId } from '../../primitives/ids.ts'
import { DEFAULT_ACCOUNT_POLICY, nextPolicy, type PolicyFlags } from '../../service/trading/account-policy.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { parseAddressText } from '../trading/address-text.ts'
import { onAct } from '../trading/on-engine.ts'
import { withPolicyOptions } from '../trading/policy-options.ts'
import { printRecord } from '../trading/print-record.ts'

type Options = PolicyFlags & { readonly label?: string; readonly owner?: string }

/** `tidemark account create`: opens an account without balance and keys. */
export function createCommand(context: CommandContext) {
  const command = withPolicyOptions(
    defineCommand('create', 'open an account, without balance and keys', [
      'tidemark account create acct_north --owner 0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1 --label North --reason "agreement 12"',
      'tidemark account create --reason "test account" --json',
    ])
      .argument('[account]', 'id of the account (default: random)')
      .option('--owner <address>', 'address that authorizes keys and signs orders (0x and 40 hex digits)')
      .option('--label <text>', 'display name (default: the id)'),
  )
  return onAct<Options>(command, context, async ({ args, options, output }, { act }) => {
    const account_id = parseId('acct', args[0] ?? `acct_${randomBytes(12).toString('hex')}`, 'account')
    const owner_address = options.owner === undefined ? null : parseAddressText(options.owner, 'owner')
    const policy = nextPolicy(DEFAULT_ACCOUNT_POLICY, options, DEFAULT_ACCOUNT_POLICY.policy_version)
    const label = options.label ?? account_id
    await act({
      kind: 'add_account',
      account_id,
      owner_address,
      label,
      policy,
    })
    return void (await printRecord(output, { account_id, owner_address, label, policy }))
  })
}

import { parseId } from '../../primitives/ids.ts'
import { nextPolicy, type PolicyFlags } from '../../service/trading/account-policy.ts'
import { type CommandContext, defineCommand } from '../command.ts'
import { onAct } from '../trading/on-engine.ts'
import { withPolicyOptions } from '../trading/policy-options.ts'
import { printRecord } from '../trading/print-record.ts'

/** `tidemark account policy`: publishes the next version of an account's policy. */
export function policyCommand(context: CommandContext) {
  const command = withPolicyOptions(
    defineCommand('policy', 'publish the next version of an account policy; options left out keep their values', [
      'tidemark account policy acct_north --position-limit 10000 --price-band 0.10 --reason "credit review"',
      'tidemark account policy acct_north --limit-tier market_maker --reason "agreement 14"',
    ]).argument('<account>', 'id of the account'),
  )
  return onAct<PolicyFlags>(command, context, async ({ args, options, output }, { act, reads }) => {
    const account_id = parseId('acct', args[0], 'account')
    const { policy: before } = await reads.readAccount(account_id)
    const policy = nextPolicy(before, options, before.policy_version + 1)
    await act({ kind: 'set_policy', account_id, policy })
    return void (await printRecord(output, { account_id, policy }))
  })
}

import type { Command } from 'commander'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

/** Creates the commands of eligibility policies. */
export function policyCommands(context: CommandContext): readonly Command[] {
  return [applyCommand(context), policiesCommand(context)]
}

function applyCommand(context: CommandContext) {
  const command = defineCommand('apply', 'publish the next version of a policy, in a home without a roster', [
    'tidemark eligibility apply policy.yaml',
  ]).argument('<file>', 'policy file (YAML or JSON)')
  return onAction(command, context, async ({ args, settings, output }) => {
    const { applyPolicy } = await import('../../operations/eligibility/policies.ts')
    const applied = await withWarehouse(settings, { create: true }, (warehouse) => applyPolicy(warehouse, args[0]!))
    if (output.json) return void (await output.document(applied))
    const state = applied.published ? 'published' : 'known already'
    await output.line(`${applied.policy_id} version ${applied.version}, ${applied.record_hash}: ${state}`)
  })
}

function policiesCommand(context: CommandContext) {
  const command = defineCommand('policies', 'list every version of every policy, with its rules', [
    'tidemark eligibility policies',
    'tidemark eligibility policies --json',
  ]).addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ options, settings, output }) => {
    const { listPolicies } = await import('../../operations/eligibility/policies.ts')
    const policies = await withWarehouse(settings, { create: false }, (warehouse) =>
      listPolicies(warehouse, options.asOf ?? null),
    )
    if (output.json) return void (await output.document(policies))
    await output.table(
      ['policy', 'version', 'name', 'fact', 'at least', 'at most', 'one of', 'age at most'],
      policies.flatMap(({ document: { policy_id, version, name, rules } }) =>
        rules.map((rule) => [
          policy_id,
          version,
          name,
          rule.fact,
          rule.at_least,
          rule.at_most,
          rule.one_of?.join(' ') ?? null,
          rule.age_max,
        ]),
      ),
    )
  })
}

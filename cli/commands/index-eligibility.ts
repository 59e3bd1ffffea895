import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

/** `tidemark index eligibility INDEX`: constituents that drifted since they were selected, and what that calls for. */
export function indexEligibilityCommand(context: CommandContext) {
  const command = defineCommand('eligibility', 'show whether constituents are still eligible, and what changed', [
    'tidemark index eligibility idx_demo',
    'tidemark index eligibility idx_demo --as-of 2026-01-17T00:00:00Z --json',
  ])
    .argument('<index>', 'index id')
    .addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { showDrift } = await import('../../operations/selection/show-drift.ts')
    const drift = await withWarehouse(settings, { create: false }, (warehouse) =>
      showDrift(warehouse, { index_id: args[0]!, as_of: options.asOf ?? null }),
    )
    if (output.json) return void (await output.document(drift))
    await output.line(`${drift.index_version_id} by ${drift.policy_id} version ${drift.policy_version}`)
    await output.table(
      ['constituent', 'market', 'status', 'reasons', 'changed since selection'],
      drift.constituents.map((one) => [
        one.constituent_id,
        one.market_id,
        one.status,
        one.reason_codes.join(' ') || null,
        one.changed_facts.map(({ fact, at_selection, now }) => `${fact} ${at_selection} to ${now}`).join('; ') || null,
      ]),
    )
    if (drift.proposal === null) return
    await output.line(`to propose: remove ${drift.proposal.removals.map((one) => one.constituent_id).join(', ')}`)
    await output.line(`draft it: tidemark governance drift ${drift.index_id} --out draft.yaml`)
  })
}

import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

/** `tidemark index select INDEX`: what the rule of an index selects from the facts of an instant. Nothing is published. */
export function selectCommand(context: CommandContext) {
  const command = defineCommand('select', "select constituents by the index's rule, with ranks and reasons", [
    'tidemark index select idx_demo --as-of 2026-01-17T00:00:00Z',
    'tidemark index select demo.yaml --json',
  ])
    .argument('<index>', 'index id, or a definition file (YAML or JSON)')
    .addOption(asOfOption())
  return onAction<{ asOf?: string }>(command, context, async ({ args, options, settings, output }) => {
    const { selectIndex } = await import('../../operations/selection/select-index.ts')
    const { factRow } = await import('../../pipelines/eligibility/evaluate.ts')
    const { candidateRow } = await import('../../pipelines/selection/pro-forma.ts')
    const selected = await withWarehouse(settings, { create: false }, (warehouse) =>
      selectIndex(warehouse, { target: args[0]!, as_of: options.asOf ?? null }),
    )
    const { constituents } = selected.defined.version
    const weights = new Map(
      constituents.map(({ legs, own, target_weight }) => [
        String(legs[own]!.market_id),
        formatDecimal(target_weight, SCALE.weight),
      ]),
    )
    const rows = selected.ranked.map((one) => ({
      ...candidateRow(one),
      title: selected.titles.get(one.market_id) ?? null,
      facts: one.evaluation.facts.map(factRow),
      target_weight: weights.get(one.market_id) ?? null,
    }))
    const { policy_id, version } = selected.policy.document
    const head = { selected_as_of: formatMicros(selected.selected_as_of), policy_id, policy_version: version }
    if (output.json)
      return void (await output.document({ ...head, definition: selected.defined.file, candidates: rows }))
    await output.line(`selected as of ${head.selected_as_of} by ${policy_id} version ${version}`)
    await output.table(
      ['rank', 'market', 'value', 'selected', 'weight', 'eligibility', 'reasons', 'title'],
      rows.map((row) => [
        row.rank,
        row.market_id,
        row.ranking_value,
        row.is_selected ? 'yes' : 'no',
        row.target_weight,
        row.eligibility_status,
        [...row.reason_codes, ...row.eligibility_reason_codes].join(' ') || null,
        row.title,
      ]),
    )
  })
}

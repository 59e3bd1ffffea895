import { Option } from 'commander'
import type { PolicyChoice } from '../../operations/eligibility/evaluate-markets.ts'
import { factRow } from '../../pipelines/eligibility/evaluate.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { parseVersion } from '../governance/governance-ports.ts'
import { asOfOption } from '../options.ts'
import { policyCommands } from './eligibility-policy.ts'

/** `tidemark eligibility ...`: which markets may enter an index, by which policy and for which reasons. */
export function eligibilityCommand(context: CommandContext) {
  const group = defineCommand('eligibility', 'which markets may enter an index, by which policy and for which reasons')
  group.addCommand(showCommand(context))
  group.addCommand(evaluateCommand(context))
  for (const command of policyCommands(context)) group.addCommand(command)
  return group
}

type PolicyOptions = { readonly policy: string; readonly document?: string; readonly asOf?: string }

const policyOption = () =>
  new Option('--policy <policy>', 'id of a policy, or a policy file that is not published').default(SOURCE_TERMS_POLICY)
const documentOption = () => new Option('--document <version>', 'version of the policy (default: the newest)')

/** Returns the policy that the options name: a file by its ending, else an id. */
function choiceOf({ policy, document }: PolicyOptions): PolicyChoice {
  return /\.(ya?ml|json)$/i.test(policy) ? { file: policy } : { policy_id: policy, version: parseVersion(document) }
}

function showCommand(context: CommandContext) {
  const command = defineCommand('show', 'show whether a market is eligible, and the facts that decide', [
    'tidemark eligibility show mkt_example',
    'tidemark eligibility show mkt_example --policy pol_core --as-of 2026-01-17T00:00:00Z --json',
  ])
    .argument('<market>', 'market id')
    .addOption(policyOption())
    .addOption(documentOption())
    .addOption(asOfOption())
  return onAction<PolicyOptions>(command, context, async ({ args, options, settings, output }) => {
    const { evaluateMarket } = await import('../../operations/eligibility/evaluate-markets.ts')
    const wish = { policy: choiceOf(options), market_id: args[0]!, as_of: options.asOf ?? null }
    const found = await withWarehouse(settings, { create: false }, (warehouse) => evaluateMarket(warehouse, wish))
    const facts = found.facts.map(factRow)
    // Not facts_as_of: that is the instant of a published decision, and this one is made now.
    const { facts_as_of, ...evaluation } = found
    const evaluated_as_of = formatMicros(facts_as_of)
    if (output.json) return void (await output.document({ ...evaluation, facts, evaluated_as_of }))
    await output.line(`${found.market_id} is ${found.status} by ${found.policy_id} version ${found.policy_version}`)
    await output.line(`evaluated as of ${evaluated_as_of}; reasons: ${found.reason_codes.join(', ') || 'none'}`)
    await output.table(
      ['fact', 'value', 'observed at', 'from', 'record'],
      facts.map((fact) => [fact.fact, fact.value, fact.observed_at, fact.source_table, fact.source_id]),
    )
  })
}

function evaluateCommand(context: CommandContext) {
  const command = defineCommand(
    'evaluate',
    'evaluate every market by a policy; --publish publishes the decisions that changed',
    [
      'tidemark eligibility evaluate --policy policy.yaml --as-of 2026-01-17T00:00:00Z',
      'tidemark eligibility evaluate --policy pol_core --publish',
    ],
  )
    .addOption(policyOption())
    .addOption(documentOption())
    .addOption(asOfOption())
    .option('--publish', 'publish decisions that are new or changed')
  return onAction<PolicyOptions & { publish?: true }>(command, context, async ({ options, settings, output }) => {
    const { evaluateMarkets } = await import('../../operations/eligibility/evaluate-markets.ts')
    const wish = {
      ...{ policy: choiceOf(options), market_ids: null, as_of: options.asOf ?? null },
      publish: options.publish === true,
    }
    const report = await withWarehouse(settings, { create: false }, (warehouse) => evaluateMarkets(warehouse, wish))
    const facts_as_of = formatMicros(report.facts_as_of)
    const rows = report.evaluations.map(({ market_id, status, reason_codes }) => ({ market_id, status, reason_codes }))
    if (output.json) return void (await output.document({ facts_as_of, published: report.published, markets: rows }))
    await output.table(
      ['market', 'status', 'reasons'],
      rows.map((row) => [row.market_id, row.status, row.reason_codes.join(' ') || null]),
    )
    await output.line(`${rows.length} markets as of ${facts_as_of}; ${report.published} decisions published`)
  })
}

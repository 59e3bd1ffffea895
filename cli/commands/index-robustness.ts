import { InvalidArgumentError, Option } from 'commander'
import type { PushCost } from '../../pipelines/robustness/manipulation-cost.ts'
import { NOTIONAL_PATTERN, ROBUSTNESS } from '../../protocol/limits.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { asOfOption } from '../options.ts'

type OfLevel = { observation?: string; asOf?: string }
type Shown = Awaited<ReturnType<typeof import('../../operations/index/level-robustness.ts').levelRobustness>>

const observationOption = () => new Option('--observation <id>', 'level to examine (default: the latest)')

/** `tidemark index robustness INDEX`: what a missing input would do to a level, and what moving it would cost. */
export function robustnessCommand(context: CommandContext) {
  const command = defineCommand('robustness', 'effect of each missing input on a level, and the cost to move it', [
    'tidemark index robustness idx_demo',
    'tidemark index robustness idx_demo --as-of 2026-01-17T00:00:00Z --basis-points 500 --json',
  ])
    .argument('<index>', 'index id')
    .addOption(observationOption())
    .addOption(
      new Option('--basis-points <count>', 'move that is priced')
        .argParser(parseBasisPoints)
        .default(ROBUSTNESS.basis_points_default),
    )
    .addOption(asOfOption())
  return onAction<OfLevel & { basisPoints: number }>(command, context, async (invocation) => {
    const { args, options, settings, output } = invocation
    const { levelRobustness } = await import('../../operations/index/level-robustness.ts')
    const shown = await withWarehouse(settings, { create: false }, (warehouse) =>
      levelRobustness({ index_id: args[0]!, ...levelOf(options), warehouse }, options.basisPoints),
    )
    await (output.json ? output.document(shown) : printRobustness(output, shown))
  })
}

/** `tidemark index band INDEX`: the levels at which a notional could be sold and bought. */
export function bandCommand(context: CommandContext) {
  const command = defineCommand('band', 'levels at which a notional of an index could be sold and bought', [
    'tidemark index band idx_demo --notional 1000',
    'tidemark index band idx_demo --notional 250 --observation iob_demo',
  ])
    .argument('<index>', 'index id')
    .requiredOption(
      '--notional <amount>',
      'value of the basket, in what one contract pays; 0: best prices',
      parseNotional,
    )
    .addOption(observationOption())
    .addOption(asOfOption())
  return onAction<OfLevel & { notional: string }>(command, context, async ({ args, options, settings, output }) => {
    const { levelBand } = await import('../../operations/index/level-robustness.ts')
    const band = await withWarehouse(settings, { create: false }, (warehouse) =>
      levelBand({ index_id: args[0]!, ...levelOf(options), warehouse }, options.notional),
    )
    if (output.json) return void (await output.document(band))
    const { tick_at, level, bid, ask } = band
    await output.table(['tick', 'bid', 'level', 'ask', 'why'], [[tick_at, bid?.level, level, ask?.level, whyOf(band)]])
    await output.table(
      ['constituent', 'quantity', 'average bid', 'average ask', 'why'],
      (bid?.legs ?? []).map((leg, i) => {
        const other = ask?.legs[i]
        return [leg.constituent_id, leg.quantity, leg.average_price, other?.average_price, leg.reason ?? other?.reason]
      }),
    )
  })
}

function levelOf({ observation, asOf }: OfLevel) {
  return { observation_id: observation ?? null, as_of: asOf ?? null }
}

function whyOf({ bid, ask }: { bid: { reason: string | null } | null; ask: { reason: string | null } | null }) {
  return bid === null ? 'NO_LEVEL' : (bid.reason ?? ask?.reason)
}

async function printRobustness(output: Output, { tick_at, level, missing_input, manipulation_cost }: Shown) {
  await output.line(`Level ${level ?? '-'} at ${tick_at ?? '-'}`)
  if (missing_input === null || manipulation_cost === null) return void (await output.line('No level of its own.'))
  await output.table(
    ['without', 'level', 'move', 'basis points', 'state', 'bound if 0', 'bound if 1'],
    missing_input.inputs.map((input) => [
      input.constituent_id,
      input.level_without,
      input.move,
      input.move_bp,
      input.quality_state,
      input.level_if_zero,
      input.level_if_one,
    ]),
  )
  const { up, down, basis_points } = manipulation_cost
  const rowOf = (direction: string, cost: PushCost) =>
    [direction, basis_points, cost.notional_at_least, cost.notional_sufficient, cost.reason] as const
  await output.table(
    ['direction', 'basis points', 'notional at least', 'notional sufficient', 'why'],
    [rowOf('up', up), rowOf('down', down)],
  )
}

function parseBasisPoints(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && +text <= ROBUSTNESS.basis_points_max) return +text
  throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${ROBUSTNESS.basis_points_max}.`)
}

function parseNotional(text: string): string {
  if (new RegExp(NOTIONAL_PATTERN).test(text)) return text
  throw new InvalidArgumentError('Allowed: a decimal below 1000000000 with at most 6 decimals.')
}

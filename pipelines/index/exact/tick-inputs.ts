import { Decimal, type DecimalString, formatDecimal, SCALE, sumDecimals } from '../../../primitives/decimal.ts'
import type { FreshnessClass, MarkRule } from '../../../vocabulary/index-level.ts'
import { FRESHNESS_CLASSES, MARK_RULES } from '../../../vocabulary/index-level.ts'
import { formatContribution } from '../level.ts'
import type { ExactInput } from './exact-input.ts'
import type { SeriesTick } from './exact-tick-facts.ts'
import { NONE, printUnits } from './units.ts'

/**
 * One constituent at one tick, with the strings that `index_observation_input` publishes under the same names.
 * weight_applied and contribution are null if the tick has no level of its own or the constituent is missing.
 */
export type TickInput = {
  readonly constituent_id: string
  readonly target_weight: DecimalString
  readonly weight_applied: DecimalString | null
  /** x of methodology index-1 §7; null = missing. */
  readonly normalized_value: DecimalString | null
  readonly freshness_class: FreshnessClass
  readonly mark_rule: MarkRule | null
  /** Contribution to the level, in the index's unit. */
  readonly contribution: DecimalString | null
}

/** Returns the inputs of a tick of the exact engine, in ascending constituent_id (methodology index-1 §9 "contribution"). */
export function tickInputs(tick: SeriesTick): readonly TickInput[] {
  const used = sumDecimals(tick.inputs.flatMap((input) => (input.x === null ? [] : [input.constituent.target_weight])))
  const k = tick.level !== null && tick.source_cutoff_at === tick.tick_at ? tick.link_factor : null
  return tick.inputs.map((input) => tickInput(input, k, used))
}

function tickInput(input: ExactInput, k: Decimal | null, used: Decimal): TickInput {
  const { constituent_id, target_weight } = input.constituent
  const normalized_value = input.x === null ? null : printUnits(input.x, SCALE.mark)
  const counted = k !== null && normalized_value !== null
  return {
    constituent_id,
    target_weight: formatDecimal(target_weight, SCALE.weight),
    weight_applied: counted ? formatDecimal(target_weight.div(used), SCALE.weight) : null,
    normalized_value,
    freshness_class: FRESHNESS_CLASSES[input.freshness]!,
    mark_rule: input.rule === NONE ? null : MARK_RULES[input.rule]!,
    contribution: counted ? formatContribution(k, target_weight, new Decimal(normalized_value), used) : null,
  }
}

import { formatDecimal, ONE, SCALE } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import type { MarkRule } from '../../../vocabulary/index-level.ts'
import type { Constituent } from '../../index/version.ts'
import { type BooksAtTick, constituentDepth } from '../../robustness/constituent-depth.ts'
import type { Depths } from '../../robustness/depth.ts'
import type { LevelConstituent } from '../../robustness/level-basis.ts'
import type { PublishedInput } from '../../robustness/published-level.ts'

/** One constituent of a replayed tick, with the rule of its mark. */
export type ReplayedInput = LevelConstituent & {
  readonly constituent: Constituent
  /** null: it has no mark. */
  readonly mark_rule: MarkRule | null
}

/** One tick of a replay with its inputs. */
export type ReplayedTick = { readonly tick_at: Micros; readonly inputs: readonly ReplayedInput[] }

/** Returns the depth behind each input of a replayed tick, by the rules of published ones (methodology robustness-1 §1). */
export function depthsOfTick({ inputs }: ReplayedTick, books: BooksAtTick): Depths {
  return new Map(inputs.map((input) => [input.constituent_id, constituentDepth(inputAsPublished(input), books)]))
}

/** Returns an input as a record of its level would state it. The mark of a single leg follows from the normalized value. */
function inputAsPublished({ constituent, constituent_id, w, x, freshness, mark_rule }: ReplayedInput): PublishedInput {
  const { normalization } = constituent
  const own = constituent.legs[constituent.own]!
  const mark = x === null || normalization !== 'inverse' ? x : ONE.minus(x)
  const leg =
    mark === null || mark_rule === null
      ? []
      : [{ market_id: own.market_id, outcome_id: own.outcome_id, mark_rule, value: formatDecimal(mark, SCALE.mark) }]
  return {
    constituent_id,
    target_weight: formatDecimal(w, SCALE.weight),
    normalization,
    normalized_value: x === null ? null : formatDecimal(x, SCALE.mark),
    freshness_class: freshness,
    legs: leg,
  }
}

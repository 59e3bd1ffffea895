import { canonicalJson } from '../../primitives/canonical-json.ts'
import type { Rebalance } from '../selection/schedule.ts'
import type { Selection } from '../selection/selection.ts'
import type { Caps, CompositionRules, WeightingRule } from './version.ts'

/** Decoded rules by which a version is composed. */
type DecodedRules = {
  readonly weighting: WeightingRule
  readonly rating_multiplier: boolean
  readonly caps: Caps
  readonly selection: Selection | null
  readonly rebalance: Rebalance | null
}

/** Returns the composition rules of a version as text; defaults are written out, so equal rules have equal texts. */
export function compositionRules(rules: DecodedRules): CompositionRules {
  const { weighting, rating_multiplier, caps, selection, rebalance } = rules
  return {
    weighting: rating_multiplier ? `${weighting} with rating multiplier` : weighting,
    caps: capsText(caps),
    selection: selection === null ? null : canonicalJson(selection),
    rebalance: rebalance === null ? null : canonicalJson(rebalance),
  }
}

function capsText(caps: Caps): string | null {
  const entries: readonly (readonly [string, Caps[keyof Caps]])[] = Object.entries(caps)
  const parts = entries.flatMap(([name, cap]) => (cap === null ? [] : [`${name} ${cap.toFixed()}`]))
  return parts.length === 0 ? null : parts.join(', ')
}

import { type DecimalString, parseDecimal } from '../../primitives/decimal.ts'
import type { FreshnessClass, MarkRule } from '../../vocabulary/index-level.ts'
import type { Normalization } from '../index/version.ts'
import type { LevelBasis } from './level-basis.ts'

/** One leg of a published input, with the fields that depth is matched by. */
export type PublishedLeg = {
  readonly market_id: string
  readonly outcome_id: string
  readonly mark_rule: MarkRule
  /** The mark, 6 decimals. */
  readonly value: DecimalString
}

/** One input of a published level, as its record states it. */
export type PublishedInput = {
  readonly constituent_id: string
  readonly target_weight: DecimalString
  readonly normalization: Normalization
  readonly normalized_value: DecimalString | null
  readonly freshness_class: FreshnessClass
  readonly legs: readonly PublishedLeg[]
}

/** A published level with its inputs, as every reader has it. */
export type PublishedLevel = {
  readonly level: DecimalString | null
  readonly link_factor: DecimalString | null
  readonly quality_state: string
  /** null: the state of the record is its own. */
  readonly underlying_quality_state: string | null
  readonly inputs: readonly PublishedInput[]
}

/** Minimum coverage of the version, and the parameter `quality.usable_min` of its methodology. */
export type MissingRules = { readonly minimum_coverage_ratio: string; readonly usable_min: string }

/** States whose record shows no level of its own tick. */
const UNPRICED: readonly string[] = ['stale', 'suspended']

/** Returns the numbers from which a published level follows; null: the record has no level of its own tick. */
export function basisOfLevel(record: PublishedLevel, rules: MissingRules): LevelBasis | null {
  const { level, link_factor, quality_state, underlying_quality_state, inputs } = record
  const state = underlying_quality_state ?? quality_state
  if (level === null || link_factor === null || UNPRICED.includes(state)) return null
  const constituents = inputs.map(({ constituent_id, target_weight, normalized_value, freshness_class }) => ({
    constituent_id,
    w: parseDecimal(target_weight, 'target_weight'),
    x: normalized_value === null ? null : parseDecimal(normalized_value, 'normalized_value'),
    freshness: freshness_class,
  }))
  return {
    k: parseDecimal(link_factor, 'link_factor'),
    constituents,
    rules: {
      minimum_coverage_ratio: parseDecimal(rules.minimum_coverage_ratio, 'minimum_coverage_ratio'),
      usable_min: parseDecimal(rules.usable_min, 'quality.usable_min'),
    },
  }
}

import { formatDecimal, SCALE } from '../../../primitives/decimal.ts'
import type { IndexGate, LastLevel, TickResult } from '../calculate.ts'
import type { EvaluatedConstituent } from '../evaluate-constituent.ts'
import type { TwinConstituent, TwinInputs } from './exact-tick.ts'

/**
 * What `exactTick` needs of a tick that the reference calculated: its evaluated constituents as published strings.
 * @param before the last level before this tick; it is the level of a stale one
 */
export function twinInputs(result: TickResult, before: LastLevel | null, gate: IndexGate): TwinInputs {
  const { version, tick_at, link_factor, reason_codes } = result
  const { quality, max_carry } = version.methodology.parameters
  return {
    tick_at,
    link_factor: link_factor?.toFixed() ?? null,
    constituents: result.constituents.map(twinConstituent),
    fixing_failed: reason_codes.includes('FIXING_UNAVAILABLE'),
    gate,
    last_level: before,
    max_carry,
    minimum_coverage_ratio: version.minimum_coverage_ratio.toFixed(),
    usable_min: quality.usable_min.toFixed(),
    min_confidence: quality.min_confidence.toFixed(),
    max_fallback_weight: quality.max_fallback_weight.toFixed(),
  }
}

function twinConstituent(evaluated: EvaluatedConstituent): TwinConstituent {
  const { constituent, x, freshness, mark_rule, provisional, pending, reasons, used } = evaluated
  return {
    constituent_id: constituent.constituent_id,
    w: formatDecimal(constituent.target_weight, SCALE.weight),
    x: x === null ? null : formatDecimal(x, SCALE.mark),
    freshness,
    mark_rule,
    provisional,
    pending,
    reasons,
    legs: used.map(({ leg, evaluation }) => ({
      pool_weight: leg.pool_weight.toFixed(),
      c_rule: evaluation.mark!.c_rule.toFixed(),
      confirmed_at: evaluation.mark!.confirmed_at,
      settled: evaluation.mark!.rule === 'M0',
    })),
  }
}

import { Decimal } from '../../../primitives/decimal.ts'
import { FRESHNESS_CLASSES, MARK_RULES } from '../../../vocabulary/index-level.ts'
import type { Mark } from '../../market/mark.ts'
import type { OutlierDecision } from '../../market/outlier.ts'
import { NO_OUTLIER_STATE } from '../../market/outlier.ts'
import { type LegEvaluation, NO_LEG_STATE } from '../evaluate-leg.ts'
import { keyIds } from './exact-input.ts'
import type { ExactLeg } from './exact-leg.ts'
import type { IntegerOutlier } from './integer-parameters.ts'
import type { IntegerMark } from './quote-mark.ts'
import { MARK_ONE, NONE } from './units.ts'

const MARK_UNIT = new Decimal(1).div(MARK_ONE)
const HUNDREDTH = new Decimal('0.01')

/** Converts a leg for the reference's normalizations: the same mark in decimals, without its memory. */
export function legEvaluation(leg: ExactLeg, p: IntegerOutlier): LegEvaluation {
  return {
    mark: leg.mark.rule === NONE ? null : markOf(leg, leg.mark),
    freshness: FRESHNESS_CLASSES[leg.freshness]!,
    provisional: leg.provisional,
    pending: leg.pending ? { mark: markOf(leg, leg.raw), decision: decisionOf(leg, p) } : null,
    window_ids: [],
    reason: leg.reason,
    state: NO_LEG_STATE,
  }
}

function markOf(leg: ExactLeg, mark: IntegerMark): Mark {
  const rule = MARK_RULES[mark.rule]!
  return {
    rule,
    origin_rule: rule,
    value: MARK_UNIT.times(mark.value),
    c_rule: HUNDREDTH.times(mark.c),
    source_at: mark.source_at,
    confirmed_at: mark.confirmed_at,
    cutoff_at: mark.confirmed_at,
    source_ids: keyIds(leg, mark.key, leg.phase.evidence_id),
    derivation_rule: null,
  }
}

function decisionOf(leg: ExactLeg, p: IntegerOutlier): OutlierDecision {
  const { median, limit } = leg.filter.refusal(p)
  const window = { median, mad: limit, sigma: limit, source_ids: [] }
  return { accepted: false, window, limit, state: NO_OUTLIER_STATE }
}

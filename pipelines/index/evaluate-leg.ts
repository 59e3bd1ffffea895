import type { Micros } from '../../primitives/instants.ts'
import type { FreshnessClass } from '../../vocabulary/index-level.ts'
import { classifyFreshness } from '../market/freshness.ts'
import { C_RULE, type Mark } from '../market/mark.ts'
import { type MarkHistory, markOutcome } from '../market/outcome.ts'
import {
  filterOutlier,
  isSameSource,
  NO_OUTLIER_STATE,
  type OutlierDecision,
  type OutlierState,
} from '../market/outlier.ts'
import type { OutcomeInput } from '../market/quote.ts'
import type { Parameters } from './parameters.ts'

/** Memory of one leg between ticks. */
export type LegState = { readonly history: MarkHistory; readonly outlier: OutlierState }

export const NO_LEG_STATE: LegState = { history: null, outlier: NO_OUTLIER_STATE }

/** One leg at one cutoff: the mark that counts, its class, and why a newer one was left out. */
export type LegEvaluation = {
  readonly mark: Mark | null
  readonly freshness: FreshnessClass
  readonly provisional: boolean
  /** Raw mark rejected by the outlier filter, with the numbers behind the decision. */
  readonly pending: { readonly mark: Mark; readonly decision: OutlierDecision } | null
  readonly window_ids: readonly string[]
  readonly reason: string | null
  readonly state: LegState
}

/** Evaluation of a leg that has no mark. */
export const UNUSABLE_LEG: LegEvaluation = {
  mark: null,
  freshness: 'missing',
  provisional: false,
  pending: null,
  window_ids: [],
  reason: null,
  state: NO_LEG_STATE,
}

export const HAMPEL_RULE = 'HAMPEL_5'

/**
 * Evaluates one leg, steps 3 and 4 of a calculation run (methodology index-1 §4, 6, 16): mark, then outlier filter.
 * @param peers accepted marks of the same question at other venues
 */
export function evaluateLeg(
  input: OutcomeInput,
  state: LegState,
  cutoff: Micros,
  p: Parameters,
  peers: readonly Mark[],
): LegEvaluation {
  const { mark, provisional, reason } = markOutcome(input, state.history, cutoff, p)
  const history = remember(state.history, mark, input.can_freeze)
  if (mark === null || mark.rule === 'M0' || mark.rule === 'frozen') {
    const freshness = classifyFreshness(mark, cutoff, p)
    return {
      mark,
      freshness,
      provisional: provisional && mark !== null,
      pending: null,
      window_ids: [],
      reason,
      state: { history, outlier: { ...state.outlier, pending: [] } },
    }
  }
  // Rule (c): marks of a resolved market pass the filter. While it is resolving they are frozen and do not reach this line.
  const resolved = input.market?.status === 'resolved'
  const rule = resolved ? { ...p.outlier, enabled: false } : p.outlier
  const decision = filterOutlier(mark, state.outlier, cutoff, rule, peers)
  const next = { history, outlier: decision.state }
  if (!decision.accepted) return heldBack(mark, decision, cutoff, p, next)
  const window_ids = decision.window?.source_ids ?? []
  return {
    mark,
    freshness: classifyFreshness(mark, cutoff, p),
    provisional,
    pending: null,
    window_ids,
    reason,
    state: next,
  }
}

/** Leaves out a pending mark; the last accepted one is used as stale. */
function heldBack(
  mark: Mark,
  decision: OutlierDecision,
  cutoff: Micros,
  p: Parameters,
  state: LegState,
): LegEvaluation {
  const last = decision.state.accepted.at(-1)
  const usable = last !== undefined && cutoff - last.confirmed_at <= p.max_carry
  const held: Mark | null = usable ? { ...last, rule: 'M7', c_rule: C_RULE.M7 } : null
  const window_ids = decision.window?.source_ids ?? []
  return {
    mark: held,
    freshness: usable ? 'stale' : 'missing',
    provisional: false,
    pending: { mark, decision },
    window_ids,
    reason: 'OUTLIER_PENDING',
    state,
  }
}

/** Adds an M1..M6 mark; a repeated observation replaces its entry and keeps the newest confirmation. */
function remember(history: MarkHistory, mark: Mark | null, keep: boolean): MarkHistory {
  if (mark === null || mark.rule === 'M0' || mark.rule === 'M7' || mark.rule === 'frozen') return history
  const earlier = history !== null && isSameSource(history.mark, mark) ? history.earlier : history
  return { mark, earlier: keep ? earlier : null }
}

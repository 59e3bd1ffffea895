import type { Decimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Mark } from '../market/mark.ts'
import type { OutcomeInput } from '../market/quote.ts'
import { type EvaluatedConstituent, evaluateConstituent } from './evaluate-constituent.ts'
import { evaluateLeg, type LegEvaluation, type LegState, NO_LEG_STATE } from './evaluate-leg.ts'
import { type LevelSums, levelSums } from './level.ts'
import type { Parameters } from './parameters.ts'
import type { Constituent, IndexVersion, Leg } from './version.ts'

/** Memory between ticks: legs by key, and excluded pool legs by constituent. */
export type EvaluationState = {
  readonly legs: ReadonlyMap<string, LegState>
  readonly pool_excluded: ReadonlyMap<string, ReadonlySet<string>>
}

export const NO_EVALUATION_STATE: EvaluationState = { legs: new Map(), pool_excluded: new Map() }

/** Admitted inputs at one cutoff. */
export type Admitted = {
  readonly cutoff: Micros
  readonly outcome: (leg: Leg) => OutcomeInput
  /** Returns the fixing mark of a leg at a fixing tick; null: none can be made. Not called at other ticks. */
  readonly fixing?: (leg: Leg) => Mark | null
  /** Memoized `evaluateLeg` without peers: a leg that many indexes read is evaluated once. */
  readonly evaluate?: (leg: Leg, state: LegState, p: Parameters) => LegEvaluation
}

export type Evaluation = {
  readonly cutoff: Micros
  readonly constituents: readonly EvaluatedConstituent[]
  readonly sums: LevelSums
  readonly fixing_failed: boolean
  readonly state: EvaluationState
}

/** Evaluates marks, outliers and normalization, and the sums of step 6 (methodology index-1 §16, steps 3 to 6). Pure. */
export function evaluateVersion(state: EvaluationState, version: IndexVersion, admitted: Admitted): Evaluation {
  const evaluations = new Map<string, LegEvaluation>()
  for (const constituent of version.constituents) evaluateLegs(constituent, state, version, admitted, evaluations)
  const fixing_failed = admitted.fixing === undefined ? false : applyFixings(version, admitted, evaluations)
  const constituents = version.constituents.map((constituent) =>
    evaluateConstituent(constituent, {
      cutoff: admitted.cutoff,
      parameters: version.methodology.parameters,
      roll: version.roll,
      evaluations,
      pool_excluded_before: state.pool_excluded.get(constituent.constituent_id) ?? new Set(),
      expectedResolution: (leg) =>
        leg.expected_resolution_at ?? admitted.outcome(leg).market?.expected_resolution_at ?? null,
    }),
  )
  const sums = levelSums(
    constituents.map((c) => ({ w: c.constituent.target_weight, x: c.x, c: c.confidence, freshness: c.freshness })),
  )
  return { cutoff: admitted.cutoff, constituents, sums, fixing_failed, state: nextState(evaluations, constituents) }
}

/**
 * Evaluates the legs of one constituent; a pending pool mark is re-evaluated with the marks that other venues' filters accepted
 * (rule b of methodology index-1 §6).
 */
function evaluateLegs(
  constituent: Constituent,
  state: EvaluationState,
  version: IndexVersion,
  admitted: Admitted,
  out: Map<string, LegEvaluation>,
): void {
  const { parameters } = version.methodology
  const stateOf = (leg: Leg) => state.legs.get(leg.key) ?? NO_LEG_STATE
  const evaluate = (leg: Leg, peers: readonly Mark[]) =>
    evaluateLeg(admitted.outcome(leg), stateOf(leg), admitted.cutoff, parameters, peers)
  const evaluateAlone = (leg: Leg) => admitted.evaluate?.(leg, stateOf(leg), parameters) ?? evaluate(leg, [])
  const first = constituent.legs.map((leg) => ({ leg, evaluation: evaluateAlone(leg) }))
  for (const { leg, evaluation } of first) {
    const peers = evaluation.pending === null ? [] : peersOf(constituent, leg, first)
    out.set(leg.key, peers.length > 0 ? evaluate(leg, peers) : evaluation)
  }
}

/** Returns the marks that other venues' filters accept for the same question at this tick; only legs of a pool share one question. */
function peersOf(
  constituent: Constituent,
  leg: Leg,
  legs: readonly { readonly leg: Leg; readonly evaluation: LegEvaluation }[],
): Mark[] {
  if (constituent.normalization !== 'logodds_pool') return []
  return legs.flatMap(({ leg: other, evaluation: { mark, pending } }) =>
    other.venue_id === leg.venue_id || mark === null || pending !== null ? [] : [mark],
  )
}

/** Replaces spot marks by fixings at a fixing tick; without a fixing the spot mark remains and the level is indicative. */
function applyFixings(version: IndexVersion, admitted: Admitted, evaluations: Map<string, LegEvaluation>): boolean {
  let failed = false
  for (const leg of version.constituents.flatMap((constituent) => constituent.legs)) {
    const spot = evaluations.get(leg.key)!
    if (spot.mark === null || spot.freshness === 'settled') continue
    const mark = admitted.fixing!(leg)
    if (mark === null) failed = true
    else evaluations.set(leg.key, { ...spot, mark, freshness: 'fresh', provisional: false })
  }
  return failed
}

function nextState(
  evaluations: ReadonlyMap<string, LegEvaluation>,
  constituents: readonly EvaluatedConstituent[],
): EvaluationState {
  return {
    legs: new Map([...evaluations].map(([key, evaluation]) => [key, evaluation.state])),
    pool_excluded: new Map(
      constituents.filter((c) => c.pool_excluded.size > 0).map((c) => [c.constituent.constituent_id, c.pool_excluded]),
    ),
  }
}

/** Returns the weight share of the constituents that satisfy `test` (weights sum to 1). */
export function weightShare(
  constituents: readonly EvaluatedConstituent[],
  zero: Decimal,
  test: (c: EvaluatedConstituent) => boolean,
): Decimal {
  return constituents.reduce((sum, c) => (test(c) ? sum.plus(c.constituent.target_weight) : sum), zero)
}

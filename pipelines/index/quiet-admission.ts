import type { Micros } from '../../primitives/instants.ts'
import type { OutcomeInput } from '../market/quote.ts'
import { evaluateLeg, type LegEvaluation, type LegState } from './evaluate-leg.ts'
import type { Parameters } from './parameters.ts'
import { isSameState, nextAgeing } from './quiet-ticks.ts'
import type { Admission } from './series.ts'

/** Last evaluation of a leg, and the instant before which the same inputs give it again; 0: not known. */
type Remembered = {
  readonly p: Parameters
  readonly input: OutcomeInput
  readonly evaluation: LegEvaluation
  readonly quiet_until: Micros
}

/**
 * Returns an admission that evaluates a leg anew only if something it reads has changed, or an age passes a limit: at every other tick
 * the evaluation before is repeated. `mark.cutoff_at` then stays that of the tick that formed the mark. One instance serves one series.
 */
export function quietAdmission(admission: Admission): Admission {
  const legs = new Map<string, Remembered>()
  return (cutoff, version) => {
    const admitted = admission(cutoff, version)
    const evaluate: typeof admitted.evaluate = (leg, state, p) => {
      const input = admitted.outcome(leg)
      const known = legs.get(leg.key)
      const is_repeated = known !== undefined && repeats(known, input, state, p)
      if (is_repeated && cutoff < known.quiet_until) return known.evaluation
      const evaluation = evaluateLeg(input, state, cutoff, p, [])
      const is_quiet = is_repeated && isSameState(state, evaluation.state)
      const quiet_until = is_quiet ? nextAgeing(evaluation.state, input, cutoff, p) : 0
      legs.set(leg.key, { p, input, evaluation, quiet_until })
      return evaluation
    }
    return { ...admitted, evaluate }
  }
}

/** Reports whether an evaluation starts where another one ended, with the same records and parameters. */
function repeats(known: Remembered, input: OutcomeInput, state: LegState, p: Parameters): boolean {
  const { quote, resolution, market, other } = known.input
  const same_records =
    quote === input.quote && resolution === input.resolution && market === input.market && other === input.other
  return same_records && known.p === p && known.evaluation.state === state
}

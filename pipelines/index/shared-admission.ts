import type { Micros } from '../../primitives/instants.ts'
import type { SettleFrom } from '../../vocabulary/index-level.ts'
import { freezeInstants } from '../market/freeze.ts'
import type { OutcomeInput } from '../market/quote.ts'
import { admitLeg, type LegData } from './admission.ts'
import { fixingMark, isFixingTick } from './admit.ts'
import { evaluateLeg, type LegEvaluation, type LegState } from './evaluate-leg.ts'
import { trimHistory } from './leg-history.ts'
import type { Parameters } from './parameters.ts'
import type { Admission } from './series.ts'
import type { Leg } from './version.ts'

type Evaluated = { readonly state: LegState; readonly p: Parameters; readonly evaluation: LegEvaluation }
type Cutoff = { readonly input: OutcomeInput; readonly evaluated: Evaluated[] }
type Sweep = { admit: (cutoff: Micros) => OutcomeInput; last: Micros; readonly cutoffs: Map<Micros, Cutoff> }

/**
 * Admission of a range of ticks for many indexes: each leg is admitted once per cutoff, and evaluated once for
 * indexes with identical memory and parameters (the same objects). One instance serves one range.
 */
export class SharedAdmission {
  readonly data: ReadonlyMap<string, LegData>
  readonly #sweeps = new Map<string, Sweep>()
  readonly #trimmed = new Map<LegState, LegState>()
  readonly #instants = new Map<string, readonly Micros[]>()

  /** @param data all records of each leg that the range can use, by key */
  constructor(data: ReadonlyMap<string, LegData>) {
    this.data = data
  }

  /** Admission of one index; its cutoffs do not decrease. */
  readonly admission: Admission = (cutoff, version) => {
    const { parameters } = version.methodology
    const admitted = {
      cutoff,
      outcome: (leg: Leg) => this.#at(leg, parameters, cutoff).input,
      evaluate: (leg: Leg, state: LegState, p: Parameters) =>
        evaluateOnce(this.#at(leg, parameters, cutoff), state, cutoff, p),
    }
    if (!isFixingTick(version, cutoff)) return admitted
    const fixing = (leg: Leg) =>
      fixingMark(this.data.get(leg.key)!, version.fixing!, cutoff, parameters.grace, parameters)
    return { ...admitted, fixing }
  }

  /** Drops the marks of a leg's state that can no longer be needed; returns the same object for the same state. */
  readonly trim = (key: string, state: LegState): LegState => {
    if (state.history === null || state.history.earlier === null) return state
    const known = this.#trimmed.get(state)
    if (known !== undefined) return known
    const history = trimHistory(state.history, this.#instantsOf(key))
    const made = history === state.history ? state : { ...state, history }
    this.#trimmed.set(state, made)
    return made
  }

  #instantsOf(key: string): readonly Micros[] {
    const known = this.#instants.get(key) ?? freezeInstants(this.data.get(key)!)
    this.#instants.set(key, known)
    return known
  }

  #at(leg: Leg, { grace, settle_from }: Parameters, cutoff: Micros): Cutoff {
    const sweep = this.#sweep(leg, grace, settle_from)
    const known = sweep.cutoffs.get(cutoff)
    if (known !== undefined) return known
    if (cutoff < sweep.last) sweep.admit = admitLeg(this.data.get(leg.key)!, grace, settle_from)
    const made: Cutoff = { input: sweep.admit(cutoff), evaluated: [] }
    sweep.last = cutoff
    sweep.cutoffs.set(cutoff, made)
    return made
  }

  #sweep(leg: Leg, grace: Micros, settle_from: SettleFrom): Sweep {
    const key = `${grace}\u001f${settle_from}\u001f${leg.key}`
    const known = this.#sweeps.get(key)
    if (known !== undefined) return known
    const made = {
      admit: admitLeg(this.data.get(leg.key)!, grace, settle_from),
      last: Number.NEGATIVE_INFINITY,
      cutoffs: new Map<Micros, Cutoff>(),
    }
    this.#sweeps.set(key, made)
    return made
  }
}

function evaluateOnce({ input, evaluated }: Cutoff, state: LegState, cutoff: Micros, p: Parameters): LegEvaluation {
  const known = evaluated.find((item) => item.state === state && item.p === p)
  if (known !== undefined) return known.evaluation
  const evaluation = evaluateLeg(input, state, cutoff, p, [])
  evaluated.push({ state, p, evaluation })
  return evaluation
}

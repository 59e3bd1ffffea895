import type { Decimal } from '../../../primitives/decimal.ts'
import { invariant } from '../../../primitives/errors.ts'
import { MICROS_PER_DAY, type Micros } from '../../../primitives/instants.ts'
import { toScaled } from '../../../primitives/scaled.ts'
import type { Mark } from '../../market/mark.ts'
import { evaluateConstituent } from '../evaluate-constituent.ts'
import type { LegEvaluation } from '../evaluate-leg.ts'
import type { Constituent, IndexVersion, Leg } from '../version.ts'
import { ConfidenceMeter } from './confidence-meter.ts'
import { type ExactInput, PlainInput, ReferenceInput } from './exact-input.ts'
import type { ExactLeg } from './exact-leg.ts'
import { Figures } from './figures.ts'
import { legCause } from './input-reason.ts'
import { type IntegerParameters, integerParameters } from './integer-parameters.ts'
import { legEvaluation } from './leg-evaluation.ts'
import { type NumeratorPath, shareOf } from './numerator.ts'
import { NONE, WEIGHT_ONE } from './units.ts'

/** Excluded pool legs by constituent, remembered from tick to tick. */
export type PoolMemory = Map<string, ReadonlySet<string>>

/** Marks of a fixing tick; null: none can be made. */
export type Fixings = ((leg: Leg) => Mark | null) | null

/**
 * One version over its legs, swept forward: the twin of `evaluateVersion`. Between two cutoffs only due legs are
 * evaluated, and only constituents of changed legs update the sums.
 */
export class Composition {
  readonly version: IndexVersion
  readonly p: IntegerParameters
  readonly weights: Float64Array
  readonly meter: ConfidenceMeter
  readonly path: NumeratorPath
  inputs: readonly ExactInput[] = []
  figures: Figures
  fixing_failed = false
  readonly #keys: readonly string[]
  /** Each leg once. */
  readonly legs: readonly ExactLeg[]
  readonly ordinals: ReadonlyMap<string, number>
  /** Per leg: the constituents that read it. Its peers are the other venues of the last of them, if that is a pool. */
  readonly #readers: readonly (readonly number[])[]
  readonly #peers: readonly (readonly number[])[]
  readonly #pools: PoolMemory
  readonly #dirty: Uint8Array
  #day = Number.NaN

  constructor(version: IndexVersion, legs: ReadonlyMap<string, ExactLeg>, pools: PoolMemory, path: NumeratorPath) {
    this.version = version
    this.p = integerParameters(version)
    this.path = path
    this.figures = new Figures(path)
    this.#pools = pools
    const { constituents } = version
    this.weights = Float64Array.from(constituents, (c) => Number(toScaled(c.target_weight.toFixed(), 10)))
    const total = this.weights.reduce((sum, w) => sum + w, 0)
    invariant(total === WEIGHT_ONE, `weights of version ${version.version} sum to ${total}, not to ${WEIGHT_ONE}`)
    this.meter = new ConfidenceMeter(
      this.weights,
      constituents.map((c) => c.legs.length),
      this.p,
    )
    this.#keys = [...new Set(constituents.flatMap((c) => c.legs.map((leg) => leg.key)))]
    this.legs = this.#keys.map((key) => legs.get(key)!)
    this.ordinals = new Map(this.#keys.map((key, i) => [key, i]))
    const reads = constituents.map((c) => c.legs.map((leg) => this.ordinals.get(leg.key)!))
    this.#readers = this.#keys.map((_, leg) => reads.flatMap((legs_read, i) => (legs_read.includes(leg) ? [i] : [])))
    this.#peers = this.#readers.map((reading, leg) =>
      peersOf(constituents[reading.at(-1)!]!, this.#keys[leg]!, this.ordinals),
    )
    this.#dirty = new Uint8Array(constituents.length).fill(1)
    for (const leg of this.legs) leg.next_at = Number.NEGATIVE_INFINITY
  }

  /** Advances everything to a cutoff, not before the previous one. */
  advance(cutoff: Micros, fixings: Fixings): void {
    this.#evaluateLegs(cutoff)
    this.fixing_failed = false
    if (fixings !== null) this.#fix(cutoff, fixings)
    else this.#refresh(cutoff)
  }

  /** Returns S by the formula, or null when nothing is usable. */
  share(): Decimal | null {
    const { used, numerator } = this.figures
    return used === 0 ? null : shareOf(numerator.value(), used)
  }

  #evaluateLegs(cutoff: Micros): void {
    let pending = false
    for (let i = 0; i < this.legs.length; i++) {
      const leg = this.legs[i]!
      if (cutoff < leg.next_at) continue
      leg.evaluate(cutoff, this.p)
      pending ||= leg.pending && this.#peers[i]!.length > 0
      for (const reader of this.#readers[i]!) this.#dirty[reader] = 1
    }
    if (pending) this.#confirmByPeers(cutoff)
  }

  /** Confirms pending marks by peers' marks, all taken before any confirmation of this tick. */
  #confirmByPeers(cutoff: Micros): void {
    const marks = this.legs.map((leg) => (leg.pending || leg.mark.rule === NONE ? [] : [leg.mark.value]))
    const near = this.#peers.map((peers) => peers.flatMap((peer) => marks[peer]!))
    this.legs.forEach((leg, i) => {
      if (leg.pending) leg.confirmByPeers(near[i]!, cutoff, this.p)
    })
  }

  /** Recomputes changed inputs; the array is replaced, so that a tick may keep the one it saw. */
  #refresh(cutoff: Micros): void {
    const day = Math.floor(cutoff / MICROS_PER_DAY)
    const first = this.inputs.length === 0
    let next: ExactInput[] | null = first ? [] : null
    this.version.constituents.forEach((constituent, i) => {
      const moves = constituent.normalization === 'constant_maturity' && day !== this.#day
      if (this.#dirty[i] === 0 && !moves) return
      this.#dirty[i] = 0
      next ??= [...this.inputs]
      if (!first) this.figures.remove(next[i]!, this.weights[i]!)
      next[i] = this.#inputOf(constituent, i, cutoff)
      this.figures.add(next[i]!, this.weights[i]!)
      this.meter.set(i, next[i]!)
    })
    this.#day = day
    if (next !== null) this.inputs = next
  }

  #inputOf(constituent: Constituent, i: number, cutoff: Micros): ExactInput {
    const { normalization, legs } = constituent
    if (normalization === 'probability_0_1' || normalization === 'inverse')
      return new PlainInput(constituent, this.#legOf(legs[0]!), this.p.outlier, cutoff)
    const evaluations = new Map(legs.map((leg) => [leg.key, legEvaluation(this.#legOf(leg), this.p.outlier)]))
    const before = this.#pools.get(constituent.constituent_id) ?? NOBODY
    const evaluated = this.#normalize(constituent, evaluations, cutoff)
    // A pool whose exclusions changed is evaluated again at the next tick, because other bounds apply.
    if (!sameSet(before, evaluated.pool_excluded)) this.#dirty[i] = 1
    return new ReferenceInput(evaluated, (leg) => legCause(this.#legOf(leg), cutoff))
  }

  #normalize(constituent: Constituent, evaluations: ReadonlyMap<string, LegEvaluation>, cutoff: Micros) {
    const id = constituent.constituent_id
    const evaluated = evaluateConstituent(constituent, {
      cutoff,
      parameters: this.version.methodology.parameters,
      roll: this.version.roll,
      evaluations,
      pool_excluded_before: this.#pools.get(id) ?? NOBODY,
      expectedResolution: (leg) =>
        leg.expected_resolution_at ?? this.#legOf(leg).phase.market?.expected_resolution_at ?? null,
    })
    if (evaluated.pool_excluded.size > 0) this.#pools.set(id, evaluated.pool_excluded)
    else this.#pools.delete(id)
    return evaluated
  }

  /** Replaces spot marks by fixings at a fixing tick; without a fixing the spot mark remains (methodology index-1 §11). */
  #fix(cutoff: Micros, fixings: NonNullable<Fixings>): void {
    const { constituents } = this.version
    const evaluations = new Map(this.#keys.map((key, i) => [key, legEvaluation(this.legs[i]!, this.p.outlier)]))
    for (const leg of constituents.flatMap((constituent) => constituent.legs)) {
      const spot = evaluations.get(leg.key)!
      if (spot.mark === null || spot.freshness === 'settled') continue
      const mark = fixings(leg)
      if (mark === null) this.fixing_failed = true
      else evaluations.set(leg.key, { ...spot, mark, freshness: 'fresh', provisional: false })
    }
    const causeOf = (leg: Leg) => legCause(this.#legOf(leg), cutoff)
    this.inputs = constituents.map((c) => new ReferenceInput(this.#normalize(c, evaluations, cutoff), causeOf))
    this.figures = new Figures(this.path)
    this.inputs.forEach((input, i) => {
      this.figures.add(input, this.weights[i]!)
      this.meter.set(i, input)
    })
    this.#dirty.fill(1)
  }

  #legOf(leg: Leg): ExactLeg {
    return this.legs[this.ordinals.get(leg.key)!]!
  }
}

/** Returns the peers of a leg; only the legs of a pool share one question. */
function peersOf(constituent: Constituent, key: string, ordinals: ReadonlyMap<string, number>): number[] {
  if (constituent.normalization !== 'logodds_pool') return []
  const own = constituent.legs.find((leg) => leg.key === key)!
  return constituent.legs.filter((leg) => leg.venue_id !== own.venue_id).map((leg) => ordinals.get(leg.key)!)
}

const NOBODY: ReadonlySet<string> = new Set()

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item))
}

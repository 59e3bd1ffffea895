import type { LegData } from '../../pipelines/index/admission.ts'
import { admissionOf } from '../../pipelines/index/admit.ts'
import { type ExactStep, exactSeries } from '../../pipelines/index/exact/exact-series.ts'
import { type Admission, indexSeries, type SeriesStep } from '../../pipelines/index/series.ts'
import { twinSeries } from '../../pipelines/index/twin.ts'
import type { IndexSpec } from '../../pipelines/index/version.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import { InvariantError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { officialSteps } from './official-steps.ts'

/** After every instant there is. */
const FAR = toMicros('2199-12-31T00:00:00Z')

export type OfficialStep = { readonly step: SeriesStep; readonly official: boolean }

/**
 * The series of an index that grows with the clock: the decimal reference goes on from where it stood, and the exact engine
 * computes the whole series over the data as it is now, so each new tick is compared with one computed from nothing.
 * The data may only grow by rows that count from after the last tick taken (known_at): then a tick never sees another past.
 */
export class LiveSeries {
  readonly #spec: IndexSpec
  readonly #links: ReadonlyMap<string, Decimal>
  readonly #steps: Iterator<OfficialStep>
  #admission: Admission = () => {
    throw new InvariantError('LiveSeries: no data yet')
  }
  #exact: ExactStep | null = null
  #taken = 0

  constructor(spec: IndexSpec, published_links: ReadonlyMap<string, Decimal>) {
    this.#spec = spec
    this.#links = published_links
    const reference = indexSeries(spec, (cutoff, version) => this.#admission(cutoff, version), {
      to: FAR,
      published_links,
    })
    const exact = { next: () => ({ done: false as const, value: this.#exact! }) }
    this.#steps = officialSteps(twinSeries(reference, exact as Iterator<ExactStep>))
  }

  /** The steps of the ticks before `to` that were not taken yet, over the data as it is now. */
  *take(data: ReadonlyMap<string, LegData>, to: Micros): Generator<OfficialStep> {
    this.#admission = admissionOf(data)
    const options = { to, published_links: this.#links }
    let place = 0
    for (const exact of exactSeries(this.#spec, (leg) => data.get(leg.key)!, options)) {
      place += 1
      if (place <= this.#taken) continue
      this.#exact = exact
      this.#taken = place
      const next = this.#steps.next()
      if (next.done !== true) yield next.value
    }
  }
}

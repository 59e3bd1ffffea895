import type { IndexSpec } from '../../pipelines/index/version.ts'
import type { Micros } from '../../primitives/instants.ts'
import { MARK_PARAMETERS } from '../marks/live-marks.ts'
import type { ReadNeeds } from './live-legs.ts'

/**
 * Returns the quotes that ticks of indexes and marks may need.
 * @param mark_step spacing of the marks' ticks; null without marks
 */
export function publicationNeeds(specs: readonly IndexSpec[], mark_step: Micros | null): Omit<ReadNeeds, 'first'> {
  const versions = specs.flatMap((spec) => spec.versions)
  const fixings = versions.flatMap(({ fixing }) => (fixing === null ? [] : [fixing]))
  const legs = versions.filter(({ fixing }) => fixing !== null).flatMap((v) => v.constituents.flatMap((c) => c.legs))
  const graces = versions.map((version) => version.methodology.parameters.grace)
  const steps = [...versions.map(({ frequency }) => frequency), ...startsOf(specs)]
  return {
    graces: [...new Set(mark_step === null ? graces : [...graces, MARK_PARAMETERS.grace])],
    fixing_span: Math.max(0, ...fixings.map(({ partitions, partition }) => partitions * partition)),
    fixing_markets: [...new Set(legs.map(({ market_id }) => market_id))],
    step: (mark_step === null ? steps : [...steps, mark_step]).reduce(commonStep, 0),
  }
}

/** Links are made at these instants, whether they are ticks or not. */
function startsOf(specs: readonly IndexSpec[]): Micros[] {
  return specs.flatMap((spec) => [spec.base_date, ...spec.versions.map(({ effective_from }) => effective_from)])
}

/** Greatest common divisor. */
function commonStep(a: number, b: number): number {
  return b === 0 ? a : commonStep(b, a % b)
}

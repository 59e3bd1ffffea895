import type { Decimal } from '../../../primitives/decimal.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { QUALITY_STATES, type QualityState } from '../../../vocabulary/index-level.ts'
import type { LastLevel, TickResult } from '../calculate.ts'
import type { ExcludedInput } from '../evaluate-constituent.ts'
import type { IndexVersion } from '../version.ts'
import type { ExactInput } from './exact-input.ts'
import type { InputReason } from './input-reason.ts'
import { STATE } from './units.ts'

/** Facts of a tick that both engines compute; each is published, or hashed with the published fields. */
export type TickFacts = Pick<
  TickResult,
  | 'tick_at'
  | 'version'
  | 'source_cutoff_at'
  | 'level'
  | 'quality_state'
  | 'coverage_ratio'
  | 'confidence'
  | 'link_factor'
  | 'missing_constituent_ids'
  | 'excluded_inputs'
  | 'input_observation_ids'
  | 'reason_codes'
>

/** Numbers of one tick, as published. */
export type TickNumbers = {
  readonly tick_at: Micros
  readonly version: IndexVersion
  readonly state: number
  /** The last level if the state is stale; null: none. */
  readonly level: LastLevel | null
  readonly coverage_ratio: string
  readonly confidence: string
  readonly link_factor: Decimal | null
  readonly fixing_failed: boolean
}

/** One tick of the exact engine. Its lists are built when first read, from inputs that never change. */
export class SeriesTick implements TickFacts {
  readonly tick_at: Micros
  readonly version: IndexVersion
  readonly source_cutoff_at: Micros | null
  readonly level: string | null
  readonly quality_state: QualityState
  readonly coverage_ratio: string
  readonly confidence: string
  readonly link_factor: Decimal | null
  readonly inputs: readonly ExactInput[]
  readonly #fixing_failed: boolean

  constructor(numbers: TickNumbers, inputs: readonly ExactInput[]) {
    this.tick_at = numbers.tick_at
    this.version = numbers.version
    this.quality_state = QUALITY_STATES[numbers.state]!
    this.level = numbers.level?.level ?? null
    this.source_cutoff_at =
      numbers.state === STATE.suspended ? numbers.tick_at : (numbers.level?.source_cutoff_at ?? null)
    this.coverage_ratio = numbers.coverage_ratio
    this.confidence = numbers.confidence
    this.link_factor = numbers.link_factor
    this.#fixing_failed = numbers.fixing_failed
    this.inputs = inputs
  }

  get missing_constituent_ids(): readonly string[] {
    return this.inputs.filter((input) => input.x === null).map((input) => input.constituent.constituent_id)
  }

  get excluded_inputs(): readonly ExcludedInput[] {
    return this.inputs.flatMap((input) => input.excluded)
  }

  get input_observation_ids(): readonly string[] {
    return [...new Set(this.inputs.flatMap((input) => input.source_ids))].sort()
  }

  /** Why inputs are missing, partial or kept out, one entry a reason. */
  get input_reasons(): readonly InputReason[] {
    return this.inputs.flatMap((input) => input.whys())
  }

  get reason_codes(): readonly string[] {
    const codes = new Set(this.inputs.flatMap((input) => input.reasons))
    if (this.#fixing_failed) codes.add('FIXING_UNAVAILABLE')
    return [...codes].sort()
  }
}

import type { LastLevel } from '../../pipelines/index/calculate.ts'
import { comparedSeries, isPriced } from '../../pipelines/index/compare-engines.ts'
import type { ExactMemory } from '../../pipelines/index/exact/chain.ts'
import { type ExactStep, exactSeries } from '../../pipelines/index/exact/exact-series.ts'
import type { LegSources } from '../../pipelines/index/exact/leg-sources.ts'
import { exactMemoryOf } from '../../pipelines/index/exact/memory-of-reference.ts'
import type { LegReader, LegWriter, MemoryRecord } from '../../pipelines/index/memory-record.ts'
import { type Admission, indexSeries, type ReferenceMemory, type SeriesStep } from '../../pipelines/index/series.ts'
import type { SharedAdmission } from '../../pipelines/index/shared-admission.ts'
import type { IndexSpec } from '../../pipelines/index/version.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { QualityState } from '../../vocabulary/index-level.ts'
import { type OfficialStep, officialSteps } from './official-steps.ts'

/** An official series up to one tick, from which both engines continue, each with its own memory. Immutable. */
export type SeriesMemory = {
  readonly reference: ReferenceMemory
  readonly exact: ExactMemory
  /** The last level of the series that was not withheld. */
  readonly last_level: LastLevel | null
  /** State at the tick. */
  readonly quality_state: QualityState
}

/** A memory as JSON; legs are places of the leg records. */
export type SeriesRecord = MemoryRecord & Pick<SeriesMemory, 'quality_state'> & { readonly published: LastLevel | null }

/** A memory as stored. */
export function seriesRecord({ reference, last_level, quality_state }: SeriesMemory, legs: LegWriter): SeriesRecord {
  return { ...legs.memory(reference), published: last_level, quality_state }
}

/**
 * A memory as it was stored.
 * @param instants every instant known to freeze a leg then, by leg
 */
export function storedMemory(
  record: SeriesRecord,
  legs: LegReader,
  instants: ReadonlyMap<string, readonly Micros[]>,
): SeriesMemory {
  const reference = legs.memory(record)
  const { published, quality_state } = record
  return { reference, exact: exactMemoryOf(reference, instants), last_level: published, quality_state }
}

/** Records that a stretch of ticks can see, the same for both engines. */
export type StretchInputs = {
  readonly admission: Admission
  readonly sources: LegSources
  /** Forgets what nothing can ask for again; all is remembered when left out. */
  readonly trim?: SharedAdmission['trim']
}

export type StretchOptions = {
  /** Exclusive end of the ticks. */
  readonly to: Micros
  readonly published_links: ReadonlyMap<string, Decimal>
}

/**
 * The ticks of an official series after a memory, each computed by both engines (methodology §16).
 * @param memory null: from the first tick on
 * @returns the memory after the last tick
 * @throws {ServiceError} INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT
 */
export function* seriesStretch(
  spec: IndexSpec,
  memory: SeriesMemory | null,
  inputs: StretchInputs,
  options: StretchOptions,
): Generator<OfficialStep, SeriesMemory | null> {
  const exact = lastOf(exactSeries(spec, inputs.sources, options, memory?.exact ?? null))
  const reference = indexSeries(spec, inputs.admission, options, memory?.reference ?? null)
  const twin = comparedSeries(reference, exact.steps, memory?.last_level ?? null)
  let last: SeriesStep | null = null
  let last_level = memory?.last_level ?? null
  for (const official of officialSteps(twin, memory?.quality_state ?? null)) {
    last = official.step
    const { result } = last
    if (isPriced(result)) last_level = { level: result.level!, source_cutoff_at: result.tick_at }
    yield official
  }
  if (last === null) return memory
  return {
    reference: trimmed(last.memory, inputs.trim),
    exact: exact.last()!.memory(),
    last_level,
    quality_state: last.result.quality_state,
  }
}

/** Passes steps through, and keeps the last one. */
function lastOf(steps: Generator<ExactStep>): { readonly steps: Iterator<ExactStep>; last(): ExactStep | null } {
  let last: ExactStep | null = null
  const next = () => {
    const given = steps.next()
    if (given.done !== true) last = given.value
    return given
  }
  return { steps: { next }, last: () => last }
}

function trimmed(memory: ReferenceMemory, trim: StretchInputs['trim']): ReferenceMemory {
  if (trim === undefined) return memory
  const legs = new Map([...memory.state.legs].map(([key, state]) => [key, trim(key, state)]))
  return { ...memory, state: { ...memory.state, legs } }
}

import type { LegData } from '../../pipelines/index/admission.ts'
import { isFixingTick, legsOf } from '../../pipelines/index/admit.ts'
import { LegSources } from '../../pipelines/index/exact/leg-sources.ts'
import { SharedAdmission } from '../../pipelines/index/shared-admission.ts'
import type { Leg } from '../../pipelines/index/version.ts'
import type { Decimal } from '../../primitives/decimal.ts'
import { isServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { ticksIn } from '../../primitives/ranges.ts'
import { dueTo } from '../index/due-to.ts'
import { watchSteps } from '../index/index-course.ts'
import type { PublishedIndex } from '../index/load-index.ts'
import { type KnownTick, type PlannedLevels, planLevels } from '../index/plan-levels.ts'
import { seriesStretch } from '../index/series-run.ts'
import type { Span } from '../pause/schedule-acts.ts'
import { type FollowedIndex, isIdle, rested } from './followed-index.ts'

/** Inputs of one stretch of ticks. */
export type LevelStretch = {
  /** Ticks due by this instant belong to the stretch. */
  readonly through: Micros
  readonly now: Micros
  readonly data: ReadonlyMap<string, LegData>
  /** Ticks that are published, by index. */
  readonly known: ReadonlyMap<string, ReadonlyMap<Micros, KnownTick>>
  readonly linksOf: (index_id: string) => ReadonlyMap<string, Decimal>
  /** Spans whose ticks are not published. */
  readonly withheld: readonly Span[]
}

export type StretchLevels = {
  readonly planned: readonly PlannedLevels[]
  /** Indexes that cannot continue, and why. */
  readonly failures: readonly { readonly index: PublishedIndex; readonly error: unknown }[]
}

/**
 * Indexes whose series continue tick by tick in this process. State that a tick needs from earlier ones is kept for each engine
 * separately; records of a leg that several indexes read are admitted and evaluated once.
 */
export class LiveLevels {
  readonly #followed = new Map<string, FollowedIndex>()

  get followed(): ReadonlyMap<string, FollowedIndex> {
    return this.#followed
  }

  /** Follows an index, in the place of what it was followed as. */
  follow(followed: FollowedIndex): void {
    this.#followed.set(followed.index.spec.index_id, followed)
  }

  forget(index_id: string): void {
    this.#followed.delete(index_id)
  }

  /** Every leg of every index. */
  legs(): Leg[] {
    return [...this.#followed.values()].flatMap(({ index }) => legsOf(index.spec))
  }

  /** Earliest instant of an upcoming tick. */
  get done_to(): Micros {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#followed.values()].map(({ done_to }) => done_to))
  }

  /** The legs of indexes that have a fixing among the ticks of a stretch. */
  fixingLegs(through: Micros): Leg[] {
    return [...this.#followed.values()].flatMap(({ index: { spec }, done_to }) =>
      hasFixing(spec, done_to, dueTo(spec, through)) ? legsOf(spec) : [],
    )
  }

  /**
   * Returns the rows of the ticks that are due by the end of a stretch. An index whose series cannot continue is reported and dropped: its
   * inputs never change, so only another version can help. The others continue.
   */
  advance(stretch: LevelStretch): StretchLevels {
    const shared = new SharedAdmission(stretch.data)
    const sources = new LegSources((leg) => stretch.data.get(leg.key)!)
    const planned: PlannedLevels[] = []
    const failures: StretchLevels['failures'][number][] = []
    for (const followed of [...this.#followed.values()]) {
      const to = dueTo(followed.index.spec, stretch.through)
      if (to <= followed.done_to) continue
      try {
        const withheld = [...stretch.withheld, ...followed.index.inactive]
        if (isIdle(followed, to, stretch.data, withheld)) this.follow(rested(followed, to))
        else planned.push(this.#advanceIndex(followed, shared, sources, stretch))
      } catch (error) {
        if (!isServiceError(error)) throw error
        failures.push({ index: followed.index, error })
        this.forget(followed.index.spec.index_id)
      }
    }
    return { planned, failures }
  }

  #advanceIndex(
    followed: FollowedIndex,
    shared: SharedAdmission,
    sources: LegSources,
    { through, now, known, linksOf, withheld }: LevelStretch,
  ): PlannedLevels {
    const { index, memory } = followed
    const { spec } = index
    const to = dueTo(spec, through)
    const links = linksOf(spec.index_id)
    const inputs = { admission: shared.admission, sources, trim: shared.trim }
    const steps = seriesStretch(spec, memory, inputs, { to, published_links: links })
    const published = new Map(known.get(spec.index_id) ?? [])
    if (followed.priced !== null) published.set(followed.priced.tick_at, followed.priced)
    const seen = { memory, priced: followed.priced }
    const watched = watchSteps(steps, (next, priced_at) => {
      seen.memory = next
      if (priced_at !== null)
        seen.priced = { tick_at: priced_at, calculated_at: published.get(priced_at)?.calculated_at ?? now }
    })
    const plan = { from: spec.base_date, now, known: published, links, clock: 'wall', withheld } as const
    const levels = planLevels(index, watched, plan)
    this.follow({ index, memory: seen.memory, priced: seen.priced, done_to: to })
    return levels
  }
}

function hasFixing({ versions }: PublishedIndex['spec'], from: Micros, to: Micros): boolean {
  return versions.some((version) => {
    if (version.fixing === null) return false
    const end = Math.min(to, version.effective_to ?? to)
    for (const tick of ticksIn({ from: Math.max(from, version.effective_from), to: end }, version.frequency))
      if (isFixingTick(version, tick)) return true
    return (
      isFixingTick(version, version.effective_from) && version.effective_from >= from && version.effective_from < to
    )
  })
}

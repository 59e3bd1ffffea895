import type { Decimal } from '../../../primitives/decimal.ts'
import { invariant } from '../../../primitives/errors.ts'
import type { Micros } from '../../../primitives/instants.ts'
import { fixingMark, isFixingTick, legsOfVersion } from '../admit.ts'
import type { LastLevel } from '../calculate.ts'
import type { LinkRecord, SeriesOptions } from '../series.ts'
import type { IndexSpec, IndexVersion, Leg } from '../version.ts'
import { Composition, type Fixings, type PoolMemory } from './composition.ts'
import { ExactLeg } from './exact-leg.ts'
import { baseLink, successorLink } from './exact-links.ts'
import { type LegMemory, rememberLeg, restoreLeg } from './leg-memory.ts'
import type { LegSource } from './leg-source.ts'
import type { LegSources } from './leg-sources.ts'
import { LevelRounder } from './level-rounder.ts'
import { type NumeratorPath, numeratorPath } from './numerator.ts'
import { isPriced } from './quality.ts'
import { type QuoteFeed, rowAt } from './quote-feed.ts'
import { markReach, memoryReach } from './reach.ts'

/** Memory of the exact engine after one tick of a series. Immutable. */
export type ExactMemory = {
  readonly tick_at: Micros
  readonly index_version_id: string
  readonly k: Decimal | null
  readonly k_first: Decimal | null
  readonly last_level: LastLevel | null
  readonly legs: ReadonlyMap<string, LegMemory>
  readonly pools: ReadonlyMap<string, ReadonlySet<string>>
}

export type ExactOptions = SeriesOptions & {
  /** A correction's unbounded grace; else each version's own. */
  readonly grace_override?: Micros
  /** Representation of the sums; by default the cheapest way that is proven exact for the data. */
  readonly path?: NumeratorPath
}

/** State carried from tick to tick and from version to version: legs with their memories, pools, K. */
export class Chain {
  readonly spec: IndexSpec
  readonly options: ExactOptions
  readonly path: NumeratorPath
  k: Decimal | null = null
  /** Rounder for K; null while K is. */
  rounder: LevelRounder | null = null
  #k_first: Decimal | null = null
  readonly sources: LegSources
  readonly #filtering: boolean
  #legs = new Map<string, ExactLeg>()
  #pools: PoolMemory = new Map()
  #previous: IndexVersion | null = null

  /** @param resume continues after a memory's tick; null: starts at the first tick */
  constructor(spec: IndexSpec, sources: LegSources, options: ExactOptions, resume: ExactMemory | null = null) {
    this.spec = spec
    this.sources = sources
    this.options = options
    this.#filtering = spec.versions.some((version) => version.methodology.parameters.outlier.enabled)
    this.path = options.path ?? numeratorPath(Math.max(markReach(spec, sources), memoryReach(resume)))
    if (resume !== null) this.#restore(resume)
  }

  /** Returns the memory after a tick of a version. */
  memory(tick_at: Micros, index_version_id: string, last_level: LastLevel | null): ExactMemory {
    const legs = new Map([...this.#legs].map(([key, leg]) => [key, rememberLeg(leg)]))
    return {
      tick_at,
      index_version_id,
      k: this.k,
      k_first: this.#k_first,
      last_level,
      legs,
      pools: new Map(this.#pools),
    }
  }

  /** Returns the newest admitted records of the current legs: own and of the other outcome; null: none. */
  newest(): readonly (readonly [leg: string, own: string | null, other: string | null])[] {
    return [...this.#legs].map(([key, { source, own_ordinal, other_ordinal }]) => [
      key,
      recordAt(source.own, own_ordinal),
      recordAt(source.other, other_ordinal),
    ])
  }

  #restore(memory: ExactMemory): void {
    if (memory.k_first !== null) this.#setFactor(memory.k_first)
    if (memory.k !== null) this.#setFactor(memory.k)
    const version = this.spec.versions.find(({ index_version_id }) => index_version_id === memory.index_version_id)
    invariant(version !== undefined, `the index has no version ${memory.index_version_id} to continue in`)
    this.#previous = version
    this.#pools = new Map(memory.pools)
    for (const leg of legsOfVersion(version)) {
      const known = memory.legs.get(leg.key)
      if (known === undefined) continue
      const source = this.#sourceOf(leg, version)
      this.#legs.set(leg.key, restoreLeg(source, this.#filtering, known, memory.tick_at))
    }
  }

  /** Returns the link at a version's start: the base of the first one, else K carried over; null if the base waits for data. */
  open(version: IndexVersion): LinkRecord | null {
    const link = this.k === null ? this.#firstLink(version) : this.#nextLink(version)
    if (link !== null) this.#setFactor(link.link_factor)
    this.#previous = version
    return link
  }

  /** Sets the base at the first priced tick. */
  base(version: IndexVersion, s: Decimal | null, at: Micros): LinkRecord {
    const link = baseLink(this.spec, version, s, at, this.options)
    this.#setFactor(link.link_factor)
    return link
  }

  /** Starts the composition of a version; forgets legs that it does not read and pools that it does not have. */
  begin(version: IndexVersion): Composition {
    this.#legs = this.#beginLegs(version)
    const pools = version.constituents.filter((c) => c.normalization === 'logodds_pool')
    const ids = new Set<string>(pools.map((c) => c.constituent_id))
    this.#pools = new Map([...this.#pools].filter(([id]) => ids.has(id)))
    return new Composition(version, this.#legs, this.#pools, this.path)
  }

  /** Returns the fixing marks of a tick; null if the version has no fixing then. */
  fixings(version: IndexVersion, cutoff: Micros): Fixings {
    if (!isFixingTick(version, cutoff)) return null
    const { parameters } = version.methodology
    const grace = this.#grace(version)
    return (leg) => fixingMark(this.sources.dataOf(leg), version.fixing!, cutoff, grace, parameters)
  }

  #firstLink(version: IndexVersion): LinkRecord | null {
    const at = this.#previous === null ? this.spec.base_date : version.effective_from
    const base = this.#look(version, version, at)
    const gauge = version.methodology.parameters.mode === 'gauge'
    if (!gauge && !isPriced(base.figures, base.p)) return null
    return baseLink(this.spec, version, base.share(), at, this.options)
  }

  #nextLink(version: IndexVersion): LinkRecord {
    const at = version.effective_from
    const s_old = this.#look(this.#previous!, version, at).share()
    const s_new = this.#look(version, version, at).share()
    return successorLink(version, { k: this.k!, k_first: this.#k_first! }, s_old, s_new, this.options)
  }

  /** Evaluates a composition at an instant under a version's admission, without changing any memory. */
  #look(composition: IndexVersion, admission: IndexVersion, at: Micros): Composition {
    const legs = legsOfVersion(composition)
    const copies = new Map(legs.map((leg) => [leg.key, this.#legFor(leg, admission, true)]))
    const seen = new Composition(composition, copies, new Map(this.#pools), this.path)
    seen.advance(at, this.fixings(admission, at))
    return seen
  }

  #beginLegs(version: IndexVersion): Map<string, ExactLeg> {
    const legs = legsOfVersion(version)
    return new Map(legs.map((leg) => [leg.key, this.#legFor(leg, version, false)]))
  }

  #legFor(leg: Leg, admission: IndexVersion, copy: boolean): ExactLeg {
    const source = this.#sourceOf(leg, admission)
    const known = this.#legs.get(leg.key)
    if (known === undefined) return new ExactLeg(source, this.#filtering)
    return copy || known.source !== source ? known.fork(source) : known
  }

  #sourceOf(leg: Leg, version: IndexVersion): LegSource {
    return this.sources.sourceOf(leg, this.#grace(version), version.methodology.parameters.settle_from)
  }

  #grace(version: IndexVersion): Micros {
    return this.options.grace_override ?? version.methodology.parameters.grace
  }

  #setFactor(k: Decimal): void {
    this.k = k
    this.#k_first ??= k
    this.rounder = new LevelRounder(k)
  }
}

function recordAt(feed: QuoteFeed | null, ordinal: number): string | null {
  return feed === null || ordinal < 0 ? null : feed.columns.recordId(rowAt(feed, ordinal))
}

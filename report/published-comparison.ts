import type { PublishedLevel } from '../operations/replay/published-levels.ts'
import type { ReplayLine } from '../operations/replay/replay-index.ts'
import { formatBasisPoints } from '../pipelines/index/correction.ts'
import type { Instant } from '../primitives/instants.ts'

/**
 * Result of comparing a published tick with its replay: `equal` level and state; `corrected` the replay equals an earlier revision, because
 * the current one admitted late data; `differs` no revision is equal; `not_replayed` the replay lacks the tick.
 */
export type Verdict = 'equal' | 'corrected' | 'differs' | 'not_replayed'

export type ComparedLevel = {
  readonly tick_at: Instant
  readonly published: PublishedLevel
  readonly replayed: Pick<ReplayLine, 'level' | 'quality_state'> | null
  readonly verdict: Exclude<Verdict, 'equal'>
  /** The revision that the replay equals; null: none. */
  readonly equal_revision: number | null
  readonly basis_points: string | null
}

export type PublishedComparison = {
  readonly published: number
  readonly counts: Readonly<Record<Verdict, number>>
  /** The first ticks that are not equal. */
  readonly rows: readonly ComparedLevel[]
}

/** Returns the listed ticks whose replay equals no revision. */
export function differingTicks({ rows }: PublishedComparison): Instant[] {
  return rows.flatMap(({ tick_at, verdict }) => (verdict === 'differs' ? [tick_at] : []))
}

/** More rows than this help nobody; all are counted. */
const ROWS_MAX = 500

/** Compares a replay with the official levels while it runs. */
export class PublishedComparator {
  readonly #published: ReadonlyMap<Instant, PublishedLevel>
  readonly #revisions: ReadonlyMap<Instant, readonly PublishedLevel[]>
  readonly #counts: Record<Verdict, number> = { equal: 0, corrected: 0, differs: 0, not_replayed: 0 }
  readonly #rows: ComparedLevel[] = []
  readonly #seen = new Set<Instant>()

  constructor(published: ReadonlyMap<Instant, PublishedLevel>, revisions: readonly PublishedLevel[]) {
    this.#published = published
    this.#revisions = byTick(revisions)
  }

  /** The published level of the tick where it is another than the line's. */
  add(line: ReplayLine): PublishedLevel | null {
    const published = this.#published.get(line.tick_at)
    if (published === undefined) return null
    this.#seen.add(line.tick_at)
    if (isEqual(published, line)) {
      this.#counts.equal += 1
      return null
    }
    const equal = this.#revisions.get(line.tick_at)?.find((revision) => isEqual(revision, line))
    this.#note(published, line, equal === undefined ? 'differs' : 'corrected', equal?.revision ?? null)
    return published.level === line.level ? null : published
  }

  result(): PublishedComparison {
    for (const [tick_at, published] of this.#published)
      if (!this.#seen.has(tick_at)) this.#note(published, null, 'not_replayed', null)
    return { published: this.#published.size, counts: this.#counts, rows: this.#rows }
  }

  #note(published: PublishedLevel, line: ReplayLine | null, verdict: ComparedLevel['verdict'], equal: number | null) {
    this.#counts[verdict] += 1
    if (this.#rows.length >= ROWS_MAX) return
    this.#rows.push({
      tick_at: published.tick_at,
      published,
      replayed: line,
      verdict,
      equal_revision: equal,
      basis_points: formatBasisPoints(published.level, line?.level ?? null),
    })
  }
}

function byTick(revisions: readonly PublishedLevel[]): Map<Instant, PublishedLevel[]> {
  const ticks = new Map<Instant, PublishedLevel[]>()
  for (const revision of revisions) ticks.set(revision.tick_at, [...(ticks.get(revision.tick_at) ?? []), revision])
  return ticks
}

/** `corrected` is a label of later revisions; the state beneath it is what a replay computes. */
function isEqual(published: PublishedLevel, line: ReplayLine): boolean {
  return published.level === line.level && published.underlying_quality_state === line.quality_state
}

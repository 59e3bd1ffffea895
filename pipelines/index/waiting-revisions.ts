import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'

/** Revision of a level, as far as its publication depends on others. */
type Planned = {
  readonly observation: {
    readonly tick_at: Instant
    readonly level: string | null
    readonly source_cutoff_at: Instant | null
  }
  readonly revision: { readonly restatement: string | null }
}

/** Returns the published level of a tick; null: it has none. */
type PublishedLevel = (tick: Micros) => string | null

/**
 * Splits the revisions of a governed index, in the order of their ticks, into those that are due and those that wait for a vote. A
 * stale tick shows the level of an earlier one, so it waits with it: its record would state a level that nobody can find.
 */
export function splitRevisions<P extends Planned>(
  planned: readonly P[],
  publishedLevel: PublishedLevel,
): { readonly due: readonly P[]; readonly waiting: readonly P[] } {
  const [due, waiting]: [P[], P[]] = [[], []]
  const levels: Levels = new Map()
  for (const one of planned) {
    const { observation, revision } = one
    if (revision.restatement === 'committee' || unseenSource(observation, levels, publishedLevel) !== null) {
      waiting.push(one)
      continue
    }
    due.push(one)
    levels.set(toMicros(observation.tick_at), observation.level)
  }
  return { due, waiting }
}

/**
 * Returns the first of some revisions that shows a level which is neither published nor among them, with the tick of that level.
 * @returns null: there is none
 */
export function unseenTick(
  planned: readonly Planned[],
  publishedLevel: PublishedLevel,
): { readonly tick_at: Instant; readonly source: Micros } | null {
  const levels: Levels = new Map(planned.map(({ observation: of }) => [toMicros(of.tick_at), of.level]))
  for (const { observation } of planned) {
    const source = unseenSource(observation, levels, publishedLevel)
    if (source !== null) return { tick_at: observation.tick_at, source }
  }
  return null
}

type Levels = Map<Micros, string | null>

/** Returns the earlier tick whose level a record shows, if that tick has another one; null: it has its own level, or a known one. */
function unseenSource(
  { level, source_cutoff_at, tick_at }: Planned['observation'],
  levels: Levels,
  publishedLevel: PublishedLevel,
): Micros | null {
  if (level === null || source_cutoff_at === null || source_cutoff_at === tick_at) return null
  const source = toMicros(source_cutoff_at)
  const shown = levels.has(source) ? levels.get(source) : publishedLevel(source)
  return shown === level ? null : source
}

import type { Micros } from '../../../primitives/instants.ts'
import type { IndexSpec, IndexVersion } from '../../index/version.ts'
import { linkedOrNull } from './compare-versions.ts'
import type { ImpactDocument } from './impact-document.ts'
import type { LevelColumns } from './level-columns.ts'
import { effectOf } from './marginal-effect.ts'
import { singleChanges } from './single-changes.ts'

/** One change with the difference that it makes alone. */
export type ChangeAlone = ImpactDocument['changes'][number]

/** A version of a definition, and what rules in its place in the other one. */
type VersionPlace = { readonly before: IndexVersion; readonly after: IndexVersion }

/** Levels of a definition, and a way to replay it with some changes. */
type LevelSource = {
  readonly levels: LevelColumns
  /** Levels with all changes: a single change needs no replay of its own; null: not computed. */
  readonly changed_levels: LevelColumns | null
  readonly levelsOf: (spec: IndexSpec) => LevelColumns
}

/**
 * Pairs the versions of a definition with those that rule in their place in another.
 * @returns ascending; null: one begins where the other continues, so that no version corresponds to it
 */
export function pairVersions(before: IndexSpec, after: IndexSpec): readonly VersionPlace[] | null {
  const starts = new Set(after.versions.map(({ effective_from }) => effective_from))
  const first = after.versions[0]?.effective_from ?? 0
  if (before.versions.some(({ effective_from: at }) => at > first && !starts.has(at))) return null
  const pairs = after.versions.map((version) => ({ before: rulingAt(before, version.effective_from), after: version }))
  return pairs.every((pair): pair is VersionPlace => pair.before !== undefined) ? pairs : null
}

function rulingAt({ versions }: IndexSpec, at: Micros): IndexVersion | undefined {
  return versions.findLast(({ effective_from }) => effective_from <= at)
}

/**
 * Returns the changes that lead from a definition to another, each with the difference that it makes alone: to every version that it
 * concerns, linked where the other definition links it.
 */
export function changesAlone(
  before: IndexSpec,
  pairs: readonly VersionPlace[],
  source: LevelSource,
): readonly ChangeAlone[] {
  const places = pairs.map((pair) => ({ ...pair, changes: singleChanges(pair.before, pair.after) }))
  const keys = [...new Set(places.flatMap(({ changes }) => changes.map(keyOf)))]
  return keys.map((key) => {
    const found = places.flatMap(({ changes }) => changes.find((change) => keyOf(change) === key) ?? [])
    const { kind, name } = found[0]!
    const change = { kind, name, before: joined(found, 'before'), after: joined(found, 'after') }
    // A change that is the only one has the effect of the whole.
    if (keys.length === 1 && source.changed_levels !== null)
      return { ...change, effect: effectOf(source.levels, source.changed_levels) }
    if (found.some(({ version }) => version === null)) return { ...change, effect: null }
    const spec = specWith(before, places, key)
    return { ...change, effect: linkedOrNull(() => effectOf(source.levels, source.levelsOf(spec))) }
  })
}

type Change = ReturnType<typeof singleChanges>[number]

function keyOf({ kind, name }: Change): string {
  return `${kind} ${name}`
}

function joined(found: readonly Change[], side: 'before' | 'after'): string | null {
  const texts = [...new Set(found.flatMap((change) => change[side] ?? []))]
  return texts.length === 0 ? null : texts.join(', then ')
}

/** Returns a definition with one change, in the periods of the other definition. */
function specWith(
  before: IndexSpec,
  places: readonly (VersionPlace & { readonly changes: readonly Change[] })[],
  key: string,
): IndexSpec {
  const versions: IndexVersion[] = []
  let continued: IndexVersion | null = null
  for (const { before: base, after, changes } of places) {
    const { effective_from, effective_to } = after
    const changed = changes.find((change) => keyOf(change) === key)?.version ?? null
    // A version that continues over a boundary of the other definition is not linked to itself.
    if (changed === null && continued === base) versions[versions.length - 1] = { ...versions.at(-1)!, effective_to }
    else versions.push({ ...(changed ?? base), effective_from, effective_to })
    continued = changed === null ? base : null
  }
  return { ...before, versions }
}

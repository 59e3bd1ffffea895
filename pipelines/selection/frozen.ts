import { canonicalJson } from '../../primitives/canonical-json.ts'
import { toMicros } from '../../primitives/instants.ts'

type Composed = {
  readonly effective_from: string
  readonly published_at: string
  readonly is_governed: boolean
  /** Definition and weights, by `compositionText`. */
  readonly composition: string
}

/** Composition that was announced: nothing else may begin in its place. */
export type FrozenComposition = Composed & { readonly pro_forma_id: string }

/** Version as published. */
export type PublishedComposition = Composed & { readonly index_version_id: string; readonly version: string }

type Weighted = { readonly constituent_id: unknown; readonly target_weight: unknown }

/** Returns the text by which an announced composition and a version are compared. @param definition with its constituents */
export function compositionText(definition: unknown, constituents: readonly Weighted[]): string {
  const weights = constituents.map((one) => [String(one.constituent_id), String(one.target_weight)] as const)
  return canonicalJson({ definition, weights: weights.sort(([a], [b]) => (a < b ? -1 : 1)) })
}

/** Announced composition with the version that was published in its place. */
type Replacement = { readonly frozen: FrozenComposition; readonly by: PublishedComposition }

/**
 * Returns each announced composition in whose place another version was published: from the same instant, or from a later one while
 * it still awaited its own. Governed ones are left out: members may approve another version.
 * @param versions all of one index
 */
export function replacements(
  announced: readonly FrozenComposition[],
  versions: readonly PublishedComposition[],
): readonly Replacement[] {
  return announced.flatMap((frozen) => {
    if (frozen.is_governed || isPublishedIn(versions, frozen)) return []
    const by = versions.find((version) => takesPlaceOf(version, frozen))
    return by === undefined ? [] : [{ frozen, by }]
  })
}

function takesPlaceOf(version: PublishedComposition, frozen: FrozenComposition): boolean {
  const [from, start] = [toMicros(version.effective_from), toMicros(frozen.effective_from)]
  const published = toMicros(version.published_at)
  if (version.is_governed || published < toMicros(frozen.published_at)) return false
  return from === start || (from > start && published < start)
}

function isPublishedIn(versions: readonly Composed[], { effective_from, composition }: FrozenComposition): boolean {
  const start = toMicros(effective_from)
  return versions.some((one) => toMicros(one.effective_from) === start && one.composition === composition)
}

/**
 * Returns the announced composition that is to be published next; null: none is.
 * @param last_tick tick of the last published level; null: none is. A composition is not published behind levels
 */
export function awaitedComposition(
  announced: readonly FrozenComposition[],
  versions: readonly Composed[],
  last_tick: string | null,
): FrozenComposition | null {
  const passed = [...versions.map(({ effective_from }) => effective_from), ...(last_tick === null ? [] : [last_tick])]
  const newest = passed.reduce((last, at) => Math.max(last, toMicros(at)), Number.NEGATIVE_INFINITY)
  const open = announced.filter(({ is_governed, effective_from }) => !is_governed && toMicros(effective_from) > newest)
  return open.reduce<FrozenComposition | null>(
    (first, one) => (first === null || toMicros(one.effective_from) < toMicros(first.effective_from) ? one : first),
    null,
  )
}

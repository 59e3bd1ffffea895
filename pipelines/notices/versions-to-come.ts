import { type Instant, type Micros, microsOf, toMicros } from '../../primitives/instants.ts'
import { ENACTED_STATES, type ProposalKind, type ProposalState } from '../../vocabulary/governance.ts'
import { indexVersionId } from '../index/definition.ts'
import type { FixingVersion } from './fixings.ts'

/** Proposal, as far as the versions that it announces need it. */
type AnnouncingProposal = {
  readonly kind: ProposalKind
  readonly target: string
  readonly state: ProposalState
  /** RFC 8785 text. */
  readonly content: string
  readonly published_at: Instant
}

/** Announced composition of an index; its version is published when its schedule says so. */
export type AnnouncedComposition = {
  readonly index_version_id: string
  readonly index_id: string
  readonly version: string
  readonly effective_from: Instant
  /** Version that it follows; null: it is the first. */
  readonly base_version_id: string | null
  /** JSON of the version, as a definition file writes it. */
  readonly definition: string
  readonly published_at: Instant
}

/** Fields of a version that decide its fixings. */
type VersionTerms = { readonly calculation_frequency: string; readonly fixing?: { readonly at: string } }

/**
 * Returns the versions that were announced and are not published: those of approved proposals, and the compositions that the schedule of
 * an index without governance publishes. A composition of a governed index waits for its proposal.
 */
export function versionsToCome(
  published: readonly FixingVersion[],
  proposals: readonly AnnouncingProposal[],
  compositions: readonly AnnouncedComposition[],
): readonly FixingVersion[] {
  const known = new Set(published.map(({ index_version_id }) => index_version_id))
  const governed = new Set(proposals.filter(makesGoverned).map(({ target }) => target))
  const newest = newestOf(published)
  const approved = proposals.filter(({ kind, state }) => kind === 'index_version' && state === 'queued')
  const scheduled = compositions.filter(
    ({ index_id, base_version_id }) =>
      !governed.has(index_id) && base_version_id === (newest.get(index_id)?.index_version_id ?? null),
  )
  const to_come = [...approved.map(proposedVersion), ...scheduled.map(scheduledVersion)]
  // Two proposals of one version can both wait: the first that takes effect ends the other.
  const by_start = new Map(to_come.map((one) => [`${one.index_version_id} ${one.effective_from}`, one]))
  return [...by_start.values()].filter(({ index_version_id }) => !known.has(index_version_id))
}

/**
 * Returns versions whose intervals end where a version to come begins.
 * @param to_come versions that were announced
 */
export function endedBy(
  versions: readonly FixingVersion[],
  to_come: readonly FixingVersion[],
): readonly FixingVersion[] {
  return versions.map((version) => {
    const ends = [microsOf(version.effective_to), ...to_come.map((next) => startAfter(version, next))]
    const [first] = ends.filter((at): at is Micros => at !== null).sort((a, b) => a - b)
    const next = to_come.find((one) => startAfter(version, one) === first)
    return first === undefined || next === undefined ? version : { ...version, effective_to: next.effective_from }
  })
}

function startAfter(version: FixingVersion, next: FixingVersion): Micros | null {
  const start = toMicros(next.effective_from)
  return next.index_id === version.index_id && start > toMicros(version.effective_from) ? start : null
}

function makesGoverned({ kind, state }: AnnouncingProposal): boolean {
  const decides_versions = kind === 'index_version' || kind === 'index_adoption'
  return decides_versions && ENACTED_STATES.includes(state)
}

function newestOf(versions: readonly FixingVersion[]): ReadonlyMap<string, FixingVersion> {
  const newest = new Map<string, FixingVersion>()
  for (const version of versions) {
    const before = newest.get(version.index_id)
    if (before === undefined || toMicros(before.effective_from) <= toMicros(version.effective_from))
      newest.set(version.index_id, version)
  }
  return newest
}

function proposedVersion({ target, content, published_at }: AnnouncingProposal): FixingVersion {
  const { version, effective_from, definition } = JSON.parse(content) as {
    readonly version: string
    readonly effective_from: Instant
    readonly definition: VersionTerms
  }
  const named = { index_version_id: indexVersionId(target, version), index_id: target, version }
  return { ...named, effective_from, ...termsOf(definition), published_at }
}

function scheduledVersion({ definition, base_version_id: _compared, ...row }: AnnouncedComposition): FixingVersion {
  return { ...row, ...termsOf(JSON.parse(definition) as VersionTerms) }
}

function termsOf({ calculation_frequency, fixing }: VersionTerms) {
  return { calculation_frequency, fixing_at: fixing?.at ?? null, effective_to: null }
}

import { isObject } from '../../primitives/canonical-json.ts'
import type { ProposalKind } from '../../vocabulary/governance.ts'
import { recordHash } from './documents.ts'
import { proposalOfHash, targetOf } from './index-change.ts'
import type { Change, GovernanceState } from './proposal.ts'

type Content = Change['content']

/** Returns the methodology that a version of an index or an adoption carries, if it is one of an id; null: another, or none. */
function carriedMethodology({ methodology }: Content, methodology_id: string): Content | null {
  return isObject(methodology) && methodology.methodology_id === methodology_id ? (methodology as Content) : null
}

/**
 * Returns the newest version of a methodology that acts put in force: by a proposal of its own, or with the version of an index that
 * carries it. A later version of an index that names an older one publishes nothing new.
 */
function newestMethodology({ enacted, proposals }: GovernanceState, methodology_id: string): Content | null {
  const by_version = new Map<unknown, Content>()
  for (const id of enacted) {
    const { kind, target, content } = proposals.get(id)!
    const found =
      kind === 'methodology' && target === methodology_id ? content : carriedMethodology(content, methodology_id)
    if (found !== null && !by_version.has(found.version)) by_version.set(found.version, found)
  }
  return [...by_version.values()].at(-1) ?? null
}

/** Returns the hash of the record that a change replaces; null: there is none. */
export function baseHashOf(state: GovernanceState, { kind, content }: Pick<Change, 'kind' | 'content'>): string | null {
  const target = targetOf(kind, content)
  const newest = kind === 'methodology' ? newestMethodology(state, target) : null
  return newest === null ? (state.heads.get(target) ?? null) : recordHash(newest)
}

/**
 * Reports whether a change may name a base. Earlier releases knew a methodology by its own proposals alone, and named none for one that
 * the version of an index had published: their acts are decided again as they were.
 */
export function isBaseOf(
  state: GovernanceState,
  { kind, target }: { readonly kind: ProposalKind; readonly target: string },
  base_hash: string | null,
): boolean {
  if (base_hash === (state.heads.get(target) ?? null)) return true
  const newest = kind === 'methodology' ? newestMethodology(state, target) : null
  return newest !== null && base_hash === recordHash(newest)
}

/** Returns the content of a record by its hash; null: acts put no such content in force. */
export function contentOfHash(state: GovernanceState, target: string, hash: string | null): Content | null {
  const proposed = proposalOfHash(state, target, hash)
  if (proposed !== null) return proposed.content
  const enacted = state.enacted.map((id) => state.proposals.get(id)!)
  return carriedWithHash(enacted, target, hash)
}

/** Returns a methodology that versions of indexes carry, by its hash; null: none of them does. */
export function carriedWithHash(
  changes: readonly { readonly content: Content }[],
  methodology_id: string,
  hash: string | null,
): Content | null {
  const carried = changes
    .map(({ content }) => carriedMethodology(content, methodology_id))
    .filter((one) => one !== null)
  return carried.find((content) => recordHash(content) === hash) ?? null
}

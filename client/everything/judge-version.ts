import { lapsedOver } from '../../pipelines/governance/lapse.ts'
import { noticeAfterApproval } from '../../pipelines/governance/policy.ts'
import type { GovernanceState, Proposal } from '../../pipelines/governance/proposal.ts'
import { canonicalJson, isObject } from '../../primitives/canonical-json.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReplayedGovernance } from './replay-acts.ts'

/** Version of an index with what it states about its approval. */
export type StatedVersion = {
  readonly index_id: string
  readonly index_version_id: string
  readonly version: string
  readonly published_at: string
  /** `none`: one person applied it; absent: the service does not say. */
  readonly governance?: string | null
  readonly proposal_id?: string | null
  readonly approved_at: string | null
  readonly announced_at?: string | null
  readonly effective_at?: string | null
  /** Definition with its constituents. */
  readonly definition: Readonly<Record<string, unknown>>
}

/** Judgement of a version; null: it stands. `unknown`: the service does not say who decided it. */
type VersionVerdict = {
  readonly kind: 'unknown' | 'ungoverned' | 'governed'
  readonly approved: string | null
  readonly announced: string | null
}

/**
 * Judges whether a version was approved, and announced in time, before its first use.
 * @param first_use  publication of the first level under it; null: none
 */
export function judgeVersion(
  version: StatedVersion,
  governance: ReplayedGovernance,
  first_use: Micros | null,
): VersionVerdict {
  const { governance: mark, proposal_id = null } = version
  if (mark === undefined || mark === null) return { kind: 'unknown', approved: null, announced: null }
  if (mark === 'none') return { kind: 'ungoverned', approved: governedBefore(version, governance), announced: null }
  const proposal = proposal_id === null ? undefined : governance.state.proposals.get(proposal_id)
  if (proposal === undefined) {
    const approved = `proposal_id is ${proposal_id ?? 'none'}, and the acts have no such proposal`
    return { kind: 'governed', approved, announced: null }
  }
  const approved =
    notProposed(version, proposal) ??
    notReturned(version, proposal, governance, first_use) ??
    notApproved(version, proposal, governance, first_use)
  return { kind: 'governed', approved, announced: notAnnounced(version, proposal, governance, first_use) }
}

/** An index that is governed never goes back. */
function governedBefore({ index_id, published_at }: StatedVersion, { state, recordedAt }: ReplayedGovernance) {
  const at = toMicros(published_at)
  const earlier = proposalsOf(state, index_id).find(({ proposal_id }) => {
    const activated = recordedAt(proposal_id, 'activate')
    return activated !== null && activated < at
  })
  return earlier === undefined
    ? null
    : `one person applied it, after ${earlier.proposal_id} had put the index under governance`
}

function proposalsOf({ proposals }: GovernanceState, index_id: string): Proposal[] {
  return [...proposals.values()].filter(({ target }) => target === index_id)
}

/** Parts of a definition that name it: a version that returns after an emergency has its base with others. */
const NAMING = ['version', 'effective_from', 'change_summary']

function notProposed(
  { index_id, definition }: StatedVersion,
  { target, content, proposal_id }: Proposal,
): string | null {
  if (target !== index_id) return `${proposal_id} is about ${target}`
  const proposed = isObject(content.definition) ? content.definition : {}
  const fields = [...new Set([...Object.keys(definition), ...Object.keys(proposed)])].filter(
    (field) => !NAMING.includes(field),
  )
  const differing = fields.find((field) => partText(definition[field] ?? null) !== partText(proposed[field] ?? null))
  return differing === undefined ? null : `${differing} is not as ${proposal_id} proposed it`
}

/** A version under another name than proposed returns after an emergency that lapsed over it, before its first level. */
function notReturned(
  { version }: StatedVersion,
  proposal: Proposal,
  { state, recordedAt }: ReplayedGovernance,
  first_use: Micros | null,
): string | null {
  const { definition } = proposal.content
  const proposed = isObject(definition) ? definition.version : null
  if (version === proposed) return null
  const lapsed = lapsedOver(state, proposal).map(({ proposal_id }) => recordedAt(proposal_id, 'lapse'))
  if (lapsed.some((at) => at !== null && (first_use === null || at <= first_use))) return null
  return `its name is ${version}, and no emergency lapsed over ${proposal.proposal_id}, which proposed ${proposed}`
}

/** Returns a part of a definition as text. Constituents are served by their ids, and proposed in any order. */
function partText(part: unknown): string {
  if (!Array.isArray(part) || !part.every((item) => isObject(item) && 'constituent_id' in item))
    return canonicalJson(part)
  const by_id = (part as readonly { readonly constituent_id: unknown }[]).map(
    (item) => [String(item.constituent_id), canonicalJson(item)] as const,
  )
  return canonicalJson(by_id.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function notApproved(
  version: StatedVersion,
  { proposal_id }: Proposal,
  { recordedAt }: ReplayedGovernance,
  first_use: Micros | null,
): string | null {
  const [approved, activated] = [recordedAt(proposal_id, 'approve'), recordedAt(proposal_id, 'activate')]
  if (approved === null) return `${proposal_id} was never approved`
  if (activated === null) return `${proposal_id} never took effect`
  if (version.approved_at !== formatMicros(approved))
    return `approved_at is ${version.approved_at ?? 'none'}; the acts say ${formatMicros(approved)}`
  return late('approved', approved, first_use) ?? late('put in force', activated, first_use)
}

function notAnnounced(
  version: StatedVersion,
  { proposal_id, effective_at, rule, change_class }: Proposal,
  { recordedAt }: ReplayedGovernance,
  first_use: Micros | null,
): string | null {
  const queued = recordedAt(proposal_id, 'queue')
  if (queued === null || effective_at === null) return `${proposal_id} was never announced`
  const [stated, ends] = [version.announced_at ?? 'none', version.effective_at ?? 'none']
  if (stated !== formatMicros(queued)) return `announced_at is ${stated}; the acts say ${formatMicros(queued)}`
  if (ends !== formatMicros(effective_at)) return `effective_at is ${ends}; the acts say ${formatMicros(effective_at)}`
  const notice = noticeAfterApproval({ rule, change_class })
  if (effective_at < queued + notice)
    return `its notice of ${rule!.notice} ended before ${formatMicros(queued + notice)}`
  return late('announced', queued, first_use) ?? late('in effect', effective_at, first_use)
}

function late(what: string, at: Micros, first_use: Micros | null): string | null {
  if (first_use === null || at <= first_use) return null
  return `it was ${what} at ${formatMicros(at)}, after its first level of ${formatMicros(first_use)}`
}

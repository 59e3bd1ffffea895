import {
  type ApprovedRevision,
  approvedRevisions,
  faultOfRevision,
  isLate,
  needsVote,
  type PublishedRevision,
  restatedLevels,
} from '../../pipelines/governance/late-revision.ts'
import type { Parameters } from '../../pipelines/index/parameters.ts'
import { methodologyOf } from '../../pipelines/index/version-record.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import type { Methodology } from '../../protocol/resources/methodology.ts'
import type { PublicApi } from '../http/public-api.ts'
import type { ReplayedGovernance } from './replay-acts.ts'
import type { Findings } from './report.ts'

/** Revision of a level as it is served; the level that it supersedes is read when it counts. */
export type ServedRevision = Pick<IndexObservation, 'observation_id' | 'index_version_id'> & {
  readonly supersedes_id: string
} & Omit<PublishedRevision, 'old_level'>

/** Returns what a check of late revisions needs of a level; null: the level is the first of its tick. */
export function revisionOf(level: IndexObservation): ServedRevision | null {
  const { observation_id, index_version_id, supersedes_id, tick_at, published_at, quality_state } = level
  if (supersedes_id === null) return null
  return {
    observation_id,
    index_version_id,
    supersedes_id,
    tick_at,
    published_at,
    quality_state,
    new_level: level.level,
  }
}

/**
 * Checks that each late revision of a governed index was approved with just its value, and that each that was approved is published.
 * @param revisions  those of the index; `is_whole` false: only the later ones were read
 */
export async function checkRestatements(
  api: PublicApi,
  index_id: string,
  asked: { readonly revisions: readonly ServedRevision[]; readonly is_whole: boolean },
  { governance, findings }: { readonly governance: ReplayedGovernance; readonly findings: Findings },
): Promise<void> {
  const since = votesSince(governance, index_id)
  if (since === null) return
  const approved = approvedOf(governance, index_id)
  const { revisions, is_whole } = asked
  if (is_whole) checkPublished(approved, revisions, findings)
  const later = revisions.filter(({ published_at }) => toMicros(published_at) >= since)
  const rules = later.length === 0 ? null : await rulesOf(api, index_id)
  const ruled = later.map((revision) => ({ revision, restate: rules?.get(revision.index_version_id) ?? null }))
  findings.count('restated', restatedLevels(ruled, is_whole ? approved.keys() : []).size)
  for (const { revision, restate } of ruled) {
    if (restate === null || !isLate(revision, restate)) continue
    const fault = faultOfRevision({ ...revision, old_level: null }, approved.get(revision.supersedes_id))
    if (fault === null) continue
    const path = `/indexes/${index_id}/prices/${revision.supersedes_id}`
    const { level: old_level } = await api.read<IndexObservation>(path)
    if (needsVote({ ...revision, old_level }, restate))
      findings.fail('restated', revision.observation_id, `it was ${fault}`)
  }
}

/** Returns since when late corrections of an index wait for a vote; null: they do not. An approved adoption may hold them already. */
function votesSince({ state, recordedAt, heldAt }: ReplayedGovernance, index_id: string): Micros | null {
  const since = [...state.proposals.values()].flatMap(({ proposal_id, target }) => {
    const activated = target === index_id ? recordedAt(proposal_id, 'activate') : null
    return activated === null ? [] : [Math.min(activated, heldAt(proposal_id) ?? activated)]
  })
  return since.length === 0 ? null : Math.min(...since)
}

function approvedOf({ state, recordedAt }: ReplayedGovernance, index_id: string) {
  const of_index = [...state.proposals.values()].filter(({ content }) => content.index_id === index_id)
  return approvedRevisions(of_index, (proposal_id) => recordedAt(proposal_id, 'activate'))
}

function checkPublished(
  approved: ReadonlyMap<string, ApprovedRevision>,
  revisions: readonly ServedRevision[],
  findings: Findings,
): void {
  const published = new Map(revisions.map((revision) => [revision.supersedes_id, revision.new_level]))
  for (const [supersedes_id, { proposal_id, tick_at, new_level }] of approved) {
    if (published.has(supersedes_id) && published.get(supersedes_id) === new_level) continue
    findings.fail('restated', `${proposal_id}, ${tick_at}`, `${new_level} was approved, and is not published`)
  }
}

/** Reads the rule of restatements of each version of an index. */
async function rulesOf(api: PublicApi, index_id: string): Promise<ReadonlyMap<string, Parameters['restate']>> {
  const versions = await api.list<IndexVersion>(`/indexes/${index_id}/versions`)
  const rules = versions.map(async ({ index_version_id, methodology_id, methodology_version }) => {
    const path = `/methodologies/${methodology_id}/versions/${methodology_version}`
    const published = await api.read<Methodology>(path)
    const { parameters } = methodologyOf({ ...published, parameters: canonicalJson(published.parameters) })
    return [index_version_id, parameters.restate] as const
  })
  return new Map(await Promise.all(rules))
}

import { toMicros } from '../../primitives/instants.ts'
import type { Complaint, Notice } from '../../protocol/resources/notice.ts'
import { SOURCE_TERMS_POLICY } from '../../vocabulary/eligibility.ts'
import type { ComplaintSubject } from '../../vocabulary/notices.ts'
import type { PublicApi } from '../http/public-api.ts'
import type { ServedGovernance } from './check-governance.ts'
import { judgingPolicy } from './drift-records.ts'
import type { ServedVersion } from './served-records.ts'

/** Rating of a market, or severity of an event. */
export type AssessedRecord = {
  readonly rating_id?: string
  readonly assessment_id?: string
  readonly market_id?: string
  readonly event_id?: string
}

/** Records that complaints may be about, beside those of governance. */
export type SubjectRecords = {
  readonly versions: readonly ServedVersion[]
  readonly assessed: readonly AssessedRecord[]
}

/** Paths below /v1 of the records that a complaint of a kind may name. */
const PATHS: Readonly<Record<Exclude<ComplaintSubject, 'other'>, readonly string[]>> = {
  index: ['/indexes'],
  market: ['/markets'],
  proposal: ['/governance/proposals'],
  rating: ['/ratings'],
  severity: ['/severity-assessments', '/severity-indexes'],
  notice: ['/governance/notices'],
}

type Subject = Pick<Complaint, 'subject_kind' | 'subject_id'>

/** Returns why a complaint may not be about its subject; null: it may. */
export async function faultOfSubject(api: PublicApi, subject: Subject, as_of: string): Promise<string | null> {
  const { subject_kind, subject_id } = subject
  if (subject_kind === 'other') return subject_id === null ? null : `subject_id is ${subject_id}; other has no record`
  if (subject_id === null) return `subject_id is absent; ${subject_kind} has one`
  for (const path of PATHS[subject_kind]) {
    // A market of the own venue is served in its present state alone.
    for (const query of [{ as_of }, {}]) if ((await api.find(`${path}/${subject_id}`, query)) !== null) return null
  }
  return `subject_id is ${subject_id}, which is no published ${subject_kind}`
}

type Named = {
  readonly as_of: string
  readonly states: ServedGovernance['states']
  readonly notices: readonly Notice[]
  readonly about: SubjectRecords
}

/** Returns why an outcome may not name its proposal; null: it may, or names none. */
export async function faultOfNamed(api: PublicApi, complaint: Complaint, named: Named): Promise<string | null> {
  const { subject_id, proposal_id } = complaint
  if (proposal_id === null) return null
  const proposal = named.states.find((one) => one.proposal_id === proposal_id)
  if (proposal === undefined) return `proposal_id is ${proposal_id}, which nobody made`
  if (subject_id === null || subject_id === proposal_id) return null
  const target = proposal.target.split(':')[0]!
  const targets = await targetsOf(api, subject_id, toMicros(complaint.recorded_at), named)
  return targets.has(target) ? null : `${proposal_id} is about ${target}, the complaint about ${subject_id}`
}

/** Returns what a proposal may be about that a complaint about a record leads to: its indexes, and what they use. */
async function targetsOf(
  api: PublicApi,
  subject_id: string,
  by: number,
  { as_of, states, notices, about }: Named,
): Promise<ReadonlySet<string>> {
  const known = <T extends { readonly published_at: string }>(records: readonly T[]) =>
    records.filter(({ published_at }) => toMicros(published_at) <= by)
  const named = known(notices).filter(({ notice_id }) => notice_id === subject_id)
  const proposals = new Set([subject_id, ...named.map(({ proposal_id }) => proposal_id)])
  const proposed = known(states).flatMap(({ proposal_id, target }) =>
    proposals.has(proposal_id) ? [target.split(':')[0]!] : [],
  )
  const markets = await marketsOf(api, subject_id, { as_of, about })
  const of_notice = named.flatMap(({ market_id }) => market_id ?? [])
  const indexes = new Set([subject_id, ...named.flatMap(({ index_id }) => index_id ?? []), ...proposed])
  const versions = known(about.versions.map((version) => ({ ...version, published_at: version.resource.published_at })))
  for (const { resource, constituents } of versions)
    if (constituents.some(({ market_id }) => market_id !== null && [...markets, ...of_notice].includes(market_id)))
      indexes.add(resource.index_id)
  const used = versions
    .filter(({ resource }) => indexes.has(resource.index_id))
    .flatMap((version) => [version.resource.methodology_id, judgingPolicy(version).policy_id])
    .filter((id) => id !== SOURCE_TERMS_POLICY)
  return new Set([...proposed, ...[...indexes].filter((id) => id.startsWith('idx_')), ...used])
}

/** Returns the market that a record is about, or those of its event. */
async function marketsOf(
  api: PublicApi,
  subject_id: string,
  { as_of, about }: Pick<Named, 'as_of' | 'about'>,
): Promise<readonly string[]> {
  const record = about.assessed.find(({ rating_id, assessment_id }) => (rating_id ?? assessment_id) === subject_id)
  const of_rating = record?.assessment_id === undefined ? record?.market_id : undefined
  if (record?.assessment_id === undefined || record.event_id === undefined)
    return of_rating === undefined ? [subject_id] : [subject_id, of_rating]
  const markets = await api.list<{ readonly market_id: string }>('/markets', { event_id: record.event_id, as_of })
  return markets.map(({ market_id }) => market_id)
}

import type {
  EligibilityPolicy,
  IndexEligibility,
  MarketEligibility,
  ProForma,
} from '../../protocol/resources/eligibility.ts'
import type { GovernanceAct, Impact, Policy, ProposalWithHistory, Roster } from '../../protocol/resources/governance.ts'
import type {
  CalendarEntry,
  Complaint,
  ComplaintWithHistory,
  Notice,
  Restatement,
  RuleChange,
} from '../../protocol/resources/notice.ts'
import { type Api, getAll, type Query } from '../data/api-client.ts'
import { ApiError } from '../data/api-error.ts'
import type { Proposal } from './model/words.ts'

/** Reads of governance. Each may throw ApiError. */

const PAGE_MAX = 1000

/** Reads all proposals, oldest first. */
export function listProposals(api: Api, signal: AbortSignal): Promise<readonly Proposal[]> {
  return getAll(api, '/governance/proposals', { limit: PAGE_MAX }, signal)
}

/** Reads a proposal with its history. */
export async function getProposal(api: Api, proposal_id: string, signal: AbortSignal): Promise<ProposalWithHistory> {
  return (await api.get<ProposalWithHistory>(`/governance/proposals/${proposal_id}`, {}, signal)).data
}

/** Reads the acts on a proposal, refused ones too. */
export function listActs(api: Api, subject_id: string, signal: AbortSignal): Promise<readonly GovernanceAct[]> {
  return getAll(api, '/governance/acts', { subject_id, limit: PAGE_MAX }, signal)
}

/** Reads a version of the roster; null: there is none. @param version null: the one in force */
export function getRoster(api: Api, version: string | null, signal: AbortSignal): Promise<Roster | null> {
  return orNone(api.get<Roster>('/governance/roster', version === null ? {} : { version }, signal))
}

/** Reads a version of the policy; null: there is none. */
export function getPolicy(api: Api, version: string | null, signal: AbortSignal): Promise<Policy | null> {
  return orNone(api.get<Policy>('/governance/policy', version === null ? {} : { version }, signal))
}

/** Reads the impact of a change; null: no runner has signed one. */
export async function getImpact(api: Api, change_id: string, signal: AbortSignal): Promise<Impact | null> {
  // A list may be empty; a browser logs every "not found" as an error of the page.
  const acts = await listActs(api, change_id, signal)
  if (!acts.some(({ act, outcome }) => act === 'attest' && outcome === 'recorded')) return null
  return orNone(api.get<Impact>(`/governance/impacts/${change_id}`, {}, signal))
}

/** Reads all notices of a kind, oldest first. @param kind null: any */
export function listNotices(api: Api, kind: string | null, signal: AbortSignal): Promise<readonly Notice[]> {
  return getAll(api, '/governance/notices', { limit: PAGE_MAX, ...(kind === null ? {} : { kind }) }, signal)
}

/** Reads what is due in the next 90 days, soonest first. */
export function listCalendar(api: Api, signal: AbortSignal): Promise<readonly CalendarEntry[]> {
  return getAll(api, '/governance/calendar', { limit: PAGE_MAX }, signal)
}

/** Reads a notice. */
export async function getNotice(api: Api, notice_id: string, signal: AbortSignal): Promise<Notice> {
  return (await api.get<Notice>(`/governance/notices/${notice_id}`, {}, signal)).data
}

/** Reads all late restatements, oldest first. @param index_id null: of any index */
export function listRestatements(
  api: Api,
  index_id: string | null,
  signal: AbortSignal,
): Promise<readonly Restatement[]> {
  const of = index_id === null ? {} : { index_id }
  return getAll(api, '/governance/restatements', { limit: PAGE_MAX, ...of }, signal)
}

/** Reads a late restatement, by the proposal that approved it. */
export async function getRestatement(api: Api, proposal_id: string, signal: AbortSignal): Promise<Restatement> {
  return (await api.get<Restatement>(`/governance/restatements/${proposal_id}`, {}, signal)).data
}

/** Reads all complaints in a state, oldest first. @param state null: any */
export function listComplaints(api: Api, state: string | null, signal: AbortSignal): Promise<readonly Complaint[]> {
  return getAll(api, '/governance/complaints', { limit: PAGE_MAX, ...(state === null ? {} : { state }) }, signal)
}

/** Reads a complaint with every act on it. */
export async function getComplaint(api: Api, complaint_id: string, signal: AbortSignal): Promise<ComplaintWithHistory> {
  return (await api.get<ComplaintWithHistory>(`/governance/complaints/${complaint_id}`, {}, signal)).data
}

/** Reads rules of markets as they changed, oldest first. */
export function listRuleChanges(api: Api, query: Query, signal: AbortSignal): Promise<readonly RuleChange[]> {
  return getAll(api, '/governance/rule-changes', { limit: PAGE_MAX, ...query }, signal)
}

/** Reads every version of every eligibility policy. */
export function listEligibilityPolicies(api: Api, signal: AbortSignal): Promise<readonly EligibilityPolicy[]> {
  return getAll(api, '/eligibility/policies', { limit: PAGE_MAX }, signal)
}

/** Reads the decision of a policy about a market. @param policy_id null: the built-in policy */
export async function getMarketEligibility(
  api: Api,
  { market_id, policy_id }: { readonly market_id: string; readonly policy_id: string | null },
  signal: AbortSignal,
): Promise<MarketEligibility> {
  const query = policy_id === null ? {} : { policy_id }
  return (await api.get<MarketEligibility>(`/eligibility/markets/${market_id}`, query, signal)).data
}

/** Reads the eligibility of an index's constituents. */
export async function getIndexEligibility(api: Api, index_id: string, signal: AbortSignal): Promise<IndexEligibility> {
  return (await api.get<IndexEligibility>(`/indexes/${index_id}/eligibility`, {}, signal)).data
}

/** Reads the newest announced composition of an index; null: none was announced. */
export function getProForma(api: Api, index_id: string, signal: AbortSignal): Promise<ProForma | null> {
  return orNone(api.get<ProForma>(`/indexes/${index_id}/pro-forma`, {}, signal))
}

/** Codes of records that do not exist, where that is an answer. */
const ABSENT = ['GOVERNANCE_NOT_FOUND', 'INDEX_VERSION_NOT_FOUND']

/** Converts "not found" to null; other errors are thrown. */
async function orNone<T>(answer: Promise<{ readonly data: T }>): Promise<T | null> {
  try {
    return (await answer).data
  } catch (error) {
    if (error instanceof ApiError && ABSENT.includes(error.code)) return null
    throw error
  }
}

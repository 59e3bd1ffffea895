import type { GovernanceAct, Impact, Policy, ProposalWithHistory, Roster } from '../../protocol/resources/governance.ts'
import type { CalendarEntry, Notice } from '../../protocol/resources/notice.ts'
import { type Api, getAll } from '../data/api-client.ts'
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
export function getImpact(api: Api, change_id: string, signal: AbortSignal): Promise<Impact | null> {
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

/** Converts "not found" to null; other errors are thrown. */
async function orNone<T>(answer: Promise<{ readonly data: T }>): Promise<T | null> {
  try {
    return (await answer).data
  } catch (error) {
    if (error instanceof ApiError && error.code === 'GOVERNANCE_NOT_FOUND') return null
    throw error
  }
}

import type { ProposalWithHistory } from '../../../protocol/resources/governance.ts'
import type { QualityState } from '../../../vocabulary/index-level.ts'
import { showInstant } from '../../data/instant-text.ts'

export type Proposal = ProposalWithHistory['history'][number]
export type ProposalState = Proposal['state']

/** Looks of states: a shape and color of the quality badges, borrowed. */
export const STATE_LOOKS: Readonly<Record<ProposalState, readonly [look: QualityState, meaning: string]>> = {
  draft: ['indicative', 'Written, not proposed yet'],
  proposed: ['indicative', 'Votes are cast'],
  consulting: ['indicative', 'Comments are awaited, and votes are cast'],
  approved: ['stale', 'It has its signatures'],
  queued: ['stale', 'Its notice runs'],
  effective: ['valid', 'In force'],
  rejected: ['suspended', 'Ended without its signatures'],
  cancelled: ['suspended', 'Withdrawn by its proposer'],
  vetoed: ['suspended', 'Stopped by oversight'],
  expired: ['suspended', 'Not decided in time, or its base was replaced'],
  lapsed: ['degraded', 'An emergency that nobody ratified'],
}

/** "index_version" as "index version". */
export function spoken(name: string): string {
  return name.replaceAll('_', ' ')
}

/** Beginning of a long id or hash, for tables; the whole one is its title. */
export function shortId(id: string): string {
  const [prefix, rest] = id.includes('_')
    ? [`${id.slice(0, id.indexOf('_'))}_`, id.slice(id.indexOf('_') + 1)]
    : ['', id]
  return rest.length > 12 ? `${prefix}${rest.slice(0, 10)}…` : id
}

/** Formats an instant to the minute, cut; the record has the rest. */
export function minuteOf(instant: string): string {
  return showInstant(instant).slice(0, 'YYYY-MM-DD hh:mm'.length)
}

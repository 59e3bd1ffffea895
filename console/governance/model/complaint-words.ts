import type { Complaint } from '../../../protocol/resources/notice.ts'
import type { QualityState } from '../../../vocabulary/index-level.ts'

/** Looks of states of a complaint, with their meaning. */
export const COMPLAINT_LOOKS: Readonly<Record<Complaint['state'], readonly [look: QualityState, meaning: string]>> = {
  received: ['indicative', 'Not read by a member yet'],
  published: ['indicative', 'Public; nobody handles it yet'],
  assigned: ['stale', 'A member who took no part in the matter handles it'],
  declined: ['suspended', 'Its text is not published'],
  resolved: ['valid', 'Decided'],
}

/** Parts of an address that name a record. */
type Named = Readonly<Partial<Record<'view' | 'index_id' | 'market_id' | 'proposal_id' | 'notice_id', string>>>

/** Page, or public record, of what a complaint is about; null: it names no record. */
export type SubjectLink =
  | { readonly kind: 'view'; readonly change: Named }
  | { readonly kind: 'record'; readonly path: string }

/** Returns where the subject of a complaint is shown. Ratings and assessments have no page of their own. */
export function subjectLink({
  subject_kind,
  subject_id: id,
}: Pick<Complaint, 'subject_kind' | 'subject_id'>): SubjectLink | null {
  if (id === null) return null
  switch (subject_kind) {
    case 'index':
      return { kind: 'view', change: { index_id: id } }
    case 'market':
      return { kind: 'view', change: { market_id: id } }
    case 'proposal':
      return { kind: 'view', change: { view: 'governance', proposal_id: id } }
    case 'notice':
      return { kind: 'view', change: { view: 'notices', notice_id: id } }
    case 'rating':
      return { kind: 'record', path: `/ratings/${id}` }
    case 'severity':
      return { kind: 'record', path: id.startsWith('svi_') ? `/severity-indexes/${id}` : `/severity-assessments/${id}` }
    case 'other':
      return null
  }
}

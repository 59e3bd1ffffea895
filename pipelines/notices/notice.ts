import { deriveId } from '../../primitives/ids.ts'
import type { Instant } from '../../primitives/instants.ts'
import type { NoticeKind } from '../../vocabulary/notices.ts'

/** Old and new value of a field of a record. */
export type NoticeChange = {
  readonly record_id: string
  /** Instant that the record is about. */
  readonly at: Instant | null
  readonly field: string
  readonly old_value: string | null
  readonly new_value: string | null
}

/** A notice as derived from records, or as a member wrote it. */
export type Notice = {
  readonly notice_id: string
  readonly kind: NoticeKind
  /** Record that it is about. */
  readonly subject_id: string | null
  readonly index_id: string | null
  readonly market_id: string | null
  readonly venue_id: string | null
  readonly proposal_id: string | null
  readonly title: string
  readonly text: string
  /** Reason of a correction or an end. */
  readonly cause: string | null
  /** Instant from which a change is in force. */
  readonly effective_at: Instant | null
  readonly starts_at: Instant | null
  readonly ends_at: Instant | null
  readonly changes: readonly NoticeChange[]
  /** Records from which it follows. */
  readonly source_ids: readonly string[]
  /** Notice that it continues: the end of an outage follows its beginning. */
  readonly follows_notice_id: string | null
  /** Notice that it corrects. */
  readonly corrects_notice_id: string | null
  /** Definition that a member may propose (RFC 8785), and its SHA-256. */
  readonly draft: string | null
  readonly draft_sha256: string | null
}

/** Notice without the fields that it leaves empty. */
type Written = Pick<Notice, 'kind' | 'title' | 'text' | 'source_ids'> & Partial<Omit<Notice, 'notice_id'>>

/** Returns a notice of the service; the same rule about the same records is the same notice. */
export function derivedNotice(rule: string, notice: Written): Notice {
  return { ...EMPTY, ...notice, notice_id: derivedNoticeId(rule, notice.source_ids) }
}

/** Returns the id of a notice of the service. */
export function derivedNoticeId(rule: string, source_ids: readonly string[]): string {
  return deriveId('ntc', rule, ...source_ids)
}

/** Notice that names nothing. */
export const EMPTY = {
  subject_id: null,
  index_id: null,
  market_id: null,
  venue_id: null,
  proposal_id: null,
  cause: null,
  effective_at: null,
  starts_at: null,
  ends_at: null,
  changes: [],
  follows_notice_id: null,
  corrects_notice_id: null,
  draft: null,
  draft_sha256: null,
} as const satisfies Partial<Notice>

import type { CalendarRecords } from '../../pipelines/notices/calendar.ts'
import type { Row } from '../../warehouse/schema.ts'
import { fieldsOf, rowsOf, textsOf } from './pick.ts'

const SIGNED_FIELDS = ['actor_id', 'public_key', 'signed_text', 'signature', 'acted_at'] as const
const CHANGE_FIELDS = ['record_id', 'at', 'field', 'old_value', 'new_value'] as const

/** Returns a notice as published. */
export function noticeOf(row: Row) {
  return {
    ...fieldsOf(row, ['notice_id', 'kind', 'subject_id', 'index_id', 'market_id', 'venue_id', 'proposal_id']),
    ...fieldsOf(row, ['title', 'text', 'cause', 'effective_at', 'starts_at', 'ends_at']),
    changes: rowsOf(row.changes).map((change) => fieldsOf(change, CHANGE_FIELDS)),
    source_ids: textsOf(row.source_ids),
    ...fieldsOf(row, [
      'follows_notice_id',
      'corrects_notice_id',
      'draft',
      'draft_sha256',
      ...SIGNED_FIELDS,
      'published_at',
    ]),
  }
}

const RESTATED_FIELDS = [
  'observation_id',
  'supersedes_id',
  'tick_at',
  'old_level',
  'new_level',
  'basis_points',
  'quality_state',
] as const

/** Returns a late restatement as published. */
export function restatementOf(row: Row) {
  return {
    ...fieldsOf(row, ['proposal_id', 'index_id', 'change_class', 'correction_reason']),
    ...fieldsOf(row, ['starts_at', 'ends_at', 'known_at']),
    changes: rowsOf(row.changes).map((change) => fieldsOf(change, RESTATED_FIELDS)),
    ...fieldsOf(row, ['act_id', 'published_at']),
  }
}

/** Returns a complaint after an act on it. */
export function complaintOf(row: Row) {
  return {
    ...fieldsOf(row, ['complaint_id', 'revision', 'state', 'subject_kind', 'subject_id', 'text', 'text_sha256']),
    is_redacted: row.is_redacted === true,
    ...fieldsOf(row, ['filed_at', 'handler', 'outcome', 'reason', 'proposal_id', 'act', ...SIGNED_FIELDS]),
    ...fieldsOf(row, ['recorded_at', 'published_at']),
  }
}

/** Returns published rows as the calendar reads them; a missing instant is null. */
export function calendarRecordsOf(rows: Readonly<Record<keyof CalendarRecords, readonly Row[]>>): CalendarRecords {
  const { versions, compositions, indexes, proposals, rosters, policies, ratings } = rows
  return {
    versions: versions.map((row) => ({ ...row, effective_to: row.effective_to ?? null, fixing_at: fixingOf(row) })),
    compositions: compositions.map((row) => ({ ...row, base_version_id: row.base_version_id ?? null })),
    indexes: indexes.map((row) => ({ ...row, since: row.updated_at ?? row.published_at })),
    proposals: proposals.map((row) => ({ ...row, effective_at: row.effective_at ?? null })),
    rosters,
    policies,
    ratings: ratings.map((row) => ({ ...row, effective_to: row.effective_to ?? null })),
  } as never
}

/** Returns the time of day at which a version fixes its level; null: it has no fixing. */
function fixingOf({ definition }: Row): string | null {
  // Most definitions have none, and are long.
  const text = String(definition ?? '')
  if (!text.includes('"fixing"')) return null
  const { fixing } = JSON.parse(text) as { readonly fixing?: { readonly at: string } }
  return fixing?.at ?? null
}

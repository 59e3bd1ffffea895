import type { ComplaintRequest } from '../../protocol/resources/notice.ts'
import type { ComplaintSubject } from '../../vocabulary/notices.ts'
import type { AssessmentTableName } from '../../warehouse/reader/followed-tables.ts'
import type { Reader } from '../../warehouse/reader/reader.ts'
import type { OwnVenue } from '../own-venue/own-venue.ts'
import { RequestRefusal, violation } from '../server/request-refusal.ts'

/** Published records that a complaint may name. */
export type ComplaintSources = { readonly reader: Reader; readonly own_venue: OwnVenue | null }

type Named = {
  readonly allowed: string
  readonly exists: (sources: ComplaintSources, id: string) => boolean | Promise<boolean>
}

const SUBJECTS: Readonly<Record<Exclude<ComplaintSubject, 'other'>, Named>> = {
  index: {
    allowed: 'an index of GET /v1/indexes',
    exists: ({ reader }, id) => reader.catalog(null).index(id) !== null,
  },
  market: {
    allowed: 'a market of GET /v1/markets',
    exists: ({ reader, own_venue }, id) =>
      reader.catalog(null).market(id) !== null || (own_venue?.listing(id) ?? null) !== null,
  },
  proposal: {
    allowed: 'a proposal of GET /v1/governance/proposals',
    exists: ({ reader }, id) => reader.catalog(null).proposal(id) !== null,
  },
  notice: {
    allowed: 'a notice of GET /v1/governance/notices',
    exists: ({ reader }, id) => reader.catalog(null).notice(id) !== null,
  },
  rating: {
    allowed: 'a rating of GET /v1/markets/{market_id}/ratings',
    exists: ({ reader }, id) => isAssessment(reader, 'market_rating', id),
  },
  severity: {
    allowed: 'an assessment of GET /v1/events/{event_id}/severity-history, or an index of GET /v1/severity-indexes',
    exists: async ({ reader }, id) =>
      reader.catalog(null).severityIndex(id) !== null || (await isAssessment(reader, 'severity_assessment', id)),
  },
}

/**
 * Refuses a complaint about a record that does not exist: members could decide nothing, and its place would be taken from others.
 * @throws {RequestRefusal} VALIDATION_BODY_INVALID
 */
export async function requireSubject(
  sources: ComplaintSources,
  { subject_kind, subject_id }: ComplaintRequest,
): Promise<void> {
  if (subject_kind === 'other') {
    if (subject_id !== null) throw refusal(subject_kind, subject_id, 'null')
    return
  }
  const { allowed, exists } = SUBJECTS[subject_kind]
  if (subject_id === null || !(await exists(sources, subject_id))) throw refusal(subject_kind, subject_id, allowed)
}

async function isAssessment(reader: Reader, table: AssessmentTableName, id: string): Promise<boolean> {
  return (await reader.assessments.record(table, id, reader.horizon(table))) !== null
}

function refusal(subject_kind: string, subject_id: string | null, allowed: string): RequestRefusal {
  const rule = `allowed with subject_kind ${subject_kind}: ${allowed}`
  return new RequestRefusal([violation('VALIDATION_BODY_INVALID', 'subject_id', String(subject_id), rule)])
}

import { type CalendarEntry, type CalendarRange, calendarOf, calendarRange } from '../../pipelines/notices/calendar.ts'
import {
  type MarketRevision,
  type RuleChange,
  ruleChangesOf,
  type UsingVersion,
} from '../../pipelines/notices/rule-changes.ts'
import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { PAGE_SIZE } from '../../protocol/limits.ts'
import { IN_FORCE_STATES } from '../../vocabulary/review.ts'
import type { Catalog, Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing } from '../missing-resource.ts'
import { calendarRecordsOf, complaintOf, noticeOf, restatementOf } from '../resources/notices.ts'
import { rowsOf } from '../resources/pick.ts'
import type { RouteAnswer, RouteHandlers, RouteRequest } from '../server/handler.ts'
import { RequestRefusal, violation } from '../server/request-refusal.ts'
import { catalogPage, compareKeys } from './catalog-page.ts'
import { presentAt } from './history-request.ts'
import { instantParameter, integerParameter, requiredText, textParameter } from './parameters.ts'

export const NOTICE_ROUTES = {
  list_governance_notices: (request) => {
    const [kind, index_id] = [textParameter(request, 'kind'), textParameter(request, 'index_id')]
    const since = instantParameter(request, 'since')
    return catalogPage(request, {
      rows: (catalog) => catalog.notices(),
      keep: (row) =>
        (kind === null || row.kind === kind) &&
        (index_id === null || row.index_id === index_id) &&
        (since === null || since <= toMicros(row.published_at)),
      key: (row) => [toMicros(row.published_at), String(row.notice_id)],
      show: noticeOf,
    })
  },
  get_governance_notice: (request) => ({ data: noticeOf(requireNotice(request)) }),
  list_restatements: (request) => {
    const [index_id, since] = [textParameter(request, 'index_id'), instantParameter(request, 'since')]
    return catalogPage(request, {
      rows: (catalog) => catalog.restatements(),
      keep: (row) =>
        (index_id === null || row.index_id === index_id) && (since === null || since <= toMicros(row.published_at)),
      key: (row) => [toMicros(row.published_at), String(row.proposal_id)],
      show: restatementOf,
    })
  },
  get_restatement: (request) => ({ data: restatementOf(requireRestatement(request)) }),
  list_governance_calendar: listCalendar,
  list_rule_changes: (request) => {
    const wanted = wantedChange(request)
    return catalogPage(request, {
      rows: (catalog) => ruleChanges(catalog) as unknown as readonly Row[],
      keep: (row) => wanted(row as unknown as RuleChange),
      key: (row) => [toMicros(row.published_at), String(row.change_id)],
      show: (row) => row,
    })
  },
  list_complaints: (request) => {
    const state = textParameter(request, 'state')
    return catalogPage(request, {
      rows: (catalog) => catalog.complaints(),
      keep: (row) => state === null || row.state === state,
      key: (row) => [toMicros(row.filed_at), String(row.complaint_id)],
      show: complaintOf,
    })
  },
  get_complaint: (request) => {
    const row = requireComplaint(request)
    return { data: { ...complaintOf(row), history: rowsOf(row.history).map(complaintOf) } }
  },
} as const satisfies Partial<RouteHandlers>

/** @throws {ServiceError} GOVERNANCE_NOT_FOUND */
export function requireNotice(request: RouteRequest): Row {
  const notice_id = requiredText(request, 'notice_id')
  const row = request.reader.catalog(request.as_of).notice(notice_id)
  if (row !== null) return row
  throw missing('notice', notice_id)
}

/** @throws {ServiceError} GOVERNANCE_NOT_FOUND */
export function requireRestatement(request: RouteRequest): Row {
  const proposal_id = requiredText(request, 'proposal_id')
  const row = request.reader.catalog(request.as_of).restatement(proposal_id)
  if (row !== null) return row
  throw missing('restatement', proposal_id)
}

/** Returns a complaint with its history. @throws {ServiceError} GOVERNANCE_NOT_FOUND */
export function requireComplaint(request: RouteRequest): Row {
  const complaint_id = requiredText(request, 'complaint_id')
  const row = request.reader.catalog(request.as_of).complaint(complaint_id)
  if (row !== null) return row
  throw missing('complaint', complaint_id)
}

function wantedChange(request: RouteRequest): (change: RuleChange) => boolean {
  const [kind, venue_id] = [textParameter(request, 'kind'), textParameter(request, 'venue_id')]
  const [market_id, index_id] = [textParameter(request, 'market_id'), textParameter(request, 'index_id')]
  const since = instantParameter(request, 'since')
  return (change) =>
    (kind === null || change.kind === kind) &&
    (venue_id === null || change.venue_id === venue_id) &&
    (market_id === null || change.market_id === market_id) &&
    (index_id === null || change.index_ids.includes(index_id)) &&
    (since === null || since <= toMicros(change.published_at))
}

/** Rows have the fields of the types; a missing value is left out. */
function ruleChanges(catalog: Catalog): readonly RuleChange[] {
  const versions = catalog.indexes().flatMap(({ index_id }) => catalog.versions(String(index_id)))
  const revisions = catalog.marketRevisions() as unknown as readonly MarketRevision[]
  return ruleChangesOf(revisions, versions as unknown as readonly UsingVersion[])
}

async function listCalendar(request: RouteRequest): Promise<RouteAnswer> {
  const { reader, cursor, as_of } = request
  const catalog =
    as_of === null && cursor?.known !== undefined
      ? await reader.catalogOf({ at: cursor.as_of, known: cursor.known })
      : reader.catalog(as_of)
  const at = cursor?.as_of ?? as_of ?? presentAt(request, 'market_rating')
  const [kind, index_id] = [textParameter(request, 'kind'), textParameter(request, 'index_id')]
  const all = await calendarEntries(reader, catalog, { range: rangeOf(request, at), at })
  const entries = all.filter(
    (entry) => (kind === null || entry.kind === kind) && (index_id === null || entry.index_id === index_id),
  )
  const keyOf = (entry: CalendarEntry) => [toMicros(entry.at), entry.entry_id] as const
  const after = (cursor?.key ?? null) as readonly [number, string] | null
  const rest = after === null ? entries : entries.filter((entry) => compareKeys(keyOf(entry), after) > 0)
  const page = rest.slice(0, integerParameter(request, 'limit'))
  const last = page.at(-1)
  const has_more = last !== undefined && page.length < rest.length
  return { data: page, next: has_more ? { as_of: at, known: catalog.state.known, key: keyOf(last) } : null }
}

/** Returns the entries of a calendar as known at an instant. */
export async function calendarEntries(
  reader: Pick<Reader, 'assessments'>,
  catalog: Catalog,
  { range, at }: { readonly range: CalendarRange; readonly at: Micros },
): Promise<readonly CalendarEntry[]> {
  const ratings = await reader.assessments.records(
    {
      table: 'market_rating',
      key: {},
      review_states: IN_FORCE_STATES,
      grade: null,
      methodology_id: null,
      start: null,
      end: null,
      published_after: null,
      ending: range,
      include_corrections: false,
    },
    { after: null, limit: PAGE_SIZE.max, as_of: at },
  )
  const indexes = catalog.indexes()
  const versions = indexes.flatMap(({ index_id }) => catalog.versions(String(index_id)))
  const compositions = indexes.flatMap(({ index_id }) => catalog.proFormas(String(index_id)))
  const [rosters, policies] = [catalog.rosters(), catalog.policies()]
  const records = { versions, compositions, indexes, proposals: catalog.proposals(), rosters, policies, ratings }
  return calendarOf(calendarRecordsOf(records), range)
}

/** Returns the asked range; without one, 90 days from the beginning of the day. @throws {RequestRefusal} VALIDATION_RANGE_INVALID */
function rangeOf(request: RouteRequest, at: Micros): CalendarRange {
  const asked = { from: instantParameter(request, 'start_time'), to: instantParameter(request, 'end_time') }
  const { range, refused } = calendarRange(asked, at)
  if (refused === null) return range
  const seen = formatMicros(range.to)
  throw new RequestRefusal([violation('VALIDATION_RANGE_INVALID', 'end_time', seen, `allowed: ${refused}`)])
}

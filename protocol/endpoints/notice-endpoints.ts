import type { TSchema } from 'typebox'
import { CALENDAR_KINDS, COMPLAINT_STATES, NOTICE_KINDS, RULE_CHANGE_KINDS } from '../../vocabulary/notices.ts'
import {
  CalendarEntry,
  Complaint,
  ComplaintReceipt,
  ComplaintRequest,
  ComplaintWithHistory,
  Notice,
  Restatement,
  RuleChange,
} from '../resources/notice.ts'
import { idOf, Text } from '../scalars.ts'
import type { Endpoint } from './endpoint.ts'
import { INDEX_ID } from './index-endpoints.ts'
import { MARKET_ID } from './market-endpoints.ts'
import { AS_OF, instant, oneOf, PAGING, RANGE, text } from './parameter.ts'

const shared = {
  tag: 'Governance',
  limit_class: 'market_data',
  path_parameters: {},
  cost: 1,
  cache: 'current',
  errors: [],
} as const

const SINCE = instant('only records published at or after this instant')
const OF_INDEX = text(INDEX_ID, 'only records about this index')

export const NOTICE_ENDPOINTS = {
  list_governance_notices: {
    ...shared,
    operation_id: 'list_governance_notices',
    path: '/governance/notices',
    summary: 'List notices',
    description:
      'Every notice as known at as_of; sorted by (published_at, notice_id). A notice never changes. Feed readers get the newest as Atom from /v1/governance/notices.atom.',
    query: {
      kind: oneOf(NOTICE_KINDS, 'only notices of this kind'),
      index_id: OF_INDEX,
      since: SINCE,
      ...AS_OF,
      ...PAGING,
    },
    data: Notice,
    envelope: 'collection',
  },
  get_governance_notice: {
    ...shared,
    operation_id: 'get_governance_notice',
    path: '/governance/notices/{notice_id}',
    summary: 'Get a notice',
    description: 'One notice. A later one that corrects it names it in corrects_notice_id.',
    path_parameters: { notice_id: idOf('ntc', 'notice_id') },
    query: AS_OF,
    data: Notice,
    envelope: 'single',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
  list_restatements: {
    ...shared,
    operation_id: 'list_restatements',
    path: '/governance/restatements',
    summary: 'List late restatements',
    description:
      'Levels of governed indexes that were restated after the time in which a correction needs no vote, by proposal; sorted by (published_at, proposal_id).',
    query: { index_id: OF_INDEX, since: SINCE, ...AS_OF, ...PAGING },
    data: Restatement,
    envelope: 'collection',
    cost: 2,
  },
  get_restatement: {
    ...shared,
    operation_id: 'get_restatement',
    path: '/governance/restatements/{proposal_id}',
    summary: 'Get a late restatement',
    description: 'The levels that one proposal restated, each with its old and new value. The old ones stay published.',
    path_parameters: { proposal_id: idOf('prp', 'proposal_id') },
    query: AS_OF,
    data: Restatement,
    envelope: 'single',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
  list_governance_calendar: {
    ...shared,
    operation_id: 'list_governance_calendar',
    path: '/governance/calendar',
    summary: 'List what is due',
    description:
      'Versions that take effect, fixings and final values of indexes, notices that end, rosters and policies that expire, and ratings whose validity ends, as known at as_of; sorted by (at, entry_id). Without a range: 90 days from the beginning of the day. Calendars get it as iCalendar from /v1/governance/calendar.ics.',
    query: {
      kind: oneOf(CALENDAR_KINDS, 'only entries of this kind'),
      index_id: OF_INDEX,
      ...RANGE,
      ...AS_OF,
      ...PAGING,
    },
    data: CalendarEntry,
    envelope: 'collection',
    cost: 2,
  },
  list_rule_changes: {
    ...shared,
    operation_id: 'list_rule_changes',
    path: '/governance/rule-changes',
    summary: 'List the rules of markets as they changed',
    description:
      "Each text of a market's rules with its hash, when it replaced another, and the indexes whose constituents it touched; sorted by (published_at, change_id).",
    query: {
      kind: oneOf(RULE_CHANGE_KINDS, 'only entries of this kind'),
      venue_id: text(Text, 'only markets of this venue'),
      market_id: text(MARKET_ID, 'only this market'),
      index_id: OF_INDEX,
      since: SINCE,
      ...AS_OF,
      ...PAGING,
    },
    data: RuleChange,
    envelope: 'collection',
    cost: 2,
  },
  list_complaints: {
    ...shared,
    operation_id: 'list_complaints',
    path: '/governance/complaints',
    summary: 'List complaints',
    description:
      'Every complaint that a member has read, in its state as known at as_of; sorted by (filed_at, complaint_id).',
    query: { state: oneOf(COMPLAINT_STATES, 'only complaints in this state'), ...AS_OF, ...PAGING },
    data: Complaint,
    envelope: 'collection',
  },
  get_complaint: {
    ...shared,
    operation_id: 'get_complaint',
    path: '/governance/complaints/{complaint_id}',
    summary: 'Get a complaint with its history',
    description: 'One complaint that is public, with every signed act on it.',
    path_parameters: { complaint_id: idOf('cmp', 'complaint_id') },
    query: AS_OF,
    data: ComplaintWithHistory,
    envelope: 'single',
    errors: ['GOVERNANCE_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>

/** Write that anybody may send, without a key. */
type OpenWrite = Endpoint & { readonly method: 'POST'; readonly body: TSchema; readonly success: 202 }

/** Writes that anybody may send; limits count them by address. */
export const OPEN_WRITES = {
  file_complaint: {
    ...shared,
    operation_id: 'file_complaint',
    method: 'POST',
    path: '/governance/complaints',
    summary: 'File a complaint',
    description:
      'Anybody may file one, without a key. It is not public until a member has read it, and `contact` never is. Keep the complaint_id.',
    query: {},
    body: ComplaintRequest,
    data: ComplaintReceipt,
    envelope: 'single',
    cache: 'none',
    success: 202,
  },
} as const satisfies Record<string, OpenWrite>

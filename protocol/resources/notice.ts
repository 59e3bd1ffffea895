import Type, { type Static } from 'typebox'
import { CHANGE_CLASSES } from '../../vocabulary/governance.ts'
import { CORRECTION_REASONS, QUALITY_STATES } from '../../vocabulary/index-level.ts'
import {
  CALENDAR_KINDS,
  COMPLAINT_OUTCOMES,
  COMPLAINT_STATES,
  COMPLAINT_SUBJECTS,
  NOTICE_ACTS,
  NOTICE_KINDS,
  RULE_CHANGE_KINDS,
} from '../../vocabulary/notices.ts'
import { COMPLAINTS } from '../limits.ts'
import { closed, Decimal, Id, Instant, instantOf, orNull, PLAIN_LINE, Text, texts } from '../scalars.ts'

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hex' })

/** Signature of a member; null where the service itself published. */
const signed = {
  actor_id: orNull(Text, 'member who signed it; null: the service, which signs nothing'),
  public_key: orNull(Text),
  signed_text: orNull(Text),
  signature: orNull(Text),
  acted_at: orNull(Instant),
} as const

const NoticeChange = Type.Object(
  {
    record_id: Text,
    at: orNull(instantOf('instant that the record is about')),
    field: Text,
    old_value: orNull(Text),
    new_value: orNull(Text),
  },
  { ...closed, title: 'NoticeChange' },
)

/** A notice, which never changes. */
export const Notice = Type.Object(
  {
    notice_id: Id,
    kind: texts(NOTICE_KINDS),
    subject_id: orNull(Text, 'record that it is about'),
    index_id: orNull(Id),
    market_id: orNull(Id),
    venue_id: orNull(Text),
    proposal_id: orNull(Id),
    title: Text,
    text: Text,
    cause: orNull(Text, 'reason of a correction, an outage or an end'),
    effective_at: orNull(instantOf('instant from which a change is in force')),
    starts_at: orNull(Instant),
    ends_at: orNull(Instant),
    changes: Type.Array(NoticeChange),
    source_ids: Type.Array(Text, { description: 'records from which the notice follows; empty: a member wrote it' }),
    follows_notice_id: orNull(Id, 'notice that it continues'),
    corrects_notice_id: orNull(Id, 'notice that it corrects'),
    draft: orNull(Text, 'definition that a member may propose, as RFC 8785 text; nobody has signed it'),
    draft_sha256: orNull(Hash, 'SHA-256 of the draft'),
    ...signed,
    published_at: Instant,
  },
  { ...closed, title: 'Notice' },
)
export type Notice = Static<typeof Notice>

const RestatedLevel = Type.Object(
  {
    observation_id: Id,
    supersedes_id: orNull(Id, 'level that it replaces; null: the tick had none'),
    tick_at: Instant,
    old_level: orNull(Decimal),
    new_level: orNull(Decimal),
    basis_points: orNull(Text, '|new - old| / old; null: without a ratio'),
    quality_state: texts(QUALITY_STATES),
  },
  { ...closed, title: 'RestatedLevel' },
)

/** Levels that an approved proposal restated late. It never changes. */
export const Restatement = Type.Object(
  {
    proposal_id: Id,
    index_id: Id,
    change_class: texts(CHANGE_CLASSES),
    correction_reason: texts(CORRECTION_REASONS),
    starts_at: instantOf('first instant of the range that was recomputed'),
    ends_at: instantOf('end of the range, exclusive'),
    known_at: instantOf('knowledge of the recomputation'),
    changes: Type.Array(RestatedLevel),
    act_id: orNull(Id, 'act that put the proposal in force'),
    published_at: Instant,
  },
  { ...closed, title: 'Restatement' },
)
export type Restatement = Static<typeof Restatement>

/** An instant at which something is due. */
export const CalendarEntry = Type.Object(
  {
    entry_id: Id,
    kind: texts(CALENDAR_KINDS),
    at: Instant,
    title: Text,
    subject_id: Text,
    index_id: orNull(Id),
    market_id: orNull(Id),
    published_at: instantOf('publication of the record that the entry follows from'),
  },
  { ...closed, title: 'CalendarEntry' },
)
export type CalendarEntry = Static<typeof CalendarEntry>

/** Rules of a market as archived when they replaced others. */
export const RuleChange = Type.Object(
  {
    change_id: Id,
    kind: texts(RULE_CHANGE_KINDS, 'archived: recorded for the first time'),
    market_id: Id,
    venue_id: orNull(Text),
    source_market_id: orNull(Text),
    revision: Type.Integer({ minimum: 1 }),
    rules_sha256: Hash,
    previous_sha256: orNull(Hash, 'hash of the rules before; null: there were none'),
    changed_fields: Type.Array(Text),
    resolution_question: orNull(Text),
    resolution_criteria: orNull(Text),
    resolution_sources: orNull(Type.Array(Text)),
    index_ids: Type.Array(Id, { description: 'indexes whose version of that time names the market' }),
    source_at: Instant,
    published_at: Instant,
  },
  { ...closed, title: 'RuleChange' },
)
export type RuleChange = Static<typeof RuleChange>

/** A complaint that is public, after the newest act on it. */
export const Complaint = Type.Object(
  {
    complaint_id: Id,
    revision: Type.Integer({ minimum: 1 }),
    state: texts(COMPLAINT_STATES),
    subject_kind: texts(COMPLAINT_SUBJECTS),
    subject_id: orNull(Text),
    text: orNull(Text, 'text as cleared for publication; null: publication was declined'),
    text_sha256: Hash,
    is_redacted: Type.Boolean({ description: 'whether the published text differs from the filed one' }),
    filed_at: Instant,
    handler: orNull(Text, 'member to whom it is assigned, who took no part in the matter'),
    outcome: orNull(texts(COMPLAINT_OUTCOMES)),
    reason: orNull(Text),
    proposal_id: orNull(Id, 'proposal that the outcome led to'),
    act: texts(NOTICE_ACTS),
    ...signed,
    recorded_at: Instant,
    published_at: Instant,
  },
  { ...closed, title: 'Complaint' },
)
export type Complaint = Static<typeof Complaint>

/** A complaint with every act on it, first to last. */
export const ComplaintWithHistory = Type.Object(
  { ...Complaint.properties, history: Type.Array(Complaint) },
  { ...closed, title: 'ComplaintWithHistory' },
)
export type ComplaintWithHistory = Static<typeof ComplaintWithHistory>

/** Text of several lines, without characters that move a cursor or turn the order of what follows. */
const PLAIN_LINES = '^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]*$'

/** Text in which something is written: white space alone says nothing. */
const SAID = '^(?=\\s*\\S)'

/** Body of a complaint. */
export const ComplaintRequest = Type.Object(
  {
    subject_kind: texts(COMPLAINT_SUBJECTS),
    subject_id: orNull(Id, 'record that it is about; null only for `other`'),
    text: Type.String({
      minLength: 1,
      maxLength: COMPLAINTS.text_length_max,
      pattern: `${SAID}${PLAIN_LINES.slice(1)}`,
    }),
    contact: Type.Optional(
      orNull(
        Type.String({ minLength: 1, maxLength: 200, pattern: `${SAID}${PLAIN_LINE.slice(1)}` }),
        'how to reach you; it is never published',
      ),
    ),
  },
  { ...closed, title: 'ComplaintRequest' },
)
export type ComplaintRequest = Static<typeof ComplaintRequest>

/** Answer to a complaint that was filed; it is public once a member has read it. */
export const ComplaintReceipt = Type.Object(
  {
    complaint_id: Id,
    state: texts(['received']),
    filed_at: Instant,
    text_sha256: Hash,
  },
  { ...closed, title: 'ComplaintReceipt' },
)
export type ComplaintReceipt = Static<typeof ComplaintReceipt>

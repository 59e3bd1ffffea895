/**
 * Kinds of notices.
 *   announcement       a change was approved, took effect, or will not take effect
 *   correction         a level was restated, or the resolution of a market was changed
 *   degraded_service   a venue or an index was impaired, and then restored
 *   cessation          an index ends or has ended
 *   complaint_outcome  a complaint was resolved
 *   drift              constituents of an index have been ineligible for long, with the draft of a version without them; or are
 *                      no longer, which withdraws the draft
 */
export const NOTICE_KINDS = [
  'announcement',
  'correction',
  'degraded_service',
  'cessation',
  'complaint_outcome',
  'drift',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** Acts of members on notices and complaints, each signed. */
export const NOTICE_ACTS = [
  'publish_notice',
  'publish_complaint',
  'decline_complaint',
  'assign_complaint',
  'resolve_complaint',
] as const
export type NoticeActName = (typeof NOTICE_ACTS)[number]

/** States of a complaint. `received` is not public; the last two are final. */
export const COMPLAINT_STATES = ['received', 'published', 'assigned', 'declined', 'resolved'] as const
export type ComplaintState = (typeof COMPLAINT_STATES)[number]

/** Matters that a complaint may be about; `other` names no record. */
export const COMPLAINT_SUBJECTS = ['index', 'market', 'proposal', 'rating', 'severity', 'notice', 'other'] as const
export type ComplaintSubject = (typeof COMPLAINT_SUBJECTS)[number]

/** Longest text of a complaint, in characters. */
export const COMPLAINT_TEXT_MAX = 8000

/** Outcomes of a complaint. */
export const COMPLAINT_OUTCOMES = ['upheld', 'partly_upheld', 'rejected'] as const
export type ComplaintOutcome = (typeof COMPLAINT_OUTCOMES)[number]

/** Kinds of entries of the calendar. */
export const CALENDAR_KINDS = [
  'rebalance',
  'fixing',
  'final_value',
  'comment_end',
  'vote_end',
  'notice_end',
  'emergency_lapse',
  'roster_expiry',
  'policy_expiry',
  'rating_expiry',
] as const
export type CalendarKind = (typeof CALENDAR_KINDS)[number]

/** Longest range of the calendar, in days. */
export const CALENDAR_DAYS_MAX = 400

/** Whether a market's rules were recorded for the first time, or differ from those before. */
export const RULE_CHANGE_KINDS = ['archived', 'changed'] as const
export type RuleChangeKind = (typeof RULE_CHANGE_KINDS)[number]

/** Texts of a market's rules, which a rule change compares. */
export const RULE_FIELDS = ['resolution_question', 'resolution_criteria', 'resolution_sources'] as const

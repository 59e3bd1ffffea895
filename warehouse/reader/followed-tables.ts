import type { TableName } from '../tables.ts'

/** Tables of governance, every revision of which is kept in memory. */
export const GOVERNANCE_REFERENCES = [
  'governance_roster',
  'governance_policy',
  'governance_proposal',
  'governance_act',
  'governance_notice',
  'governance_complaint',
] as const satisfies readonly TableName[]

/** Tables of eligibility and selection, every revision of which is kept in memory. */
export const ELIGIBILITY_REFERENCES = [
  'eligibility_policy',
  'eligibility_decision',
  'index_pro_forma',
] as const satisfies readonly TableName[]

/** Tables of late restatements. Memory holds all their rows. */
export const RESTATEMENT_REFERENCES = ['index_restatement'] as const satisfies readonly TableName[]

/** Small tables kept in memory with every revision, so that any instant is answered from memory. */
export const REFERENCE_TABLES = [
  'methodology',
  'index_definition',
  'index_version',
  'index_link',
  'event',
  'market',
  'market_resolution',
  'market_eligibility',
  'assessment_methodology',
  'severity_index_definition',
  'severity_index_version',
  ...GOVERNANCE_REFERENCES,
  ...ELIGIBILITY_REFERENCES,
  ...RESTATEMENT_REFERENCES,
] as const satisfies readonly TableName[]
export type ReferenceTableName = (typeof REFERENCE_TABLES)[number]

/** Tables that grow with time: memory keeps the newest row of each key. */
export const GROWING_TABLES = [
  'index_observation',
  'market_quote',
  'market_mark',
  'market_metric',
  'order_book',
  'public_trade',
  'ingest_health',
  'backfill_run',
  'schedule_act',
  'severity_index_value',
] as const satisfies readonly TableName[]
export type GrowingTableName = (typeof GROWING_TABLES)[number]

/** Records of a committee: memory keeps those in force now or later. */
const ASSESSMENT_TABLES = ['market_rating', 'severity_assessment'] as const satisfies readonly TableName[]
export type AssessmentTableName = (typeof ASSESSMENT_TABLES)[number]

/** Tables that are read from files alone: anybody can cause a row, so memory keeps none. */
const FILED_TABLES = ['refused_act'] as const satisfies readonly TableName[]
type FiledTableName = (typeof FILED_TABLES)[number]

/** Table that is not followed: its rows are large, never revised, and found by other records. */
export const ARCHIVE_TABLE = 'venue_payload'

/** Tables whose past is read from files. */
export type StoredTableName = GrowingTableName | AssessmentTableName | FiledTableName | typeof ARCHIVE_TABLE

export const FOLLOWED_TABLES = [...REFERENCE_TABLES, ...GROWING_TABLES, ...ASSESSMENT_TABLES, ...FILED_TABLES] as const
export type FollowedTableName = (typeof FOLLOWED_TABLES)[number]

/** Rule for the newest rows of a growing table: the key they are kept by, and their order. */
export type NewestRule = {
  readonly key: readonly string[]
  /** The newest row is the greatest by these columns, then by (published_at, row_ordinal). They end with the current key, so it is current. */
  readonly order: readonly string[]
}

/** methodology §14: the latest level is that of the greatest tick_at, the latest quote that of the greatest (source_at, received_at). */
export const NEWEST: Readonly<Record<GrowingTableName, NewestRule>> = {
  index_observation: { key: ['index_id'], order: ['tick_at', 'revision'] },
  market_quote: {
    key: ['market_id', 'outcome_id', 'source_series_id'],
    order: ['source_at', 'received_at', 'revision'],
  },
  market_mark: { key: ['market_id', 'outcome_id', 'source_series_id'], order: ['tick_at', 'revision'] },
  market_metric: { key: ['market_id'], order: ['source_at', 'received_at', 'revision'] },
  order_book: { key: ['market_id', 'outcome_id'], order: ['source_at', 'received_at', 'revision'] },
  public_trade: { key: ['market_id'], order: ['source_at', 'received_at', 'revision'] },
  ingest_health: { key: ['venue_id'], order: ['source_at'] },
  backfill_run: { key: ['backfill_id'], order: ['updated_at'] },
  schedule_act: { key: ['schedule_id'], order: ['source_at'] },
  severity_index_value: { key: ['severity_index_id'], order: ['source_cutoff_at', 'revision'] },
}

/** Columns that identify a series of a committee's records; at most one record of a series is in force at a time. */
export const SERIES_OF: Readonly<Record<AssessmentTableName, readonly string[]>> = {
  market_rating: ['market_id'],
  severity_assessment: ['event_id', 'assessment_type'],
}

/** Columns that identify a feed sequence: `prev_seq` is the seq of the last row with the same values. */
export const FEED_KEYS: Readonly<Record<FollowedTableName, readonly string[]>> = {
  methodology: ['methodology_id'],
  index_definition: ['index_id'],
  index_version: ['index_id'],
  index_link: ['index_id'],
  event: ['event_id'],
  market: ['market_id'],
  market_resolution: ['market_id'],
  market_eligibility: ['market_id'],
  assessment_methodology: ['methodology_id'],
  severity_index_definition: ['severity_index_id'],
  severity_index_version: ['severity_index_id'],
  governance_roster: ['version'],
  governance_policy: ['version'],
  governance_proposal: ['proposal_id'],
  governance_act: ['subject_id'],
  refused_act: ['subject'],
  governance_notice: ['index_id'],
  governance_complaint: ['complaint_id'],
  eligibility_policy: ['policy_id'],
  eligibility_decision: ['market_id'],
  index_pro_forma: ['index_id'],
  index_restatement: ['index_id'],
  index_observation: ['index_id'],
  market_quote: ['market_id'],
  market_mark: ['market_id'],
  market_metric: ['market_id'],
  order_book: ['market_id', 'outcome_id'],
  public_trade: ['market_id'],
  ingest_health: ['venue_id'],
  backfill_run: ['backfill_id'],
  schedule_act: ['schedule_id'],
  severity_index_value: ['severity_index_id'],
  market_rating: ['market_id'],
  severity_assessment: ['event_id'],
}

/** True for a table whose newest rows are kept in memory. */
export function isGrowing(table: FollowedTableName): table is GrowingTableName {
  return table in NEWEST
}

/** True for a table of a committee's records. */
export function isAssessment(table: FollowedTableName): table is AssessmentTableName {
  return table in SERIES_OF
}

/** True for a table of which memory keeps no row. */
export function isFiled(table: FollowedTableName): table is FiledTableName {
  return FILED_TABLES.some((name) => name === table)
}

/** True for a table whose revisions are all kept in memory. */
export function isReference(table: FollowedTableName): table is ReferenceTableName {
  return !isGrowing(table) && !isAssessment(table) && !isFiled(table)
}

import type { TableName } from '../tables.ts'

/** Small tables that are kept whole, every revision of them, so that any instant is answered from memory. */
const REFERENCE_TABLES = [
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
] as const satisfies readonly TableName[]
export type ReferenceTableName = (typeof REFERENCE_TABLES)[number]

/** Tables that grow with time: of these the newest row of each key is kept. */
export const GROWING_TABLES = [
  'index_observation',
  'market_quote',
  'market_mark',
  'market_metric',
  'order_book',
  'public_trade',
  'ingest_health',
  'backfill_run',
  'severity_index_value',
] as const satisfies readonly TableName[]
export type GrowingTableName = (typeof GROWING_TABLES)[number]

/** Records of a committee: of these, what is in force or may come into force is kept. */
const ASSESSMENT_TABLES = ['market_rating', 'severity_assessment'] as const satisfies readonly TableName[]
export type AssessmentTableName = (typeof ASSESSMENT_TABLES)[number]

/** Tables whose past is read from files. */
export type StoredTableName = GrowingTableName | AssessmentTableName

export const FOLLOWED_TABLES = [...REFERENCE_TABLES, ...GROWING_TABLES, ...ASSESSMENT_TABLES] as const
export type FollowedTableName = (typeof FOLLOWED_TABLES)[number]

/** Of a growing table: the columns that say whose newest row is kept, and which row of them is the newest. */
export type NewestRule = {
  readonly key: readonly string[]
  /** Greatest by these columns, then by (published_at, row_ordinal). Ends with the table's current key, so it is a current row. */
  readonly order: readonly string[]
}

/** methodology 4.13: the latest level is that of the greatest tick_at, the latest quote that of the greatest (source_at, received_at). */
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
  severity_index_value: { key: ['severity_index_id'], order: ['source_cutoff_at', 'revision'] },
}

/** What a record of a committee is about: of each there is at most one in force at a time. */
export const SERIES_OF: Readonly<Record<AssessmentTableName, readonly string[]>> = {
  market_rating: ['market_id'],
  severity_assessment: ['event_id', 'assessment_type'],
}

/** Columns whose rows are numbered as one sequence: `prev_seq` is the place of the last row of the same values. */
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
  index_observation: ['index_id'],
  market_quote: ['market_id'],
  market_mark: ['market_id'],
  market_metric: ['market_id'],
  order_book: ['market_id', 'outcome_id'],
  public_trade: ['market_id'],
  ingest_health: ['venue_id'],
  backfill_run: ['backfill_id'],
  severity_index_value: ['severity_index_id'],
  market_rating: ['market_id'],
  severity_assessment: ['event_id'],
}

/** Whether the newest rows of a table are found by a rule, rather than kept whole. */
export function isGrowing(table: FollowedTableName): table is GrowingTableName {
  return table in NEWEST
}

/** Whether a table is of records of which some are in force. */
export function isAssessment(table: FollowedTableName): table is AssessmentTableName {
  return table in SERIES_OF
}

/** Whether every revision of a table is kept. */
export function isReference(table: FollowedTableName): table is ReferenceTableName {
  return !isGrowing(table) && !isAssessment(table)
}

import type { TableName } from '../tables.ts'

/** Small tables that are kept whole, every revision of them, so that any instant is answered from memory. */
export const REFERENCE_TABLES = [
  'methodology',
  'index_definition',
  'index_version',
  'index_link',
  'event',
  'market',
  'market_resolution',
  'market_eligibility',
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
] as const satisfies readonly TableName[]
export type GrowingTableName = (typeof GROWING_TABLES)[number]

export const FOLLOWED_TABLES = [...REFERENCE_TABLES, ...GROWING_TABLES] as const
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
  index_observation: ['index_id'],
  market_quote: ['market_id'],
  market_mark: ['market_id'],
  market_metric: ['market_id'],
  order_book: ['market_id', 'outcome_id'],
  public_trade: ['market_id'],
  ingest_health: ['venue_id'],
  backfill_run: ['backfill_id'],
}

/** Whether the newest rows of a table are found by a rule, rather than kept whole. */
export function isGrowing(table: FollowedTableName): table is GrowingTableName {
  return table in NEWEST
}

import type { TableSchema } from '../schema.ts'
import { ID, TEXT, TIME } from './columns.ts'

/** State of the service for operators: reports of ingest sessions and backfills, and acts of people on schedules. */
export const OPERATIONS_TABLES = {
  /** State of one venue's ingest at `source_at`; counts cover all its sessions so far. */
  ingest_health: {
    columns: {
      health_id: ID,
      venue_id: ID,
      state: TEXT,
      last_success_at: TIME,
      last_source_at: TIME,
      gaps: 'BIGINT',
      quarantined: 'BIGINT',
      records_new: 'BIGINT',
      sessions: 'BIGINT',
      problem: TEXT,
      source_at: TIME,
    },
    required: ['health_id', 'venue_id', 'state', 'gaps', 'quarantined', 'records_new', 'sessions', 'source_at'],
    chain: ['venue_id'],
    current: ['source_at'],
    sort: ['venue_id', 'source_at'],
  },
  /** Progress of a backfill at `updated_at`. `subject_id` is a venue or an index. */
  backfill_run: {
    columns: {
      progress_id: ID,
      backfill_id: ID,
      subject_kind: TEXT,
      subject_id: ID,
      range_from: TIME,
      range_to: TIME,
      state: TEXT,
      chunks_total: 'INTEGER',
      chunks_done: 'INTEGER',
      records_new: 'BIGINT',
      started_at: TIME,
      updated_at: TIME,
    },
    required: [
      'progress_id',
      'backfill_id',
      'subject_kind',
      'subject_id',
      'range_from',
      'range_to',
      'state',
      'chunks_total',
      'chunks_done',
      'records_new',
      'started_at',
      'updated_at',
    ],
    chain: ['backfill_id'],
    current: ['updated_at'],
    sort: ['backfill_id', 'updated_at'],
  },
  /** Act of a person on a schedule at `source_at`: what is paused, by whom and why. The range is what was made up for. */
  schedule_act: {
    columns: {
      act_id: ID,
      schedule_id: ID,
      act: TEXT,
      actor: TEXT,
      reason: TEXT,
      range_from: TIME,
      range_to: TIME,
      source_at: TIME,
    },
    required: ['act_id', 'schedule_id', 'act', 'actor', 'reason', 'source_at'],
    chain: ['schedule_id'],
    current: ['source_at'],
    sort: ['schedule_id', 'source_at'],
  },
} as const satisfies Record<string, TableSchema>

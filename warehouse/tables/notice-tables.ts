import { list, struct, type TableSchema } from '../schema.ts'
import { CURRENT_REVISION, ID, TEXT, TIME } from './columns.ts'

/** Signature of a member; null where the service itself published. */
const SIGNED = { actor_id: ID, public_key: TEXT, signed_text: TEXT, signature: TEXT } as const

/** Notices, and complaints with their acts. */
export const NOTICE_TABLES = {
  /**
   * A notice, which never changes. The service derives its own from published records, which `source_ids` names; members sign theirs.
   * `changes` has old and new values as texts, because levels, payouts and words are among them.
   */
  governance_notice: {
    columns: {
      notice_id: ID,
      kind: TEXT,
      subject_id: ID,
      index_id: ID,
      market_id: ID,
      venue_id: ID,
      proposal_id: ID,
      title: TEXT,
      text: TEXT,
      cause: TEXT,
      effective_at: TIME,
      starts_at: TIME,
      ends_at: TIME,
      changes: list(struct({ record_id: ID, at: TIME, field: TEXT, old_value: TEXT, new_value: TEXT })),
      source_ids: list(ID),
      follows_notice_id: ID,
      corrects_notice_id: ID,
      draft: TEXT,
      draft_sha256: TEXT,
      ...SIGNED,
      acted_at: TIME,
    },
    required: ['notice_id', 'kind', 'title', 'text', 'changes', 'source_ids'],
    chain: ['notice_id'],
    current: [],
    sort: ['notice_id'],
  },
  /** Each act on a complaint is a revision with the signed text; `text` is what was cleared for publication. */
  governance_complaint: {
    columns: {
      complaint_id: ID,
      revision: 'INTEGER',
      state: TEXT,
      subject_kind: TEXT,
      subject_id: ID,
      text: TEXT,
      text_sha256: TEXT,
      is_redacted: 'BOOLEAN',
      filed_at: TIME,
      handler: ID,
      outcome: TEXT,
      reason: TEXT,
      proposal_id: ID,
      act: TEXT,
      ...SIGNED,
      acted_at: TIME,
      recorded_at: TIME,
    },
    required: [
      'complaint_id',
      'revision',
      'state',
      'subject_kind',
      'text_sha256',
      'filed_at',
      'act',
      'actor_id',
      'public_key',
      'signed_text',
      'signature',
      'acted_at',
      'recorded_at',
    ],
    chain: ['complaint_id'],
    current: CURRENT_REVISION,
    sort: ['complaint_id', 'revision'],
  },
} as const satisfies Record<string, TableSchema>

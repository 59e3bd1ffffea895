import { list, struct, type TableSchema } from '../schema.ts'
import { CURRENT_REVISION, ID, TEXT, TIME } from './columns.ts'

/** A roster or policy that was put in force; `document` is the signed text (RFC 8785), `record_hash` its SHA-256. */
const VERSIONED = {
  columns: {
    version: 'INTEGER',
    record_hash: TEXT,
    previous_hash: TEXT,
    proposal_id: ID,
    effective_from: TIME,
    expires_at: TIME,
    document: TEXT,
    act_id: ID,
  },
  required: ['version', 'record_hash', 'proposal_id', 'effective_from', 'expires_at', 'document', 'act_id'],
  chain: ['version'],
  current: [],
  sort: ['version'],
} as const satisfies TableSchema

const VOTES = list(struct({ actor_id: ID, choice: TEXT, public_key: TEXT, acted_at: TIME }))

/** Records of governance: everything follows from the acts. */
export const GOVERNANCE_TABLES = {
  governance_roster: VERSIONED,
  governance_policy: VERSIONED,
  /** Each state of a proposal is a revision. `content` is RFC 8785. */
  governance_proposal: {
    columns: {
      proposal_id: ID,
      revision: 'INTEGER',
      kind: TEXT,
      target: ID,
      base_hash: TEXT,
      content: TEXT,
      rationale: TEXT,
      impact_digest: TEXT,
      emergency: TEXT,
      change_class: TEXT,
      state: TEXT,
      reason: TEXT,
      proposed_by: ID,
      proposed_at: TIME,
      comment_ends_at: TIME,
      vote_ends_at: TIME,
      effective_at: TIME,
      expires_at: TIME,
      lapses_at: TIME,
      votes: VOTES,
      ratifications: VOTES,
      recused: list(ID),
      act_id: ID,
    },
    required: [
      'proposal_id',
      'revision',
      'kind',
      'target',
      'content',
      'rationale',
      'change_class',
      'state',
      'proposed_by',
      'proposed_at',
      'comment_ends_at',
      'expires_at',
      'votes',
      'ratifications',
      'recused',
      'act_id',
    ],
    chain: ['proposal_id'],
    current: CURRENT_REVISION,
    sort: ['proposal_id', 'revision'],
  },
  /**
   * Every act of governance, in one sequence, so that two acts never follow the same one. `recorded_at` is the service's clock, from
   * which delays count; `records` are the resulting rows by table, RFC 8785. The service signs nothing.
   */
  governance_act: {
    columns: {
      act_id: ID,
      sequence: 'INTEGER',
      act: TEXT,
      kind: TEXT,
      subject_id: ID,
      actor_id: ID,
      roles: list(TEXT),
      public_key: TEXT,
      signed_text: TEXT,
      signature: TEXT,
      acted_at: TIME,
      recorded_at: TIME,
      records: TEXT,
    },
    required: [
      'act_id',
      'sequence',
      'act',
      'kind',
      'subject_id',
      'actor_id',
      'roles',
      'signed_text',
      'acted_at',
      'recorded_at',
      'records',
    ],
    chain: ['sequence'],
    current: [],
    sort: ['sequence'],
  },
} as const satisfies Record<string, TableSchema>

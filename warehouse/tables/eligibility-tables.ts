import { list, struct, type TableSchema } from '../schema.ts'
import { CURRENT_REVISION, ID, REVISED, TEXT, TIME, WEIGHT } from './columns.ts'

/** Facts that a decision used, with the records that they came from. */
const FACTS = list(struct({ fact: TEXT, value: TEXT, observed_at: TIME, source_table: TEXT, source_id: ID }))

/** Policies of eligibility, decisions by them, and compositions that were selected by them. */
export const ELIGIBILITY_TABLES = {
  /** Versions of policies. `document` is RFC 8785, `record_hash` its SHA-256; ungoverned ones have no proposal and no act. */
  eligibility_policy: {
    columns: {
      policy_id: ID,
      version: 'INTEGER',
      name: TEXT,
      record_hash: TEXT,
      previous_hash: TEXT,
      proposal_id: ID,
      effective_from: TIME,
      document: TEXT,
      act_id: ID,
    },
    required: ['policy_id', 'version', 'name', 'record_hash', 'effective_from', 'document'],
    chain: ['policy_id', 'version'],
    current: [],
    sort: ['policy_id', 'version'],
  },
  /** Decision of a policy about a market; a revision for each change of status or reasons. `facts_as_of` bounds the facts. */
  eligibility_decision: {
    columns: {
      decision_id: ID,
      ...REVISED,
      market_id: ID,
      policy_id: ID,
      policy_version: 'INTEGER',
      policy_hash: TEXT,
      status: TEXT,
      reason_codes: list(TEXT),
      facts: FACTS,
      facts_as_of: TIME,
    },
    required: [
      'decision_id',
      'revision',
      'market_id',
      'policy_id',
      'policy_version',
      'policy_hash',
      'status',
      'facts',
      'facts_as_of',
    ],
    chain: ['market_id', 'policy_id', 'policy_version'],
    current: CURRENT_REVISION,
    sort: ['market_id', 'policy_id', 'policy_version', 'revision'],
  },
  /**
   * Composition of a version before it is published: selected from the facts known at `selected_as_of`, frozen, announced.
   * `definition` is the version as it will be published, RFC 8785.
   */
  index_pro_forma: {
    columns: {
      pro_forma_id: ID,
      index_id: ID,
      index_version_id: ID,
      version: TEXT,
      effective_from: TIME,
      selected_as_of: TIME,
      is_governed: 'BOOLEAN',
      base_version_id: ID,
      methodology_id: ID,
      methodology_version: TEXT,
      policy_id: ID,
      policy_version: 'INTEGER',
      policy_hash: TEXT,
      definition: TEXT,
      constituents: list(
        struct({
          constituent_id: ID,
          market_id: ID,
          outcome_id: ID,
          target_weight: WEIGHT,
          // No INTEGER: DuckDB writes one without values in a list so that Arrow cannot read it.
          rank: 'BIGINT',
          ranking_value: TEXT,
          rating_id: ID,
          is_incumbent: 'BOOLEAN',
          reason_codes: list(TEXT),
          facts: FACTS,
        }),
      ),
      candidates: list(
        struct({
          market_id: ID,
          eligibility_status: TEXT,
          eligibility_reason_codes: list(TEXT),
          rank: 'BIGINT',
          ranking_value: TEXT,
          is_incumbent: 'BOOLEAN',
          is_selected: 'BOOLEAN',
          reason_codes: list(TEXT),
        }),
      ),
      record_hash: TEXT,
    },
    required: [
      'pro_forma_id',
      'index_id',
      'index_version_id',
      'version',
      'effective_from',
      'selected_as_of',
      'is_governed',
      'policy_id',
      'policy_version',
      'policy_hash',
      'definition',
      'constituents',
      'candidates',
      'record_hash',
    ],
    chain: ['index_id', 'effective_from'],
    current: [],
    sort: ['index_id', 'effective_from'],
  },
} as const satisfies Record<string, TableSchema>

import type { ViewMeaning } from './view-meaning.ts'

/** Views of indexes: definitions, levels and compositions. */
export const INDEX_VIEWS = {
  methodology: {
    row: 'a version of a methodology',
    columns: {
      methodology_id: 'methodology',
      content_hash: 'SHA-256 of parameters and normative text',
      text_sha256: 'SHA-256 of the normative text',
    },
  },
  index_definition: {
    row: 'an index: its presentation and its base',
    columns: {
      status: 'draft, scheduled, active, suspended or archived',
      unit: 'unit of the levels',
      base_value: 'level at the base',
      base_date: 'first instant at which a level may exist',
      active_version_id: 'version in force at the instant of the query',
    },
  },
  index_version: {
    row: 'a version of an index, with its constituents',
    columns: {
      mode: 'gauge or chain_linked',
      calculation_frequency: 'distance of the ticks, ISO 8601',
      rebalance_rule: 'how the next version is decided',
      minimum_coverage_ratio: 'coverage below which a level is degraded',
      approved_by: 'who approved it',
      approved_at: 'when it was approved',
      supersedes_version_id: 'version that this one follows',
      change_summary: 'what changed, for people',
      governance: 'how it was decided: none or governed; null, which the API answers as none: one person applied it',
      announced_at: 'when it was announced; null: one person applied it',
      effective_at: 'when the decision took effect; null: one person applied it',
      constituents: 'constituents with weights, rules and ids',
    },
  },
  constituent: {
    row: 'a constituent of a version',
    columns: {
      version: 'name of the version of the index',
      market_id: 'market of its own leg: the only one, the first of several, or that of the tracked outcome',
      outcome_id: 'outcome of its own leg',
      effective_weight_at_publication: 'weight when the version was published',
      eligibility_status: 'eligibility when the version was published',
      eligibility_reason_codes: 'reasons of that eligibility',
      rating_assessment_id_at_selection: 'rating when it was selected',
      mapping_id: 'id of the mapping to the venue',
      mapping_valid_from: 'start of that mapping',
      mapping_valid_to: 'end of that mapping; null: open',
      constituent_ordinal: 'place in the definition, from 1',
    },
  },
  index_link: {
    row: 'the link factor of a version',
    columns: {
      link_at: 'instant of the link',
      previous_link_factor: 'link factor of the version before',
      level_at_link: 'level that both versions have there',
      composition_step: 'step of the level that the link removed',
    },
  },
  index_observation: {
    row: 'a published level',
    columns: {
      observation_id: 'id of the observation',
      index_version: 'name of the version in force at the tick',
      underlying_quality_state: 'state that a corrected level would have',
      missing_constituent_ids: 'constituents without a usable value',
      excluded_inputs: 'inputs kept out of the level, with the numbers behind it as text',
      input_observation_ids: 'records that the level was made from',
      calculation_run_id: 'calculation run',
      input_digest: 'SHA-256 of the inputs',
      inputs: 'one entry a constituent; index_observation_input has them as rows',
    },
  },
  index_observation_input: {
    row: 'one input of a published level',
    columns: {
      observation_id: 'observation of the level',
      market_id:
        "market of the constituent's own leg: the only one, the first of several, or that of the tracked outcome; the marks used are in legs",
      outcome_id: "outcome of the constituent's own leg; the marks used are in legs",
      used_market_id: 'market of the marks used; null: several markets, or none',
      used_outcome_id: 'outcome of the mark used; null: several, or none',
      input_ordinal: 'place among the inputs, from 1',
      source_observation_id: 'newest record behind the value',
      weight_applied: 'weight after missing inputs were left out',
      raw_value: 'mark of the outcome',
      normalized_value: 'value that entered the level; null: missing',
      exclusion_reason: 'why it was kept out; null: it was not',
      contribution: 'contribution to the level, in its unit',
      provisional: 'the value may still change',
      pending: 'the outlier filter holds back a newer value',
      legs: 'marks that entered the value, each with its market and its sources',
    },
  },
  index_restatement: {
    row: 'levels that an approved proposal restated late, with their old values',
    columns: {
      known_at: 'instant whose knowledge the new values have',
      changes: 'levels: old and new value',
    },
  },
  index_pro_forma: {
    row: 'an announced composition of an index, with every candidate',
    columns: {
      pro_forma_id: 'id of the announcement',
      selected_as_of: 'instant whose facts decided',
      is_governed: 'the index is decided by proposals',
      base_version_id: 'version that it was selected against',
      constituents: 'selected constituents',
      candidates: 'every candidate with its facts and its verdict',
    },
  },
  eligibility_policy: {
    row: 'a version of an eligibility policy',
    columns: {},
  },
  eligibility_decision: {
    row: 'a decision of a policy about a market, with the facts used',
    columns: {
      decision_id: 'id of the decision',
      status: 'eligible or not',
      facts: 'facts that decided, in JSON',
      facts_as_of: 'instant of the facts',
    },
  },
} as const satisfies Readonly<Record<string, ViewMeaning>>

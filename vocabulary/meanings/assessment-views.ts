import type { ViewMeaning } from './view-meaning.ts'

/** Views of ratings, severity, governance and the work of the service. */
export const ASSESSMENT_VIEWS = {
  assessment_methodology: {
    row: 'the rules of ratings and severity, with their full text',
    columns: { methodology_id: 'methodology' },
  },
  market_rating: {
    row: 'how good a market is as a source of prices; the plain view has the rating in force',
    columns: {
      rating_id: 'id of the rating',
      band: 'band of the rating',
      score: 'score from which the band follows',
      outlook: 'expected direction',
      watch_status: 'whether it is under watch',
      day_band: "band of the day's data alone",
      previous_band: 'band before',
      previous_score: 'score before',
    },
  },
  severity_assessment: {
    row: 'how severe an event was or will be; the plain view has the assessment in force',
    columns: {
      assessment_id: 'id of the assessment',
      assessment_type: 'realized or forecast',
      level: 'severity level',
      score: 'score from which the level follows',
      score_range: 'low and high of the score',
      event_time_window: 'time that the assessment is about',
      forecast_horizon_end: 'end of the forecast',
      exceedance: 'probabilities of exceeding each level',
      scenarios: 'scenarios of the forecast',
      news_hash: 'SHA-256 of the news that it used',
      previous_score: 'score before',
    },
  },
  severity_index_definition: {
    row: 'a severity index',
    columns: { severity_index_id: 'severity index', unit: 'unit of the values' },
  },
  severity_index_version: {
    row: 'a version of a severity index',
    columns: {
      severity_index_version_id: 'version of the severity index',
      severity_index_id: 'severity index',
      assessment_type: 'kind of assessments that it reads',
    },
  },
  severity_index_value: {
    row: 'a value of a severity index; not a price',
    columns: {
      value_id: 'id of the value',
      severity_index_id: 'severity index',
      severity_index_version_id: 'version in force',
      value: 'the value in its unit',
      level_equivalent: 'severity level of the value',
      input_assessment_ids: 'assessments that it was made from',
      inputs: 'inputs with their weights',
    },
  },
  assessment_act: {
    row: 'an act of a review, with its signed text',
    columns: { subject_id: 'market or event of the record', chain_id: 'record under review' },
  },
  refused_act: {
    row: 'a rejected act, with its signed text and the error',
    columns: {
      refusal_id: 'id of the refusal',
      record_id: 'record that the act was about',
      code: 'error code',
      message: 'error message',
    },
  },
  governance_roster: {
    row: 'who may decide from an instant on; signed and linked by hashes',
    columns: { version: 'number of the roster' },
  },
  governance_policy: {
    row: 'signatures and delays that decisions need; signed and linked by hashes',
    columns: { version: 'number of the policy' },
  },
  governance_proposal: {
    row: 'what somebody proposed to change, in each of its states',
    columns: {
      proposal_id: 'id of the proposal',
      target: 'what it changes',
      base_hash: 'record_hash of what it changes',
      content: 'proposed content, in canonical JSON',
      impact_digest: 'digest of its impact; null: none',
      emergency: 'it takes effect at once and needs ratification',
      proposed_at: 'when it was proposed',
      comment_ends_at: 'end of the time for comments',
      vote_ends_at: 'end of the vote',
      expires_at: 'when it expires without a decision',
      lapses_at: 'when an emergency lapses without ratification',
      votes: 'votes so far',
      ratifications: 'ratifications so far',
      recused: 'members who do not vote',
    },
  },
  governance_act: {
    row: 'an act of governance, with its signed text',
    columns: { sequence: 'number of the act, from 1' },
  },
  governance_notice: {
    row: 'a notice, which never changes',
    columns: {
      notice_id: 'id of the notice',
      cause: 'why it was published',
      changes: 'changed values',
      source_ids: 'records behind it',
      follows_notice_id: 'notice that it follows up',
      corrects_notice_id: 'notice that it corrects',
      draft: 'drafted definition that the notice proposes; null: none',
      draft_sha256: 'SHA-256 of the draft',
    },
  },
  governance_complaint: {
    row: 'a complaint that is public, after each signed act on it',
    columns: {
      complaint_id: 'id of the complaint',
      is_redacted: 'parts of the text are left out',
      filed_at: 'when it was filed',
      handler: 'who handles it',
      outcome: 'decision; null: none yet',
    },
  },
  ingest_health: {
    row: "the health of a venue's ingest at an instant, for operators",
    columns: {
      health_id: 'id of the report',
      last_success_at: 'last successful answer',
      last_source_at: 'newest source time received',
      state: 'ok, degraded or down; the page shows a venue without reports as silent',
      gaps: 'times that messages were missing or a stream had to be reopened, in all sessions',
      quarantined: 'records in quarantine, of all sessions',
      records_new: 'records stored, of all sessions',
      sessions: 'connections opened, of all sessions',
      problem: 'why the state is not ok; null: it is',
    },
  },
  backfill_run: {
    row: 'the progress of a backfill at an instant',
    columns: {
      progress_id: 'id of the report',
      backfill_id: 'id of the backfill',
      chunks_total: 'parts of the work',
      chunks_done: 'parts that are done',
      records_new: 'records that it added',
      started_at: 'when it began',
    },
  },
  schedule_act: {
    row: 'who paused or resumed a schedule, when and why',
    columns: { act_id: 'id of the act', schedule_id: 'schedule', actor: 'who acted' },
  },
} as const satisfies Readonly<Record<string, ViewMeaning>>

/** Examples that need the live world or the sandbox of `tidemark up`; the sample week has no such records. */
export const LIVE_EXAMPLES: readonly string[] = [
  'get_executable_band',
  'get_order_book',
  'list_trades',
  'get_market_rating',
  'list_market_ratings',
  'list_ratings',
  'get_rating',
  'get_rating_methodology',
  'get_rating_proof',
  'get_rating_methodology_proof',
  'get_event_severity',
  'list_event_severity',
  'list_severity_assessments',
  'get_severity_assessment',
  'get_severity_assessment_proof',
  'list_severity_indexes',
  'get_severity_index',
  'get_severity_index_version',
  'get_severity_index_value',
  'list_severity_index_values',
  'get_severity_methodology',
  'get_severity_methodology_proof',
  'file_complaint',
  'get_index_eligibility',
  'get_log_checkpoint',
  'get_log_vkey',
]

/** Files of a log with many entries: a service that has just begun has their first part alone, under another name. */
export const LOG_TILE_EXAMPLES: readonly string[] = ['get_log_tile', 'get_log_entries']

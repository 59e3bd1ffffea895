import type { Micros } from '../../primitives/instants.ts'
import { BINARY_OUTCOMES } from '../../vocabulary/market.ts'
import {
  idField,
  instantField,
  type JsonObject,
  optionalText,
  requiredText,
  scheduleField,
  textOrNotAvailable,
} from '../text/json-fields.ts'
import { checkClocks } from './forecastbench.ts'
import { type Parsed, parseRecord } from './quarantine.ts'
import type { Origin, ReferenceRecord } from './record.ts'

/**
 * Parses one line of market_questions.jsonl as a market and its event: the question of `source` in one question set, published
 * at `committed_at`. Every market of these sources is binary. Its close date is a plan, never a status.
 * @param now the wall clock: nothing can have been received later
 */
export function parseForecastbenchQuestion(origin: Origin, line: JsonObject, now: Micros): Parsed<ReferenceRecord> {
  return parseRecord(() => {
    const committed_at = instantField(line, 'committed_at')
    const source_market_id = idField(line, 'id')
    const question = requiredText(line, 'question')
    const closes_at = scheduleField(line, 'market_info_close_datetime')
    checkClocks({ source_at: committed_at, received_at: committed_at }, now)
    return {
      file: origin.file,
      line: origin.line,
      venue_id: idField(line, 'source'),
      source_series_id: idField(line, 'question_set'),
      source_event_id: source_market_id,
      source_market_id,
      source_at: committed_at,
      received_at: committed_at,
      title: question,
      event_title: question,
      description: textOrNotAvailable(line, 'background'),
      category: null,
      status: null,
      outcome_type: 'binary',
      outcomes: BINARY_OUTCOMES,
      resolution_question: question,
      resolution_criteria:
        textOrNotAvailable(line, 'market_info_resolution_criteria') ?? optionalText(line, 'resolution_criteria'),
      source_url: textOrNotAvailable(line, 'url'),
      trading: null,
      opens_at: scheduleField(line, 'market_info_open_datetime'),
      closes_at,
      expected_resolution_at: closes_at,
    }
  })
}

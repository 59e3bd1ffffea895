import { SCALE } from '../../primitives/decimal.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { toScaled } from '../../primitives/scaled.ts'
import { BINARY_OUTCOMES, FINALITIES, MARKET_STATUSES } from '../../vocabulary/market.ts'
import { resolutionIdOf } from '../revisions/identity.ts'
import { readId, readUnitValue, readWord } from '../text/fields.ts'
import {
  idField,
  instantField,
  type JsonObject,
  optionalIdField,
  optionalInstantField,
  optionalText,
  requiredText,
} from '../text/json-fields.ts'
import { checkClocks } from './forecastbench.ts'
import { missingField, type Parsed, parseRecord, Quarantined } from './quarantine.ts'
import { type KnownOutcomes, marketKey } from './quotes-archive.ts'
import type { Origin, Payout, ReferenceRecord, ResolutionRecord } from './record.ts'

const OUTCOMES_MAX = 256

/**
 * Parses one line of markets.jsonl: the whole statement about a market as of `received_at`; a status has its own `status_at`.
 */
export function parseMarketLine(origin: Origin, line: JsonObject, now: Micros): Parsed<ReferenceRecord> {
  return parseRecord(() => {
    const received_at = instantField(line, 'received_at')
    const source_market_id = idField(line, 'source_market_id')
    const title = requiredText(line, 'title')
    const status_text = optionalText(line, 'status')
    const status = status_text === null ? null : readWord(status_text, MARKET_STATUSES)
    const source_at = status === null ? received_at : instantField(line, 'status_at')
    const outcomes = readOutcomes(line.outcomes)
    checkClocks({ source_at, received_at }, now)
    return {
      file: origin.file,
      line: origin.line,
      venue_id: idField(line, 'venue_id'),
      source_series_id: optionalIdField(line, 'source_series_id'),
      source_event_id: optionalIdField(line, 'source_event_id') ?? source_market_id,
      source_market_id,
      source_at,
      received_at,
      title,
      event_title: optionalText(line, 'event_title') ?? title,
      description: optionalText(line, 'description'),
      category: optionalText(line, 'category'),
      status,
      outcome_type: outcomes.join() === BINARY_OUTCOMES.join() ? 'binary' : 'categorical',
      outcomes,
      resolution_question: optionalText(line, 'resolution_question') ?? title,
      resolution_criteria: optionalText(line, 'resolution_criteria'),
      source_url: optionalText(line, 'source_url'),
      trading: null,
      opens_at: optionalInstantField(line, 'opens_at'),
      closes_at: optionalInstantField(line, 'closes_at'),
      expected_resolution_at: optionalInstantField(line, 'expected_resolution_at'),
    }
  })
}

/** Parses one line of resolutions.jsonl: the venue's statement about how a market ends, as of `received_at`. */
export function parseResolutionLine(
  origin: Origin & { readonly text: string },
  line: JsonObject,
  outcomes: KnownOutcomes,
  now: Micros,
): Parsed<ResolutionRecord> {
  return parseRecord(() => {
    const where = {
      file: origin.file,
      line: origin.line,
      venue_id: idField(line, 'venue_id'),
      source_series_id: optionalIdField(line, 'source_series_id'),
      source_market_id: idField(line, 'source_market_id'),
      source_at: instantField(line, 'source_at'),
      received_at: instantField(line, 'received_at'),
    }
    checkClocks(where, now)
    const finality = readWord(requiredText(line, 'finality'), FINALITIES)
    const labels = outcomes.get(marketKey(where.venue_id, where.source_market_id))
    if (labels === undefined) throw new Quarantined('UNKNOWN_MARKET')
    const evidence_id = resolutionIdOf(where, formatMicros(where.source_at), formatMicros(where.received_at))
    const content_hash = `sha256:${sha256Hex(origin.text)}`
    return {
      ...where,
      finality,
      payouts: readPayouts(line.payouts, labels, finality),
      dispute_window_ends_at: optionalInstantField(line, 'dispute_window_ends_at'),
      evidence: { evidence_id, kind: 'archive_row', source_uri: optionalText(line, 'source_uri'), content_hash },
    }
  })
}

function readOutcomes(value: unknown): readonly string[] {
  if (value === undefined || value === null) return BINARY_OUTCOMES
  if (!Array.isArray(value) || value.length < 2 || value.length > OUTCOMES_MAX) throw new Quarantined('BAD_TEXT')
  const labels = value.map((label: unknown) => {
    if (typeof label !== 'string') throw new Quarantined('BAD_TEXT')
    return readId(label)
  })
  if (new Set(labels).size !== labels.length) throw new Quarantined('BAD_TEXT')
  return labels
}

/**
 * Reads payouts by outcome label; none if the record need not state them. Those of a final record cover every outcome and sum
 * to 1.
 */
function readPayouts(value: unknown, labels: readonly string[], finality: string): Payout[] {
  const given = value ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) throw new Quarantined('BAD_TEXT')
  const stated = new Map<string, unknown>(Object.entries(given))
  if ([...stated.keys()].some((label) => !labels.includes(label))) throw new Quarantined('UNKNOWN_OUTCOME')
  if (stated.size === 0 && finality !== 'final') return []
  const payouts = labels.map((outcome) => ({ outcome, payout: readPayout(stated.get(outcome)) }))
  const total = payouts.reduce((sum, { payout }) => sum + toScaled(payout, SCALE.observed_value), 0n)
  if (total !== toScaled('1', SCALE.observed_value)) throw new Quarantined('PAYOUTS_NOT_ONE')
  return payouts
}

function readPayout(value: unknown) {
  if (value === undefined || value === null) throw missingField('the payout of each outcome')
  if (typeof value !== 'string') throw new Quarantined('BAD_VALUE')
  return readUnitValue(value, SCALE.observed_value)
}

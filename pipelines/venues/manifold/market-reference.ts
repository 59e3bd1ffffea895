import { BINARY_OUTCOMES } from '../../../vocabulary/market.ts'
import { optionalText, requiredText } from '../../text/json-fields.ts'
import { Quarantined } from '../quarantine.ts'
import type { ReferenceRecord } from '../record.ts'
import { scheduleMillis } from '../source-times.ts'
import type { ManifoldAnswer, ManifoldMarket } from './manifold-market.ts'
import { tradingOf } from './market-facts.ts'

/**
 * Returns a market's description. It is its own event, because the venue groups markets by topic only. Neither the asker's name
 * nor the part of the address that holds it is kept.
 * @throws Quarantined MISSING_FIELD, BAD_TEXT; UNKNOWN_SHAPE if two answers have one id
 */
export function marketReference(market: ManifoldMarket): ReferenceRecord {
  const { origin, id, fields, answers, resolved_at, received_at } = market
  const title = requiredText(fields, 'question')
  const outcomes = answers.length === 0 ? BINARY_OUTCOMES : answers.map((answer) => answer.id)
  if (new Set(outcomes).size !== outcomes.length) throw new Quarantined('UNKNOWN_SHAPE')
  const closes_at = scheduleMillis(fields, 'closeTime')
  const status = statusOf(market, closes_at)
  const slug = optionalText(fields, 'slug')
  return {
    file: origin.file,
    line: origin.line,
    path: origin.path,
    venue_id: 'manifold',
    source_series_id: null,
    source_event_id: id,
    source_market_id: id,
    slug,
    event_slug: slug,
    source_at: resolved_at ?? (status === 'closed' ? closes_at : null) ?? received_at,
    received_at,
    title,
    event_title: title,
    description: optionalText(fields, 'textDescription'),
    category: null,
    status,
    outcome_type: answers.length === 0 ? 'binary' : 'categorical',
    outcomes,
    ...(answers.length === 0 ? {} : { outcome_labels: answers.map(labelOf) }),
    resolution_question: title,
    resolution_criteria: null,
    source_url: addressOf(optionalText(fields, 'url')),
    trading: tradingOf(fields),
    opens_at: scheduleMillis(fields, 'createdTime'),
    closes_at,
    expected_resolution_at: null,
  }
}

/**
 * Returns a market's status. It can close before anybody resolves it; `closeTime` may be past or null. CANCEL returns the
 * stakes.
 */
function statusOf({ fields, is_resolved, received_at }: ManifoldMarket, closes_at: number | null) {
  if (is_resolved) return fields.resolution === 'CANCEL' ? 'voided' : 'resolved'
  return closes_at !== null && closes_at <= received_at ? 'closed' : 'open'
}

/** Returns an answer's text, which may change; its id where the venue states none. */
function labelOf({ id, fields }: ManifoldAnswer): string {
  return optionalText(fields, 'text') ?? id
}

/** Returns `https://manifold.markets/<any name>/<slug>`, which finds the market by its slug alone. */
function addressOf(url: string | null): string | null {
  const match = /^(https:\/\/[^/?#]+)\/[^/?#]+\/([^/?#]+)$/.exec(url ?? '')
  return match === null ? null : `${match[1]}/market/${match[2]}`
}

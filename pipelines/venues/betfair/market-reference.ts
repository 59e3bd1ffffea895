import type { Micros } from '../../../primitives/instants.ts'
import type { Origin, ReferenceRecord } from '../record.ts'
import { BETFAIR } from './endpoints.ts'
import type { Runner } from './ladders.ts'
import type { Market } from './market-memory.ts'

/**
 * Returns the description of a market so far. The outcomes are the labels of all its runners, removed ones too, because they
 * have a past; `resolution_question` names them: `44331354 1. Paradise Mission, ...`. An event that is being played is
 * described as `in play`.
 */
export function marketReference(
  market: Market,
  origin: Origin,
  source_at: Micros,
  received_at: Micros,
): ReferenceRecord {
  const { id, texts, terms } = market
  const runners = [...market.runners.values()]
  return {
    ...origin,
    venue_id: BETFAIR,
    source_series_id: null,
    source_event_id: texts.event_id ?? id,
    source_market_id: id,
    source_at,
    received_at,
    title: texts.name ?? texts.market_type ?? id,
    event_title: texts.event_name ?? texts.event_id ?? id,
    description: terms?.is_in_play === true ? 'in play' : null,
    category: texts.category,
    status: statusOf(market, runners),
    outcome_type: 'categorical',
    outcomes: runners.map(({ label }) => label),
    resolution_question: namesOf(runners),
    resolution_criteria: texts.rules,
    source_url: null,
    trading: null,
    event_details: texts.details,
    opens_at: null,
    closes_at: market.closes_at,
    expected_resolution_at: null,
  }
}

/**
 * Returns a market's status. A closed market without any result, for example while it waits for one, is closed; one that lost all its
 * runners is void.
 */
function statusOf({ terms, settlement }: Market, runners: readonly Runner[]): ReferenceRecord['status'] {
  switch (terms?.status) {
    case undefined:
      return null
    case 'INACTIVE':
      return 'scheduled'
    case 'OPEN':
      return 'open'
    case 'SUSPENDED':
      return 'paused'
    case 'CLOSED':
      if (runners.every(({ is_removed }) => is_removed)) return 'voided'
      return settlement === null ? 'closed' : 'resolved'
  }
}

function namesOf(runners: readonly Runner[]): string | null {
  const named = runners.filter(({ name }) => name !== null)
  return named.length === 0 ? null : named.map(({ label, name }) => `${label} ${name}`).join(', ')
}

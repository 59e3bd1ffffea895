import { sha256Hex } from '../../primitives/ids.ts'
import { ENDED_STATUSES, type EventStatus } from '../../vocabulary/market.ts'
import { OWN_RULES_VERSION, OWN_VENUE, RULES_TIMEZONES } from '../../vocabulary/venue.ts'

/*
 * Facts that follow from stored records: a record that does not state them is completed where it is read, so records of earlier
 * releases have them too. warehouse/read/sql/market.sql and event.sql state the same rules; a test compares them.
 */

/** Texts of a market's rules as received. */
type RulesTexts = {
  readonly resolution_question?: unknown
  readonly resolution_criteria?: unknown
  readonly resolution_sources?: unknown
}

const SEPARATOR = '\u001f'

/**
 * Returns the version of a market's rules: of one listed here the version of the listing; else the SHA-256 of the texts as received
 * (question, criteria, sources in their order), joined by U+001F. Equal texts have equal versions.
 */
export function rulesVersionOf(venue_id: string | null, rules: RulesTexts): string {
  return venue_id === OWN_VENUE ? OWN_RULES_VERSION : sha256Hex(rulesTextOf(rules))
}

/** Returns the text that the hash of rules covers. */
export function rulesTextOf(rules: RulesTexts): string {
  const sources = (rules.resolution_sources ?? []) as readonly string[]
  return [rules.resolution_question ?? '', rules.resolution_criteria ?? '', ...sources].join(SEPARATOR)
}

/** Returns the zone of the times in a venue's rules; null where neither the market nor the venue's documentation fixes one. */
export function rulesTimezoneOf(venue_id: string | null, stated: string | null): string | null {
  return stated ?? RULES_TIMEZONES[venue_id ?? ''] ?? null
}

/**
 * Returns the status of an event: as its source states it, else by its markets: the last one to end ends it.
 * @param markets statuses of its markets under their current resolutions; null: not known
 */
export function eventStatusOf(stated: string | null, markets: readonly (string | null)[]): EventStatus | string | null {
  if (stated !== null || markets.length === 0 || markets.includes(null)) return stated
  return markets.every((status) => ENDED_STATUSES.includes(status)) ? 'ended' : 'ongoing'
}

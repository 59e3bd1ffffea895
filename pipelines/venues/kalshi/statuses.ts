import { optionalText } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import type { ReferenceRecord, ResolutionRecord } from '../record.ts'

type Status = NonNullable<ReferenceRecord['status']>

/** The words of a market's `status` field and those of the list filter, which differ. */
const STATUSES = new Map<string, Status>([
  ['initialized', 'scheduled'],
  ['unopened', 'scheduled'],
  ['active', 'open'],
  ['open', 'open'],
  ['inactive', 'paused'],
  ['paused', 'paused'],
  ['closed', 'closed'],
  ['determined', 'resolving'],
  ['disputed', 'resolving'],
  ['amended', 'resolving'],
  ['finalized', 'resolved'],
  ['settled', 'resolved'],
])

/** A market's status in our words; null where it has none. @throws Quarantined BAD_FLAG for a word that we do not know */
export function statusField(market: JsonTextObject): Status | null {
  const word = optionalText(market, 'status')
  if (word === null) return null
  const status = STATUSES.get(word)
  if (status === undefined) throw new Quarantined('BAD_FLAG')
  return status
}

/** True while the market shows quotes that somebody can trade at: a closed one keeps stale ones for a while. */
export function hasQuotes(status: Status | null): boolean {
  return status === null || status === 'open' || status === 'paused'
}

/** How far the result of a market with this status word is: paid out, contested, or named but not paid. */
export function finalityOf(market: JsonTextObject): ResolutionRecord['finality'] {
  if (market.status === 'disputed') return 'disputed'
  return statusField(market) === 'resolved' ? 'final' : 'proposed'
}

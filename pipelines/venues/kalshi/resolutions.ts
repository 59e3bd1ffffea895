import { formatMicros, type Micros } from '../../../primitives/instants.ts'
import { resolutionIdOf } from '../../revisions/identity.ts'
import { optionalText } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import { binaryPayouts } from '../derive-resolutions.ts'
import { missingField, Quarantined } from '../quarantine.ts'
import { type PayloadOrigin, payloadHash } from '../read-payload.ts'
import type { ResolutionRecord } from '../record.ts'
import type { Reading } from './memory.ts'
import type { Price } from './prices.ts'
import { baseOf } from './quotes.ts'

const NOTHING: Price = { text: '0.000000000', whole_cents: false }
const ALL: Price = { text: '1.000000000', whole_cents: false }

/**
 * Reads the payout of YES: 1 for result `yes`, 0 for `no`, the settlement value for `scalar`; null while the result is unknown,
 * which Kalshi writes as "".
 * @param settlement the settlement value if the record states one
 * @throws Quarantined FIELDS_DISAGREE if result and settlement value differ
 */
export function payoutOf(source: JsonTextObject, settlement: Price | null): Price | null {
  const result = optionalText(source, 'result')
  if (result === null) return null
  if (result === 'scalar') {
    if (settlement === null) throw missingField('the settlement value of a scalar result')
    return settlement
  }
  if (result !== 'yes' && result !== 'no') throw new Quarantined('BAD_FLAG')
  const payout = result === 'yes' ? ALL : NOTHING
  if (settlement !== null && settlement.text !== payout.text) throw new Quarantined('FIELDS_DISAGREE')
  return payout
}

/** `stated_at`: the venue's time of the statement; null = not stated. */
export type Statement = {
  readonly finality: ResolutionRecord['finality']
  readonly payout: Price
  readonly stated_at: Micros | null
}

/**
 * Records that YES pays `payout`, unless it repeats this market's latest statement, as every read of a settled market and the
 * venue's repeated messages do. After a final one only another final one counts: REST lags behind the messages by seconds. For
 * the same reason a statement is never about an earlier instant than the one before it, which would otherwise stay the newest.
 */
export function stateResult(reading: Reading, origin: PayloadOrigin, market: string, statement: Statement): void {
  const { payload, memory, out } = reading
  const { finality, payout, stated_at } = statement
  const known = memory.results.get(market)
  const base = baseOf(reading, origin, market, Math.max(stated_at ?? payload.received_at, known?.source_at ?? 0))
  if (known?.finality === finality && known.payout === payout.text) return
  if (known?.finality === 'final' && finality !== 'final') return
  memory.results.set(market, { finality, payout: payout.text, source_at: base.source_at })
  const evidence = {
    evidence_id: resolutionIdOf(base, formatMicros(base.source_at), formatMicros(base.received_at)),
    kind: 'archive_row',
    source_uri: null,
    content_hash: payloadHash(payload),
  } as const
  const payouts = binaryPayouts(payout.text)
  out.resolutions.push({ ...base, finality, payouts, dispute_window_ends_at: null, evidence })
}

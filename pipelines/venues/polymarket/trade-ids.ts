import { deriveId } from '../../../primitives/ids.ts'
import type { Occurrences } from './occurrences.ts'

/** Prefixes of trade ids: by the transaction that settled the trade, or by its terms alone where no transaction is stated. */
const SETTLED = 'fill'
const UNSETTLED = 'tape'

/**
 * Derives the id of a trade that states its transaction. The venue gives no id, and one transaction may hold several fills. The
 * terms of the trade are part of the id, so only equal fills of one transaction need the counter. The stream and the Data API
 * derive the same id.
 */
export function fillId(parts: readonly string[], fills: Occurrences, scope = ''): string {
  return deriveId(SETTLED, ...parts, fills.next([scope, ...parts].join('\u001f')))
}

/** Derives the id of a trade of the stream that states no transaction: its terms and millisecond, and a counter for equal ones. */
export function tapeId(parts: readonly (string | number)[], trades: Occurrences, scope: string): string {
  return deriveId(UNSETTLED, ...parts, trades.next([scope, ...parts].join('\u001f')))
}

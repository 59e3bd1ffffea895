import type { Row } from '../../warehouse/schema.ts'

/** Returns the id of the observation of a quote's field. The last trade of the tape is the observation of its trade. */
export function quoteObservation(quote: Row, field: string): string {
  const of_trade = field === 'last_trade' && quote.last_trade_id != null
  return `${of_trade ? quote.last_trade_id : quote.record_id}.${field}`
}

import type { Row } from '../schema.ts'

/**
 * Condition on a row of `public_trade`: a trade or a correction of one. It is neither the report of a trade that another feed had
 * reported, nor a late report, which supersedes nothing and was never current. Every consumer of trades reads the views public_trade
 * and public_trade_history or the reader, which have this condition.
 */
export const IS_TRADE =
  '(coalesce(first_source_trade_id, source_trade_id) = source_trade_id and (revision = 1 or supersedes_id is not null))'

/** Returns whether a row of `public_trade` meets IS_TRADE. */
export function isTrade({ first_source_trade_id, source_trade_id, revision, supersedes_id }: Row): boolean {
  return (first_source_trade_id ?? source_trade_id) === source_trade_id && (revision === 1 || supersedes_id != null)
}

import type { Trade } from '../../../protocol/resources/trade.ts'
import { type Api, getAll } from '../../data/api-client.ts'
import { instantOf } from '../../data/instant-text.ts'

/** Time ranges searched for the last trades, shortest first: a busy market has enough in its last minute. */
const BACK_MS = [60_000, 3_600_000, 86_400_000, 30 * 86_400_000] as const

/**
 * Reads the last trades of a market, at least `count` if the last 30 days have that many. Trades are listed oldest first, so the shortest
 * range with enough of them is read to its end.
 * @param now Unix epoch milliseconds
 */
export async function readLastTrades(
  api: Api,
  market_id: string,
  count: number,
  now: number,
  signal: AbortSignal,
): Promise<readonly Trade[]> {
  let trades: readonly Trade[] = []
  for (const back of BACK_MS) {
    const query = { start_time: instantOf(now - back), limit: 1000 }
    trades = await getAll<Trade>(api, `/markets/${market_id}/trades`, query, signal, Number.POSITIVE_INFINITY)
    if (trades.length >= count) break
  }
  return trades
}

/** Merges trades into the tape: newest first, each once, without voided ones. */
export function tapeAfter(tape: readonly Trade[], more: readonly Trade[], count: number): readonly Trade[] {
  const by_id = new Map([...tape, ...more].map((trade) => [trade.trade_id, trade]))
  const superseded = new Set([...by_id.values()].map(({ correction }) => correction?.supersedes_trade_id))
  return [...by_id.values()]
    .filter(({ trade_id, correction }) => correction?.kind !== 'void' && !superseded.has(trade_id))
    .sort(newestFirst)
    .slice(0, count)
}

/** Sorts by engine sequence if known, else by publication. */
function newestFirst(a: Trade, b: Trade): number {
  if (a.source_sequence !== null && b.source_sequence !== null && a.source_sequence !== b.source_sequence)
    return b.source_sequence - a.source_sequence
  if (a.published_at !== b.published_at) return a.published_at < b.published_at ? 1 : -1
  return a.trade_id < b.trade_id ? 1 : -1
}

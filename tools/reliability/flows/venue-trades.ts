import { formatMicros, MICROS_PER_SECOND, type Micros } from '../../../primitives/instants.ts'
import { createSimulatedVenue } from '../../../simulator/simulated-venue.ts'
import { kalshiNames } from '../../../simulator/wire/kalshi/names.ts'
import { tradeFields } from '../../../simulator/wire/kalshi/trade.ts'
import type { Trade } from '../../../simulator/world/market-state.ts'
import type { WorldOptions } from '../../../simulator/world/options.ts'
import { planWorld } from '../../../simulator/world/plan.ts'
import { rowsOf } from './commands.ts'

/** Trades of a venue, by their ids. */
type VenueTrades = {
  /** All trades, also those that the venue has taken off its tape since. */
  readonly made: ReadonlySet<string>
  /** Trades that whoever followed the venue has to know. */
  readonly owed: readonly string[]
}

export type TradesUntil = {
  /** Instants at which the whole tape was read. */
  readonly reads: readonly Micros[]
  /** End, exclusive; a whole second, since messages state a trade's time in seconds. */
  readonly to: Micros
}

/** Age up to which a read surely sees a trade: the tape has 90 minutes, and an outage, which delays the read, up to 45. */
const SEEN_FOR: Micros = 45 * 60 * MICROS_PER_SECOND

/**
 * Makes the trades of a world's Kalshi before an instant. The venue undoes a trade by no longer listing it, so whoever heard of it keeps it,
 * and nobody else learns of it. A trade that is listed late, or made while the venue is down, is owed where a later read saw it.
 */
export function kalshiTrades(options: WorldOptions, { reads, to }: TradesUntil): VenueTrades {
  const { world } = createSimulatedVenue(planWorld(options), 'kalshi')
  const names = kalshiNames(world.plan)
  const made: { readonly id: string; readonly trade: Trade; readonly is_told: boolean }[] = []
  // The events of a batch lie shortly before its instant.
  for (let at = world.nextAt(); at !== null && at < to + MICROS_PER_SECOND; at = world.nextAt()) {
    const { events, down } = world.advance()!
    for (const event of events) {
      if (event.type !== 'traded' || event.at >= to) continue
      const { trade } = event
      const { trade_id: id } = tradeFields(trade, trade.size, names[trade.market]!)
      made.push({ id, trade, is_told: !down && trade.listed_at === trade.at })
    }
  }
  const isSeen = ({ at, listed_at }: Trade) => reads.some((read) => listed_at <= read && read < at + SEEN_FOR)
  const owed = made.filter(({ trade, is_told }) => trade.state !== 'busted' && (is_told || isSeen(trade)))
  return { made: new Set(made.map(({ id }) => id)), owed: owed.map(({ id }) => id) }
}

/** Compares the stored trades of Kalshi with the venue's. */
export async function compareTrades(
  home: string,
  options: WorldOptions,
  until: TradesUntil,
): Promise<{ readonly count: number; readonly faults: string[] }> {
  const { made, owed } = kalshiTrades(options, until)
  const rows = await rowsOf<{ id: string; n: number }>(
    home,
    `select source_trade_id as id, count(*) as n from public_trade
     where venue_id = 'kalshi' and source_at < '${formatMicros(until.to)}' group by all order by 1`,
  )
  const stored = new Set(rows.map(({ id }) => id))
  return {
    count: stored.size,
    faults: [
      ...rows.filter(({ n }) => n !== 1).map(({ id, n }) => `trade ${id} is stored ${n} times`),
      ...owed.filter((id) => !stored.has(id)).map((id) => `trade ${id} is missing`),
      ...[...stored].filter((id) => !made.has(id)).map((id) => `trade ${id} was never made`),
    ],
  }
}

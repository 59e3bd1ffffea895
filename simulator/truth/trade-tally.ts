import type { WorldBatch } from '../world/events.ts'

/** Counts of a venue's trades, or bets, by their fate. */
export type TradeTally = {
  made: number
  busted: number
  amended: number
  /** Reported with delay. */
  late: number
  /** Made while the venue was down. */
  during_outage: number
}

/** Returns counts of 0. */
export function emptyTally(): TradeTally {
  return { made: 0, busted: 0, amended: 0, late: 0, during_outage: 0 }
}

/** Adds the trades of one batch. */
export function tally(total: TradeTally, { events, down }: WorldBatch): void {
  for (const event of events) {
    if (event.type === 'traded' || event.type === 'bet_placed') {
      total.made += 1
      if (down) total.during_outage += 1
    }
    if (event.type === 'traded' && event.trade.listed_at > event.trade.at) total.late += 1
    if (event.type === 'trade_corrected' && event.trade.state === 'busted') total.busted += 1
    if (event.type === 'trade_corrected' && event.trade.state === 'amended') total.amended += 1
  }
}

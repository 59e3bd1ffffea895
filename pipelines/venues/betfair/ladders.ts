import type { DecimalString } from '../../../primitives/decimal.ts'
import { OrderBook } from '../../market/order-book.ts'
import type { BookLevel } from '../record.ts'

/** Kinds of ladders that a stream may have, the most telling first: whole, cut to its best places, cut and with combined offers. */
export const LADDER_KINDS = ['full', 'best', 'display'] as const
export type LadderKind = (typeof LADDER_KINDS)[number]

/** A runner's ladder at one moment: decimal odds, best first. */
export type Ladder = { readonly bids: readonly BookLevel[]; readonly asks: readonly BookLevel[] }

/** Levels of a ladder by place, 0 the best. */
type Places = { readonly bid: Map<number, BookLevel>; readonly ask: Map<number, BookLevel> }

/** State of one runner. Its label is its selection id, with the handicap if it has one: names come late and change. */
export type Runner = {
  readonly label: string
  name: string | null
  /** Removed from the market: bets on it are void, and it is no longer an outcome. */
  is_removed: boolean
  /** The whole ladder. */
  readonly book: OrderBook
  readonly places: Readonly<Record<Exclude<LadderKind, 'full'>, Places>>
  /** The current ladder of each kind; null while it is unknown. */
  readonly levels: Record<LadderKind, Ladder | null>
  /** Stake traded so far at each of the odds, as last stated. */
  readonly traded: Map<DecimalString, DecimalString>
}

/** Returns a runner about which nothing is known. */
export function newRunner(label: string): Runner {
  const places = (): Places => ({ bid: new Map(), ask: new Map() })
  return {
    label,
    name: null,
    is_removed: false,
    book: new OrderBook(),
    places: { best: places(), display: places() },
    levels: { full: null, best: null, display: null },
    traded: new Map(),
  }
}

/** Sets that nothing rests in any ladder of a runner, and nothing was traded. */
export function emptyLadders(runner: Runner): void {
  forgetLadders(runner)
  runner.book.replace([], [])
  for (const kind of LADDER_KINDS) runner.levels[kind] = { bids: [], asks: [] }
}

/** Discards a runner's ladders after a lost change, until the next image. */
export function forgetLadders(runner: Runner): void {
  runner.book.clear()
  for (const { bid, ask } of Object.values(runner.places)) {
    bid.clear()
    ask.clear()
  }
  for (const kind of LADDER_KINDS) runner.levels[kind] = null
  runner.traded.clear()
}

/** Returns the levels of a runner's ladder, best first, one a price. */
export function shownLevels({ book, places }: Runner, kind: LadderKind): Ladder {
  let shown = book
  if (kind !== 'full') {
    shown = new OrderBook()
    shown.replace([...places[kind].bid.values()], [...places[kind].ask.values()])
  }
  return { bids: shown.levels('bid'), asks: shown.levels('ask') }
}

import type { Micros } from '../../primitives/instants.ts'
import type { PublicMarket } from '../../trading/public-market/public-market.ts'
import type { Row } from '../../warehouse/schema.ts'
import { isOwnStale, ownPriceOf } from './own-resources.ts'

type Made = {
  readonly sequence: number
  readonly marks: readonly Row[]
  readonly is_stale: boolean
  readonly bytes: Buffer
}

/** Last price view of each market: it is requested many times between two events. */
const made = new WeakMap<PublicMarket, Made>()

/** Returns the JSON of a market's price view, built once for each event of the market and each new mark. */
export function ownPriceBytes(
  market: PublicMarket,
  marks: readonly Row[],
  { confirmed_at, at }: { readonly confirmed_at: Micros; readonly at: Micros },
): Buffer {
  const is_stale = isOwnStale(market, confirmed_at, at)
  const known = made.get(market)
  if (known?.sequence === market.sequence && known.is_stale === is_stale && sameRows(known.marks, marks))
    return known.bytes
  const bytes = Buffer.from(JSON.stringify(ownPriceOf(market, marks, confirmed_at, at).price))
  made.set(market, { sequence: market.sequence, marks, is_stale, bytes })
  return bytes
}

function sameRows(a: readonly Row[], b: readonly Row[]): boolean {
  return a.length === b.length && a.every((row, place) => row === b[place])
}

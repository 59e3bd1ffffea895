import type { Operation } from './order-flow.ts'

const PRICES = 1_000

/** One operation as numbers: side 0 buys; price 0 cancels `order`. */
type Columns = {
  readonly order: Int32Array
  readonly side: Uint8Array
  readonly price: Int32Array
  readonly size: Float64Array
}

/** The flow without strings; orders are named by their ordinals. */
export function bareColumns(flow: readonly Operation[]): Columns {
  const places = new Map<string, number>()
  const order = flow.map(({ id }, n) => {
    if (!places.has(id)) places.set(id, n)
    return places.get(id)!
  })
  return {
    order: Int32Array.from(order),
    side: Uint8Array.from(flow, ({ side }) => (side === 'BUY' ? 0 : 1)),
    price: Int32Array.from(flow, ({ price }) => price ?? 0),
    size: Float64Array.from(flow, ({ quantity }) => quantity),
  }
}

/** Plays the flow on arrays alone, an upper limit: no ids, holders, rules or records. @returns resting quantities by price */
export function playBare({ order, side, price, size }: Columns): Float64Array {
  const [first, last] = [new Int32Array(2 * PRICES).fill(-1), new Int32Array(2 * PRICES).fill(-1)]
  const [next, previous, left] = [new Int32Array(order.length), new Int32Array(order.length), Float64Array.from(size)]
  const depth = new Float64Array(2 * PRICES)
  const rests = new Uint8Array(order.length)
  let [bid, ask] = [0, PRICES]
  const takeOut = (n: number) => {
    const level = side[n]! * PRICES + price[n]!
    const [after, before] = [next[n]!, previous[n]!]
    if (before < 0) first[level] = after
    else next[before] = after
    if (after < 0) last[level] = before
    else previous[after] = before
    depth[level]! -= left[n]!
    rests[n] = 0
  }
  for (let n = 0; n < order.length; n += 1) {
    if (price[n] === 0) {
      if (rests[order[n]!] === 1) takeOut(order[n]!)
      continue
    }
    const buys = side[n] === 0
    while (left[n]! > 0) {
      if (buys) while (ask < PRICES && first[PRICES + ask]! < 0) ask += 1
      else while (bid > 0 && first[bid]! < 0) bid -= 1
      const best = buys ? ask : bid
      if (buys ? best > price[n]! || best === PRICES : best < price[n]! || best === 0) break
      const maker = first[(buys ? PRICES : 0) + best]!
      const traded = Math.min(left[n]!, left[maker]!)
      left[n]! -= traded
      if (traded === left[maker]) takeOut(maker)
      else {
        left[maker]! -= traded
        depth[(buys ? PRICES : 0) + best]! -= traded
      }
    }
    if (left[n] === 0) continue
    const level = side[n]! * PRICES + price[n]!
    previous[n] = last[level]!
    next[n] = -1
    if (last[level]! < 0) first[level] = n
    else next[last[level]!] = n
    last[level] = n
    depth[level]! += left[n]!
    rests[n] = 1
    if (buys) bid = Math.max(bid, price[n]!)
    else ask = Math.min(ask, price[n]!)
  }
  return depth
}

/** Returns price and size of each price level, asks then bids, best first. */
export function bareDepth(depth: Float64Array): [number, number][][] {
  const levels = (side: number) =>
    [...depth.subarray(side * PRICES, (side + 1) * PRICES)].flatMap((size, price): [number, number][] =>
      size === 0 ? [] : [[price, size]],
    )
  return [levels(1), levels(0).reverse()]
}

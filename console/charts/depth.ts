import { addDecimals, pixelNumber } from '../data/decimal-text.ts'

/** A price level, best first. */
type Level = { readonly price: string; readonly quantity: string }

/** Quantity that can be traded up to a price. */
export type DepthStep = { readonly price: string; readonly quantity: string; readonly depth: string }

export type Depth = { readonly bids: readonly DepthStep[]; readonly asks: readonly DepthStep[] }

/** Returns the cumulative quantities of both sides, best price first. */
export function depthOf({ bids, asks }: { readonly bids: readonly Level[]; readonly asks: readonly Level[] }): Depth {
  return { bids: stepsOf(bids), asks: stepsOf(asks) }
}

function stepsOf(levels: readonly Level[]): readonly DepthStep[] {
  let depth = '0'
  return levels.map(({ price, quantity }) => {
    depth = addDecimals(depth, quantity)
    return { price, quantity, depth }
  })
}

/** Box of the drawing, in its own units. */
export type DepthBox = { readonly width: number; readonly height: number }

/** Paths of both sides, and the place of each price. */
export type DepthShape = {
  readonly bids: string
  readonly asks: string
  readonly x: (price: string) => number
}

/** Returns the shape of a book: the sides as stairs that fall toward the spread. null: there are no orders. */
export function depthShape({ bids, asks }: Depth, { width, height }: DepthBox): DepthShape | null {
  const steps = [...bids, ...asks]
  if (steps.length === 0) return null
  const prices = steps.map(({ price }) => pixelNumber(price))
  const margin = (Math.max(...prices) - Math.min(...prices)) * 0.02 || 0.01
  const [low, high] = [Math.min(...prices) - margin, Math.max(...prices) + margin]
  const deepest = Math.max(...steps.map(({ depth }) => pixelNumber(depth)))
  const x = (price: string) => round(((pixelNumber(price) - low) / (high - low)) * width)
  const y = (depth: string) => round(height - (pixelNumber(depth) / deepest) * height)
  const stairs = (side: readonly DepthStep[], edge: number) => {
    if (side.length === 0) return ''
    const parts = side.map((step) => `H${x(step.price)}V${y(step.depth)}`)
    return `M${x(side[0]!.price)} ${height}${parts.join('')}H${edge}V${height}Z`
  }
  return { bids: stairs(bids, 0), asks: stairs(asks, width), x }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

import { MatchingBook } from '../../trading/matching/matching-book.ts'
import type { Matches, Permit, Taker, Trial } from '../../trading/matching/taker.ts'
import type { Side } from '../../vocabulary/order.ts'
import type { Operation } from './order-flow.ts'

type Position = { readonly holder: number; net_quantity: number }

/** An order as the engine passes it to its book: whole numbers, and its position. */
export type KernelOrder = Omit<Taker, 'position'> & {
  readonly order_id: string
  readonly post_only: boolean
  readonly position: Position
}
/** An order, or the id of one to cancel. */
export type KernelOperation = KernelOrder | string

export type KernelFlow = { readonly operations: readonly KernelOperation[]; readonly positions: readonly Position[] }

/** Prices of the flow, in steps of 0.001. */
const GRID = { price_min: 1, price_max: 999, price_increment: 1 }
/** Operations between two reports of changed price levels, as in a batch of the engine. */
const BATCH = 100
const PLAIN = { time_in_force: 'GTC', self_trade_prevention: 'cancel_taker' } as const

/** Terms of an order as a book has them. */
type Placed = { readonly side: Side; readonly limit_price: number; readonly is_mirrored: boolean }

const AS_SIGNED = (side: Side, limit_price: number): Placed => ({ side, limit_price, is_mirrored: false })

/** @param placedOf returns the terms in the book of an order's side and price; each order is one literal, as the engine has one shape */
export function kernelFlow(flow: readonly Operation[], placedOf = AS_SIGNED): KernelFlow {
  const positions = new Map<string, Position>()
  const operations = flow.map(({ command, id, side, price, quantity: remaining_quantity }) => {
    if (command.kind !== 'place_order' || price === null) return id
    const { account_id } = command.intent
    const position = positions.get(account_id) ?? { holder: positions.size, net_quantity: 0 }
    positions.set(account_id, position)
    const { side: placed_side, limit_price, is_mirrored } = placedOf(side, price)
    return {
      order_id: id,
      side: placed_side,
      limit_price,
      remaining_quantity,
      reduce_only: false,
      post_only: false,
      is_mirrored,
      position,
      intent: PLAIN,
    }
  })
  return { operations, positions: [...positions.values()] }
}

/** Engine state around the book, without money: orders by id and by slot, and positions as each fill leaves them. */
class Holdings implements Matches {
  readonly slots = new Map<string, number>()
  readonly #resting: KernelOrder[] = []
  readonly #gone: string[] | null
  #taker: KernelOrder | null = null

  constructor(gone: string[] | null) {
    this.#gone = gone
  }

  begin(taker: KernelOrder): void {
    this.#taker = taker
  }

  rest(order: KernelOrder, slot: number): void {
    this.slots.set(order.order_id, slot)
    this.#resting[slot] = order
  }

  permits(): Permit {
    return 'books'
  }

  tries(): Trial {
    const allowance = () => Number.MAX_SAFE_INTEGER
    return { allowance, isEnding: () => false, permits: () => 'books', prevented: () => undefined }
  }

  allowance(): number {
    return Number.MAX_SAFE_INTEGER
  }

  isEnding(): boolean {
    return false
  }

  ended(slot: number): void {
    this.reduced(slot)
  }

  filled(slot: number, quantity: number, left: number): void {
    const maker = this.#resting[slot]!
    const taker = this.#taker!
    const bought = taker.side === 'BUY' ? quantity : -quantity
    taker.position.net_quantity += bought
    maker.position.net_quantity -= bought
    if (left === 0) this.reduced(slot)
  }

  prevented(slot: number, _quantity: number, maker_ends: boolean): void {
    if (maker_ends) this.reduced(slot)
  }

  reduced(slot: number): void {
    const { order_id } = this.#resting[slot]!
    this.slots.delete(order_id)
    this.#gone?.push(order_id)
  }
}

/**
 * Plays a flow through the engine's book with every rule on.
 * @param gone receives the ids of resting orders that the book ended, in order
 * @param complementary whether orders of both outcomes of a market share the book
 */
export function playKernel(
  { operations, positions }: KernelFlow,
  gone: string[] | null = null,
  complementary = false,
): MatchingBook {
  for (const position of positions) position.net_quantity = 0
  const book = new MatchingBook({ ...GRID, complementary }, positions)
  const holdings = new Holdings(gone)
  for (let n = 0; n < operations.length; n += 1) {
    const operation = operations[n]!
    if (typeof operation === 'string') cancel(book, holdings, operation)
    else place(book, holdings, operation)
    if (n % BATCH === BATCH - 1) tellLevels(book)
  }
  return book
}

function place(book: MatchingBook, holdings: Holdings, order: KernelOrder): void {
  if (order.post_only && book.wouldTake(order.side, order.limit_price)) return
  holdings.begin(order)
  if (book.execute(order, holdings) === 'rests') holdings.rest(order, book.rested)
}

function cancel(book: MatchingBook, { slots }: Holdings, order_id: string): void {
  const slot = slots.get(order_id)
  if (slot === undefined) return
  slots.delete(order_id)
  book.remove(slot)
}

function tellLevels(book: MatchingBook): void {
  for (let n = 0; n < book.touched_count; n += 1) book.takeLevel(book.touched[n]!)
  book.touched_count = 0
}

/** Returns price and size of each price level, asks then bids, best first. */
export function kernelDepth(book: MatchingBook): [number, number][][] {
  return (['BUY', 'SELL'] as const).map((side) =>
    [...book.levelsAgainst(side)].map(({ price, quantity }): [number, number] => [price, quantity]),
  )
}

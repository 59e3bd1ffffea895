import type { Market } from '../../../protocol/resources/market.ts'
import type { Order } from '../../../protocol/resources/order.ts'
import type { Side } from '../../../vocabulary/order.ts'
import {
  addDecimals,
  compareDecimals,
  groupDigits,
  pixelNumber,
  subtractDecimals,
  trimZeros,
} from '../../data/decimal-text.ts'
import { html } from '../../html.ts'
import { Empty } from '../../parts/notes.ts'
import { type DeepLevel, deepLevels } from '../data/book.ts'
import { useBook } from './use-book.ts'

const LEVELS = 8

export type Pick = { readonly outcome_id: string; readonly side: Side; readonly limit_price: string }

type LadderProps = {
  readonly market: Market
  readonly outcome: Market['outcomes'][number]
  /** Own open orders of this outcome. */
  readonly own: readonly Order[]
  readonly onPick: (pick: Pick) => void
}

/** Order book of one outcome, asks above bids; a click on a price fills the ticket. */
export function BookLadder({ market, outcome, own, onPick }: LadderProps) {
  const { outcome_id, label } = outcome
  const { book, error } = useBook(market.market_id, outcome_id)
  const [asks, bids] = [deepLevels(book?.asks ?? [], LEVELS), deepLevels(book?.bids ?? [], LEVELS)]
  const deepest = [...asks, ...bids].reduce((most, { depth }) => (compareDecimals(depth, most) > 0 ? depth : most), '0')
  const row = (side: Side) => (level: DeepLevel) =>
    html`<${LevelRow} key=${`${side}${level.price}`} level=${level} side=${side} label=${label} deepest=${deepest} mine=${ownAt(own, side, level.price)}
      pick=${() => onPick({ outcome_id, side: side === 'BUY' ? 'SELL' : 'BUY', limit_price: trimZeros(level.price) })} />`
  return html`<div class="ladder">
    <h2 id=${`book-${outcome_id}`}>${label}</h2>
    ${book === null && error !== null && html`<${Empty}>${error.code === 'ORDER_BOOK_NOT_FOUND' ? 'No order book yet' : error.message}<//>`}
    <table aria-labelledby=${`book-${outcome_id}`}>
      <thead><tr><th scope="col">Price</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Depth</th><th scope="col"><span class="sr">Depth as a bar</span></th><th scope="col" class="number">Mine</th></tr></thead>
      <tbody class="asks">${asks.toReversed().map(row('SELL'))}</tbody>
      <tbody class="spread"><tr><td colspan="5">${spreadText(asks[0]?.price, bids[0]?.price)}</td></tr></tbody>
      <tbody class="bids">${bids.map(row('BUY'))}</tbody>
    </table>
  </div>`
}

type RowProps = {
  readonly level: DeepLevel
  readonly side: Side
  readonly label: string
  readonly deepest: string
  readonly mine: string | null
  readonly pick: () => void
}

function LevelRow({ level, side, label, deepest, mine, pick }: RowProps) {
  const { price, quantity, depth } = level
  const word = side === 'BUY' ? 'bid' : 'ask'
  const width = deepest === '0' ? 0 : Math.round((100 * pixelNumber(depth)) / pixelNumber(deepest))
  const hint = `${side === 'BUY' ? 'Sell' : 'Buy'} ${label} at ${trimZeros(price)}`
  return html`<tr class=${`is-${word}`}>
    <td><button type="button" class="price" title=${hint} aria-label=${`${word} ${trimZeros(price)}: ${hint}`} onClick=${pick}>${shownPrice(price)}</button></td>
    <td class="number">${groupDigits(trimZeros(quantity))}</td>
    <td class="number quiet">${groupDigits(trimZeros(depth))}</td>
    <td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${width} height="10" /></svg></td>
    <td class="number">${mine === null ? '' : html`<b title="Your orders at this price">◆ ${groupDigits(trimZeros(mine))}</b>`}</td>
  </tr>`
}

/** Describes the spread between the best ask and the best bid. */
export function spreadText(ask: string | undefined, bid: string | undefined): string {
  if (ask === undefined && bid === undefined) return 'No orders'
  if (ask === undefined) return 'No asks'
  if (bid === undefined) return 'No bids'
  return `▲ asks · spread ${shownPrice(subtractDecimals(ask, bid))} · bids ▼`
}

/** Formats a price with at least two fraction digits, so the prices of a ladder align. */
export function shownPrice(price: string): string {
  const text = trimZeros(price)
  return /\.\d$/.test(text) ? `${text}0` : text
}

function ownAt(own: readonly Order[], side: Side, price: string): string | null {
  const mine = own.filter((order) => order.side === side && compareDecimals(order.limit_price, price) === 0)
  return mine.length === 0 ? null : mine.reduce((sum, order) => addDecimals(sum, order.remaining_quantity), '0')
}

import type { Market } from '../../../protocol/resources/market.ts'
import type { Order } from '../../../protocol/resources/order.ts'
import type { Side } from '../../../vocabulary/order.ts'
import { compareDecimals, groupDigits, pixelNumber, signOf, trimZeros } from '../../data/decimal-text.ts'
import { html } from '../../html.ts'
import { Empty } from '../../parts/notes.ts'
import { ownOnLadder, type PairLevel, pairLevels } from '../data/pair-book.ts'
import { type Pick, shownPrice, spreadText } from './book-ladder.ts'
import { useBook } from './use-book.ts'

const LEVELS = 10

type Outcome = Market['outcomes'][number]
type PairLadderProps = {
  readonly market: Market
  /** Own open orders of both outcomes. */
  readonly own: readonly Order[]
  readonly onPick: (pick: Pick) => void
}

/**
 * One book of a complementary market: each row is a price of either outcome, because a buyer of one meets a buyer of the other. A click
 * on a price fills the ticket for the outcome of its column.
 */
export function PairLadder({ market, own, onPick }: PairLadderProps) {
  const [first, second] = market.outcomes as [Outcome, Outcome]
  const { book, error } = useBook(market.market_id, first.outcome_id)
  const [asks, bids] = [pairLevels(book?.asks ?? [], LEVELS), pairLevels(book?.bids ?? [], LEVELS)]
  const deepest = [...asks, ...bids].reduce((most, { depth }) => (compareDecimals(depth, most) > 0 ? depth : most), '0')
  const row = (side: Side) => (level: PairLevel) =>
    html`<${PairRow} key=${`${side}${level.price}`} level=${level} side=${side} first=${first} second=${second} deepest=${deepest}
      mine=${ownOnLadder(own, first.outcome_id, side, level.price)} onPick=${onPick} />`
  return html`<div class="ladder pair-ladder">
    <h2 id="book-pair">${first.label} and ${second.label}: one book</h2>
    ${book === null && error !== null && html`<${Empty}>${error.code === 'ORDER_BOOK_NOT_FOUND' ? 'No order book yet' : error.message}<//>`}
    <table aria-labelledby="book-pair">
      <thead><tr><th scope="col">${first.label}</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">As ${second.label}</th>
        <th scope="col" class="number">Depth</th><th scope="col"><span class="sr">Depth as a bar</span></th><th scope="col" class="number">${second.label}</th><th scope="col" class="number">Mine</th></tr></thead>
      <tbody class="asks">${asks.toReversed().map(row('SELL'))}</tbody>
      <tbody class="spread"><tr><td colspan="7">${spreadText(asks[0]?.price, bids[0]?.price)}</td></tr></tbody>
      <tbody class="bids">${bids.map(row('BUY'))}</tbody>
    </table>
    <p class="quiet small"><span class="derived">◇</span> rests as orders of ${second.label}, whose price is 1 − that of ${first.label}.</p>
  </div>`
}

type RowProps = {
  readonly level: PairLevel
  readonly side: Side
  readonly first: Outcome
  readonly second: Outcome
  readonly deepest: string
  readonly mine: string | null
  readonly onPick: (pick: Pick) => void
}

function PairRow({ level, side, first, second, deepest, mine, onPick }: RowProps) {
  const { price, other_price, quantity, derived_quantity, depth } = level
  const width = deepest === '0' ? 0 : Math.round((100 * pixelNumber(depth)) / pixelNumber(deepest))
  const derived =
    signOf(derived_quantity) === 0
      ? ''
      : html`<span class="derived" title=${`Rests as orders of ${second.label}`}>◇ ${groupDigits(trimZeros(derived_quantity))}</span>`
  return html`<tr class=${side === 'BUY' ? 'is-bid' : 'is-ask'}>
    <td><${PriceButton} outcome=${first} rests=${side} price=${price} onPick=${onPick} /></td>
    <td class="number">${groupDigits(trimZeros(quantity))}</td>
    <td class="number">${derived}</td>
    <td class="number quiet">${groupDigits(trimZeros(depth))}</td>
    <td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width=${width} height="10" /></svg></td>
    <td class="number"><${PriceButton} outcome=${second} rests=${side === 'BUY' ? 'SELL' : 'BUY'} price=${other_price} onPick=${onPick} /></td>
    <td class="number">${mine === null ? '' : html`<b title="Your orders at this price">◆ ${groupDigits(trimZeros(mine))}</b>`}</td>
  </tr>`
}

type ButtonProps = {
  readonly outcome: Outcome
  /** Side of what rests, in the outcome of the button. */
  readonly rests: Side
  readonly price: string
  readonly onPick: (pick: Pick) => void
}

function PriceButton({ outcome, rests, price, onPick }: ButtonProps) {
  const { outcome_id, label } = outcome
  const limit_price = trimZeros(price)
  const hint = `${rests === 'BUY' ? 'Sell' : 'Buy'} ${label} at ${limit_price}`
  const pick = () => onPick({ outcome_id, side: rests === 'BUY' ? 'SELL' : 'BUY', limit_price })
  return html`<button type="button" class="price" title=${hint} aria-label=${`${rests === 'BUY' ? 'bid' : 'ask'} ${limit_price}: ${hint}`} onClick=${pick}>${shownPrice(price)}</button>`
}

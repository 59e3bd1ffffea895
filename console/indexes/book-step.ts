import type { FoundObservation } from '../../protocol/resources/found-observation.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import { groupDigits } from '../data/decimal-text.ts'
import { useLoaded } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { liveApi } from '../data/live.ts'
import { html } from '../html.ts'
import { DepthChart } from '../markets/depth-section.ts'
import { getBook } from '../markets/reads.ts'
import { Facts } from '../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { type BookAt, bookNote } from './lineage-model.ts'

/** Order book that was known when a quote was published, beside the quote. */
export function BookStep({ at, found }: { at: BookAt; found: FoundObservation }) {
  const { market_id, outcome_id, as_of } = at
  const read = useLoaded(`book ${market_id} ${outcome_id} ${as_of}`, (signal) =>
    getBook(liveApi(as_of), market_id, outcome_id, signal),
  )
  return html`<h3 id="step-book">Order book known then</h3>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Order book" />`}
    ${read.state === 'loading' && html`<${Loading} what="order book" />`}
    ${read.state === 'ready' && read.data === null && html`<${Empty}>No order book was stored of this outcome by then<//>`}
    ${read.state === 'ready' && read.data !== null && html`<${BookFacts} book=${read.data.data} found=${found} /><${DepthChart} book=${read.data.data} label="this outcome" />`}`
}

function BookFacts({ book, found }: { book: OrderBook; found: FoundObservation }) {
  const side = (levels: OrderBook['bids']) => {
    const [best] = levels
    return best === undefined ? null : html`<b>${best.price}</b> for ${groupDigits(best.quantity)}`
  }
  return html`<p>${bookNote(book, found)}</p>
    <${Facts} facts=${[
      ['Best bid', side(book.bids)],
      ['Best ask', side(book.asks)],
      ['Sequence', String(book.sequence)],
      ['Venue time', html`${showInstant(book.source_at)} UTC`],
      ['Received', html`${showInstant(book.received_at)} UTC`],
      ['Published', html`${showInstant(book.published_at)} UTC`],
    ]} />`
}

import { useState } from 'preact/hooks'
import type { Market } from '../../protocol/resources/market.ts'
import type { OrderBook } from '../../protocol/resources/order-book.ts'
import { type Depth, type DepthStep, depthOf, depthShape } from '../charts/depth.ts'
import type { Api } from '../data/api-client.ts'
import { groupDigits, trimZeros } from '../data/decimal-text.ts'
import { useCell, useLoaded, useNow } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { gaps } from '../data/live.ts'
import { html } from '../html.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { getBook } from './reads.ts'

/** Interval between reads of a book of now, in milliseconds. */
const AGAIN_MS = 15_000
const BOX = { width: 1000, height: 240 }
/** Price levels of a side in the table. */
const LEVELS_MAX = 50

/** Depth of the order book of one outcome: what could be bought and sold up to each price. */
export function DepthSection({
  api,
  outcome,
  market_id,
}: {
  api: Api
  market_id: string
  outcome: Market['outcomes'][number]
}) {
  const { outcome_id, label } = outcome
  const missed = useCell(gaps)
  const now = useNow(AGAIN_MS)
  const read = useLoaded(
    `book ${market_id} ${outcome_id} ${api.as_of}`,
    (signal) => getBook(api, market_id, outcome_id, signal),
    api.as_of === null ? `${missed} ${now}` : 0,
  )
  return html`<section aria-labelledby="depth-title">
    <div class="section-head"><h2 id="depth-title">Depth of the book: ${label}</h2>${read.state === 'ready' && read.data !== null && html`<${BookFacts} book=${read.data.data} />`}</div>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Order book" />`}
    ${read.state === 'loading' && html`<${Loading} what="order book" />`}
    ${read.state === 'ready' && read.data === null && html`<${Empty}>No order book is stored of this outcome<//>`}
    ${read.state === 'ready' && read.data !== null && html`<${DepthChart} book=${read.data.data} label=${label} />`}
  </section>`
}

function BookFacts({ book }: { book: OrderBook }) {
  const { source_at, quality_state, newer_quote_at, asks_derived } = book
  return html`<span class="quiet"><${QualityBadge} state=${quality_state} /> venue time ${showInstant(source_at)} UTC${asks_derived && ', asks derived from the other outcome'}${newer_quote_at != null && `, a quote of ${showInstant(newer_quote_at)} is newer`}</span>`
}

/** Drawing and table of the depth of a book. */
export function DepthChart({ book, label }: { book: OrderBook; label: string }) {
  const depth = depthOf(book)
  const shape = depthShape(depth, BOX)
  const [at, setAt] = useState<number | null>(null)
  if (shape === null) return html`<${Empty}>No orders<//>`
  // From the lowest bid over the spread to the highest ask, as the chart has them.
  const steps = [...depth.bids.toReversed(), ...depth.asks]
  const shown = steps[at ?? depth.bids.length - 1] ?? steps[0]!
  const onKeyDown = (event: KeyboardEvent) => {
    const here = steps.indexOf(shown)
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      Home: 0,
      End: steps.length - 1,
    }
    const wanted = moves[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    setAt(Math.min(Math.max(wanted, 0), steps.length - 1))
  }
  const onMove = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
    const x = ((event.clientX - left) / width) * BOX.width
    const distances = steps.map(({ price }) => Math.abs(shape.x(price) - x))
    setAt(distances.indexOf(Math.min(...distances)))
  }
  const text = describe(shown, depth)
  return html`<p class="readout" aria-hidden="true">${text}</p>
    <div class="depth" tabindex="0" role="slider" aria-label=${`Depth of ${label}; arrow keys move between prices`} aria-valuemin="0" aria-valuemax=${steps.length - 1}
      aria-valuenow=${steps.indexOf(shown)} aria-valuetext=${text} onKeyDown=${onKeyDown} onPointerMove=${onMove}>
      <svg viewBox=${`0 0 ${BOX.width} ${BOX.height}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="bids" d=${shape.bids} /><path class="asks" d=${shape.asks} />
        <line x1=${shape.x(shown.price)} x2=${shape.x(shown.price)} y1="0" y2=${BOX.height} />
      </svg>
      <p class="depth-ends quiet" aria-hidden="true"><span>${trimZeros(steps[0]!.price)}</span><span>◂ bids · asks ▸</span><span>${trimZeros(steps.at(-1)!.price)}</span></p>
    </div>
    <${DepthTable} depth=${depth} />`
}

function describe(step: DepthStep, { bids }: Depth): string {
  const [side, verb] = bids.includes(step) ? ['bid', 'sold down to'] : ['ask', 'bought up to']
  const { price, quantity, depth } = step
  return `${side} ${trimZeros(price)}: ${groupDigits(trimZeros(quantity))} here, ${groupDigits(trimZeros(depth))} can be ${verb} it`
}

function DepthTable({ depth }: { depth: Depth }) {
  const sides = [
    ['Bids', depth.bids],
    ['Asks', depth.asks],
  ] as const
  return html`<details class="chart-table"><summary>Price levels as a table</summary><div class="depth-tables">
    ${sides.map(
      ([name, steps]) => html`<div class="scroll" key=${name} tabindex="0" role="region" aria-label=${name}><table>
        <caption>${name}${steps.length > LEVELS_MAX && html` <span class="quiet">best ${LEVELS_MAX} of ${steps.length}</span>`}</caption>
        <thead><tr><th scope="col" class="number">Price</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Depth</th></tr></thead>
        <tbody>${steps.slice(0, LEVELS_MAX).map(({ price, quantity, depth: sum }) => html`<tr key=${price}><th scope="row" class="number">${price}</th><td class="number">${groupDigits(quantity)}</td><td class="number">${groupDigits(sum)}</td></tr>`)}</tbody>
      </table></div>`,
    )}
  </div></details>`
}

import { useEffect, useState } from 'preact/hooks'
import type { Market } from '../../../protocol/resources/market.ts'
import type { Trade } from '../../../protocol/resources/trade.ts'
import { ApiError } from '../../data/api-error.ts'
import { groupDigits, trimZeros } from '../../data/decimal-text.ts'
import { showInstant } from '../../data/instant-text.ts'
import { connection, follow, liveApi } from '../../data/live.ts'
import { html } from '../../html.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { readLastTrades, tapeAfter } from '../data/tape.ts'

const SHOWN_MAX = 12
const ISO_DATE_LENGTH = 10
const AGAIN_MS = 10_000

/** Public trades of a market, newest first, updated live. */
export function TradeTape({ market }: { market: Market }) {
  const { trades, error } = useTape(market.market_id)
  if (trades === null && error !== null) return html`<${ErrorNote} error=${error} what="Trades" />`
  if (trades === null) return html`<${Loading} what="trades" />`
  if (trades.length === 0) return html`<${Empty}>No trades in the last 30 days<//>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Public trades, newest first">
    <table class="tape">
      <thead><tr><th scope="col">Time, UTC</th><th scope="col">Taker</th><th scope="col">Outcome</th><th scope="col" class="number">Price</th><th scope="col" class="number">Quantity</th></tr></thead>
      <tbody>${trades.map((trade) => html`<${TradeRow} key=${trade.trade_id} trade=${trade} market=${market} />`)}</tbody>
    </table>
  </div>`
}

function TradeRow({ trade, market }: { trade: Trade; market: Market }) {
  const { outcome_id, price, quantity, aggressor_side, source_at } = trade
  const label = market.outcomes.find((one) => one.outcome_id === outcome_id)?.label ?? outcome_id
  return html`<tr>
    <td class="quiet"><time datetime=${source_at} title=${`${showInstant(source_at)} UTC`}>${clockOf(source_at)}</time></td>
    <td class=${aggressor_side === 'BUY' ? 'is-bid' : 'is-ask'}>${aggressor_side === null ? '–' : aggressor_side === 'BUY' ? '▲ buys' : '▼ sells'}</td>
    <td>${label}</td>
    <td class="number"><b>${trimZeros(price)}</b></td>
    <td class="number">${groupDigits(trimZeros(quantity))}</td>
  </tr>`
}

/** Formats the time of day, with the date if it is not today. */
function clockOf(instant: string): string {
  const text = showInstant(instant)
  const is_today = instant.slice(0, ISO_DATE_LENGTH) === new Date().toISOString().slice(0, ISO_DATE_LENGTH)
  return is_today ? text.slice(ISO_DATE_LENGTH + 1, ISO_DATE_LENGTH + 9) : text.slice(0, ISO_DATE_LENGTH + 6)
}

type Tape = { readonly trades: readonly Trade[] | null; readonly error: ApiError | null }

/**
 * Reads the last trades and follows the stream. The read runs when the stream has joined or missed messages, so nothing falls between the
 * two; without a stream it runs at once. Trades are matched by id, so none is shown twice.
 */
function useTape(market_id: string): Tape {
  const [tape, hold] = useState<Tape>({ trades: null, error: null })
  useEffect(() => {
    hold({ trades: null, error: null })
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const take = (more: readonly Trade[]) =>
      hold(({ trades }) => ({ trades: tapeAfter(trades ?? [], more, SHOWN_MAX), error: null }))
    const read = () => {
      clearTimeout(timer)
      readLastTrades(liveApi(null), market_id, SHOWN_MAX, Date.now(), ending.signal).then(take, (error: unknown) => {
        if (ending.signal.aborted || !(error instanceof ApiError)) return
        hold(({ trades }) => ({ trades, error }))
        timer = setTimeout(read, AGAIN_MS)
      })
    }
    // A live stream joins at once and then triggers the read.
    if (connection.get() !== 'live') read()
    const onData = (data: unknown) => take([data as Trade])
    const leave = follow('market.trade', { market_id }, { onData, onGap: read, onJoined: read })
    return () => {
      ending.abort()
      clearTimeout(timer)
      leave()
    }
  }, [market_id])
  return tape
}

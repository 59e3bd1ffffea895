import { useEffect, useState } from 'preact/hooks'
import type { Market } from '../../../protocol/resources/market.ts'
import type { Trade } from '../../../protocol/resources/trade.ts'
import { groupDigits, trimZeros } from '../../data/decimal-text.ts'
import { showInstant } from '../../data/instant-text.ts'
import { follow } from '../../data/live.ts'
import { html } from '../../html.ts'

const SHOWN_MAX = 12

/** The public trades that the stream has told of since the page was opened, newest first. */
export function TradeTape({ market }: { market: Market }) {
  const [trades, setTrades] = useState<readonly Trade[]>([])
  useEffect(() => {
    setTrades([])
    const onData = (data: unknown) =>
      setTrades((known) =>
        [data as Trade, ...known.filter(({ trade_id }) => trade_id !== (data as Trade).trade_id)].slice(0, SHOWN_MAX),
      )
    return follow('market.trade', { market_id: market.market_id }, { onData, onGap: () => undefined })
  }, [market.market_id])
  if (trades.length === 0) return html`<p class="quiet">No trade since this page was opened.</p>`
  return html`<ol class="tape" aria-label="Public trades, newest first">
    ${trades.map(({ trade_id, outcome_id, price, quantity, aggressor_side, source_at }) => {
      const label = market.outcomes.find((one) => one.outcome_id === outcome_id)?.label ?? outcome_id
      return html`<li key=${trade_id}><span class="quiet">${showInstant(source_at).slice(11, 19)}</span> ${aggressor_side ?? 'trade'} ${groupDigits(trimZeros(quantity))} ${label} at <b>${trimZeros(price)}</b></li>`
    })}
  </ol>`
}

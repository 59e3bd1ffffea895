import { useCell } from '../data/hooks.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'

/** Link to a market, as of the same instant. */
export function MarketLink({ market_id, title }: { market_id: string | null; title: string }) {
  const shown = useCell(route)
  return market_id === null ? html`<span>${title}</span>` : html`<a href=${linkTo(shown, { market_id })}>${title}</a>`
}

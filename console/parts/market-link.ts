import { useCell } from '../data/hooks.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'

/** A market's name that leads to its price, in the same time. */
export function MarketLink({ market_id, title }: { market_id: string | null; title: string }) {
  const shown = useCell(route)
  return market_id === null ? html`<span>${title}</span>` : html`<a href=${linkTo(shown, { market_id })}>${title}</a>`
}

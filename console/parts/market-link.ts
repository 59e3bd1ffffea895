import type { Market } from '../../protocol/resources/market.ts'
import { useCell } from '../data/hooks.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'

/** Returns the label of an outcome; its id if the market does not have it. */
export function outcomeLabel({ outcomes }: Pick<Market, 'outcomes'>, id: string): string {
  return outcomes.find(({ outcome_id }) => outcome_id === id)?.label ?? id
}

/** Link to a market, as of the same instant. */
export function MarketLink({ market_id, title }: { market_id: string | null; title: string }) {
  const shown = useCell(route)
  return market_id === null ? html`<span>${title}</span>` : html`<a href=${linkTo(shown, { market_id })}>${title}</a>`
}

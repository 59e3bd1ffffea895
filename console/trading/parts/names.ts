import type { Market } from '../../../protocol/resources/market.ts'
import { groupDigits, signOf, trimZeros } from '../../data/decimal-text.ts'
import { html } from '../../html.ts'

/** The markets that can be traded, by id. */
export type Markets = ReadonlyMap<string, Market>

type Outcome = { readonly market_id: string; readonly outcome_id: string }

/** An outcome and its market; ids where the names are not known. */
export function OutcomeName({ markets, of }: { markets: Markets; of: Outcome }) {
  const market = markets.get(of.market_id)
  const label = market?.outcomes.find(({ outcome_id }) => outcome_id === of.outcome_id)?.label
  return html`<span class="outcome"><b>${label ?? html`<code>${of.outcome_id}</code>`}</b> <span class="quiet">${market?.title ?? html`<code>${of.market_id}</code>`}</span></span>`
}

/** A decimal of an account: thousands grouped, without zeros that say nothing; null is no zero, and said in words. */
export function Amount({
  text,
  signed = false,
  absent = 'not known',
}: {
  text: string | null
  signed?: boolean
  absent?: string
}) {
  if (text === null) return html`<span class="none">${absent}</span>`
  return html`<span>${signed && signOf(text) > 0 ? '+' : ''}${groupDigits(trimZeros(text))}</span>`
}

import type { Market } from '../../../protocol/resources/market.ts'
import { groupDigits, signOf, trimZeros } from '../../data/decimal-text.ts'
import { html } from '../../html.ts'

/** Tradable markets by id. */
export type Markets = ReadonlyMap<string, Market>

type Outcome = { readonly market_id: string; readonly outcome_id: string }

/** Names of an outcome and its market; ids if the names are unknown. */
export function OutcomeName({ markets, of }: { markets: Markets; of: Outcome }) {
  const market = markets.get(of.market_id)
  const label = market?.outcomes.find(({ outcome_id }) => outcome_id === of.outcome_id)?.label
  return html`<span class="outcome"><b>${label ?? html`<code>${of.outcome_id}</code>`}</b> <span class="quiet">${market?.title ?? html`<code>${of.market_id}</code>`}</span></span>`
}

/** A decimal of an account with grouped thousands, without trailing zeros; null reads `absent`, never 0. */
export function Amount({
  text,
  signed = false,
  absent = 'unknown',
}: {
  text: string | null
  signed?: boolean
  absent?: string
}) {
  if (text === null) return html`<span class="none">${absent}</span>`
  return html`<span>${signed && signOf(text) > 0 ? '+' : ''}${groupDigits(trimZeros(text))}</span>`
}

import { ORDER_FLAGS, ORDER_TERMS } from '../../../protocol/order/order-terms.ts'
import type { AccountPolicy } from '../../../protocol/resources/account-policy.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { Side } from '../../../vocabulary/order.ts'
import { groupDigits, trimZeros } from '../../data/decimal-text.ts'
import { html } from '../../html.ts'
import { Choice } from '../../parts/choice.ts'
import { CAPS, type Complaint, type OrderDraft, usualCaps } from '../data/order-draft.ts'
import { CheckField, SelectField, TextField } from './fields.ts'

type TicketFieldsProps = {
  readonly market: Market
  /** null: not read yet. */
  readonly policy: AccountPolicy | null
  readonly draft: OrderDraft
  readonly complaints: readonly Complaint[]
  readonly change: (change: Partial<OrderDraft>) => void
}

const TIMES = [
  ['GTC', 'GTC: until canceled'],
  ['GTD', 'GTD: until a time'],
  ['FOK', 'FOK: all at once, or nothing'],
  ['FAK', 'FAK: what there is at once, no more'],
] as const
const SELF_TRADE = [
  ['cancel_taker', 'cancel_taker: this order gives way'],
  ['cancel_maker', 'cancel_maker: the resting one gives way'],
  ['cancel_both', 'cancel_both: both give way'],
] as const

/** Everything of an order that its user decides. */
export function TicketFields({ market, policy, draft, complaints, change }: TicketFieldsProps) {
  const said = (field: keyof OrderDraft) => complaints.find((one) => one.field === field)?.message
  const parameters = market.trading_parameters
  return html`<div class="pair">
      <${Choice} legend="side" name="side" value=${draft.side} options=${[['BUY', 'BUY'], ['SELL', 'SELL']]} onChoose=${(side: Side) => change({ side })} />
      <${Choice} legend="Outcome" name="outcome" value=${draft.outcome_id} options=${market.outcomes.map(({ outcome_id, label }) => [outcome_id, label])} onChoose=${(outcome_id: string) => change({ outcome_id })} />
    </div>
    <div class="pair">
      <${TextField} id="limit_price" label="Limit price" decimal value=${draft.limit_price} complaint=${said('limit_price')} placeholder="0.52"
        hint=${bounds(parameters?.price_min, parameters?.price_max, parameters?.price_increment)} onInput=${(limit_price: string) => change({ limit_price })} />
      <${TextField} id="quantity" label="Quantity" decimal value=${draft.quantity} complaint=${said('quantity')} placeholder="10"
        hint=${bounds(parameters?.minimum_quantity, null, parameters?.quantity_increment)} onInput=${(quantity: string) => change({ quantity })} />
    </div>
    <${SelectField} id="time_in_force" label="Time in force" value=${draft.time_in_force} options=${TIMES} onChoose=${(text: string) => change({ time_in_force: text as OrderDraft['time_in_force'] })} />
    ${draft.time_in_force === 'GTD' && html`<${TextField} id="expires_at" label="Expires at (UTC)" value=${draft.expires_at} complaint=${said('expires_at')} placeholder="2030-01-17 12:00" onInput=${(expires_at: string) => change({ expires_at })} />`}
    <fieldset class="checks">
      <legend class="sr">Conditions</legend>
      ${ORDER_FLAGS.map(
        (flag) =>
          html`<${CheckField} key=${flag} label=${html`<code>${flag}</code>`} title=${ORDER_TERMS[flag].effect} checked=${draft[flag]} onChange=${(is_set: boolean) => change({ [flag]: is_set })} />`,
      )}
    </fieldset>
    <${SelectField} id="self_trade" label="Self-trade prevention" value=${draft.self_trade_prevention ?? policy?.default_self_trade_prevention ?? ''} options=${SELF_TRADE}
      hint=${draft.self_trade_prevention === null ? "the account's default" : undefined}
      onChoose=${(text: string) => change({ self_trade_prevention: text as OrderDraft['self_trade_prevention'] })} />
    <${CapFields} draft=${draft} said=${said} change=${change} />`
}

function CapFields({
  draft,
  said,
  change,
}: {
  draft: OrderDraft
  said: (field: keyof OrderDraft) => string | undefined
  change: TicketFieldsProps['change']
}) {
  const usual = usualCaps(draft)
  return html`<div class="pair">
    ${CAPS.map(
      ({ cap, label, usual: rule }) =>
        html`<${TextField} key=${cap} id=${cap} label=${label} decimal value=${draft[cap] ?? usual?.[cap] ?? ''} complaint=${said(cap)}
      hint=${draft[cap] === null ? rule : html`typed; <button type="button" class="plain" onClick=${() => change({ [cap]: null })}>as usual</button>`} onInput=${(text: string) => change({ [cap]: text === '' ? null : text })} />`,
    )}
  </div>`
}

function bounds(
  min: string | null | undefined,
  max: string | null | undefined,
  step: string | null | undefined,
): string | undefined {
  const parts = [
    min == null ? null : max == null ? `at least ${shown(min)}` : `${shown(min)} to ${shown(max)}`,
    step == null ? null : `steps of ${shown(step)}`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? undefined : parts.join(', ')
}

function shown(text: string): string {
  return groupDigits(trimZeros(text))
}

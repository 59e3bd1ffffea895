import { ORDER_FLAGS } from '../../../protocol/order/order-terms.ts'
import type { OrderRequest } from '../../../protocol/requests/order-request.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { OrderPreview } from '../../../protocol/resources/order-preview.ts'
import { ApiError } from '../../data/api-error.ts'
import { groupDigits, trimZeros } from '../../data/decimal-text.ts'
import { html } from '../../html.ts'
import { type Fact, Facts } from '../../parts/facts.ts'
import { CAPS } from '../data/order-draft.ts'
import { stakesOf } from '../data/order-stakes.ts'
import { Refusal } from './refusal.ts'

type ReviewProps = { readonly market: Market; readonly body: OrderRequest; readonly preview: OrderPreview | null }

/** The signed order before it is placed: what the service says it would do, and what of it was signed. */
export function OrderReview({ market, body, preview }: ReviewProps) {
  return html`<div class="review" aria-live="polite">
    ${preview !== null && preview.rejection !== null && html`<p><b>It would be rejected.</b></p><${Refusal} error=${asError(preview.rejection)} />`}
    ${preview !== null && preview.rejection === null && html`<${Facts} facts=${[...stakeFacts(market, body, preview), ...outcomeFacts(preview)]} />`}
    <details>
      <summary>What was signed</summary>
      <${Facts} facts=${signedFacts(body)} />
    </details>
  </div>`
}

function outcomeFacts(preview: OrderPreview): readonly Fact[] {
  const { executable_quantity, average_executable_price, working_quantity, reserved_amount } = preview
  const facts: readonly Fact[] = [
    [
      'Executable now',
      executable_quantity === null
        ? null
        : html`<b>${shown(executable_quantity)}</b>${average_executable_price !== null && html` at ${shown(average_executable_price)} on average`}`,
    ],
    ['Ends at once', preview.terminal_reason === null ? null : html`<b>${preview.terminal_reason}</b>`],
    ['Own orders in the way', ownOrdersText(preview.self_trade_prevention)],
    ['Working quantity', shownOr(working_quantity)],
    ['Reserves', shownOr(reserved_amount)],
    ['Available before', shownOr(preview.available_before)],
  ]
  return facts.filter(([, value]) => value !== null)
}

function ownOrdersText(prevention: OrderPreview['self_trade_prevention']): string | null {
  if (prevention === null) return null
  const { own_orders, own_orders_omitted, canceled_quantity, mode } = prevention
  const count = own_orders.length + own_orders_omitted
  const fate = mode === 'cancel_taker' ? 'kept' : `canceled with ${shown(canceled_quantity)} left`
  return `${count}, ${fate} (${mode})`
}

/** Returns what the order stakes at its limit, if all that works of it fills. */
function stakeFacts(market: Market, body: OrderRequest, preview: OrderPreview): readonly Fact[] {
  const stakes = stakesOf(body, preview)
  if (stakes === null) return []
  const { cost, received, fee, payout, worst_loss } = stakes
  const facts: readonly Fact[] = [
    ['Closes', partText(market, preview.closes)],
    ['Opens', partText(market, preview.opens)],
    ['Cost', shownOr(cost)],
    ['Receives at least', shownOr(received)],
    ['Fee at most', shown(fee)],
    ['Payout if it wins', shownOr(payout)],
    ['Worst loss', html`<b>${shown(worst_loss)}</b>`],
  ]
  return facts.filter(([, value]) => value !== null)
}

function partText({ outcomes }: Market, part: OrderPreview['closes']): string | null {
  if (part === null) return null
  const label = outcomes.find(({ outcome_id }) => outcome_id === part.outcome_id)?.label ?? part.outcome_id
  return `${shown(part.quantity)} ${label} at ${shown(part.price)}`
}

function signedFacts(body: OrderRequest): readonly Fact[] {
  const { signer, client_order_id, order_nonce, expires_at } = body
  const flags = ORDER_FLAGS.filter((flag) => body[flag])
  return [
    ['Order', `${body.side} ${body.quantity} at ${body.limit_price}, ${body.time_in_force}`],
    ['outcome_id', html`<code>${body.outcome_id}</code>`],
    ['expires_at', expires_at ?? null],
    ['Conditions', flags.length === 0 ? null : flags.join(', ')],
    ['Self-trade', body.self_trade_prevention],
    ...CAPS.map(({ cap }): Fact => [cap, body[cap]]),
    ['account_id', html`<code class="hash">${body.account_id}</code>`],
    ['signer', html`<code class="hash">${signer}</code>`],
    ['client_order_id', html`<code class="hash">${client_order_id}</code>`],
    ['order_nonce', html`<code class="hash">${order_nonce}</code>`],
  ]
}

function asError(rejection: NonNullable<OrderPreview['rejection']>): ApiError {
  return new ApiError(rejection.code, rejection.message, { fields: rejection, request_id: rejection.request_id })
}

function shown(text: string): string {
  return groupDigits(trimZeros(text))
}

function shownOr(text: string | null): string | null {
  return text === null ? null : shown(text)
}

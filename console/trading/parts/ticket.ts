import { useEffect, useState } from 'preact/hooks'
import type { OrderRequest } from '../../../protocol/requests/order-request.ts'
import type { AccountPolicy } from '../../../protocol/resources/account-policy.ts'
import type { Market } from '../../../protocol/resources/market.ts'
import type { AmendedOrder, Order } from '../../../protocol/resources/order.ts'
import type { OrderPreview } from '../../../protocol/resources/order-preview.ts'
import { ApiError } from '../../data/api-error.ts'
import { useCell } from '../../data/hooks.ts'
import { html } from '../../html.ts'
import type { Session } from '../account/session.ts'
import { notSigned, perform } from '../data/acts.ts'
import { complaintsOf, NO_CAPS, type OrderDraft, termsOf } from '../data/order-draft.ts'
import { mayPass } from '../data/private-api.ts'
import { type KeyAct, steppedPrice } from '../data/ticket-keys.ts'
import { randomToken } from '../signing/request-signature.ts'
import { signedOrder } from '../signing/signed-order.ts'
import { KeyHelp } from './key-help.ts'
import { OrderReview } from './order-review.ts'
import { Refusal } from './refusal.ts'
import { TicketFields } from './ticket-fields.ts'
import { useTicketKeys } from './use-ticket-keys.ts'
import { WalletChoice } from './wallet-choice.ts'

type TicketProps = {
  readonly market: Market
  readonly session: Session
  readonly draft: OrderDraft
  /** Order to replace; null: a new order. */
  readonly replaced: Order | null
  readonly change: (change: Partial<OrderDraft>) => void
  /** Resets the ticket after an order was placed or abandoned. */
  readonly onEnd: () => void
}

type Signed = {
  readonly body: OrderRequest
  readonly preview: OrderPreview | null
  /** Same for every attempt, so the order is placed at most once. */
  readonly idempotency_key: string
}

/** Order ticket: fill in, sign, review, send. A change after signing needs a new signature, so the reviewed order is the one sent. */
export function Ticket({ market, session, draft, replaced, change, onEnd }: TicketProps) {
  const [signed, setSigned] = useState<Signed | null>(null)
  const [is_busy, setBusy] = useState(false)
  const [was_tried, setTried] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [is_help_open, setHelp] = useState(false)
  const policy = useCell(session.feed.policy)
  useEffect(() => {
    setSigned(null)
    setError(null)
  }, [draft, replaced?.order_id])
  const complaints = complaintsOf(draft)
  const label = market.outcomes.find(({ outcome_id }) => outcome_id === draft.outcome_id)?.label ?? draft.outcome_id
  const words = `${draft.side} ${draft.quantity} ${label} at ${draft.limit_price}`

  const sign = async () => {
    setTried(true)
    if (complaints.length > 0 || session.signer === null || policy === null) return
    await busily(setBusy, async () => {
      setError(null)
      try {
        setSigned(await signAndAsk(session, market, policy, draft, replaced))
      } catch (cause) {
        const refused = asApiError(cause)
        setError(refused)
        notSigned(`Preview ${words}`, refused)
      }
    })
  }
  const place = async (one: Signed) => {
    await busily(setBusy, async () => {
      const refused =
        replaced === null ? await placed(session, words, one) : await amended(session, words, one, replaced)
      setError(refused)
      // If the outcome is unknown, only the same request may be sent again.
      if (refused !== null && mayPass(refused)) return
      setSigned(null)
      setTried(false)
      if (refused === null) onEnd()
    })
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void (signed === null ? sign() : place(signed))
  }
  const drop = () => {
    setHelp(false)
    if (signed !== null) setSigned(null)
    else if (replaced !== null) onEnd()
    else change({ quantity: '', ...NO_CAPS })
  }
  const send = () => {
    if (signed !== null && !is_busy) void place(signed)
  }
  useTicketKeys(
    keyHandler({ market, draft, change, is_signed: signed !== null, send, drop, help: () => setHelp(!is_help_open) }),
  )
  const would_fail = signed?.preview?.rejection != null
  return html`<form class="ticket" onSubmit=${submit} novalidate aria-labelledby="ticket-title">
    <div class="section-head"><h2 id="ticket-title">${replaced === null ? 'Order' : 'Replace order'}</h2>
      ${replaced !== null && html`<button type="button" class="plain" onClick=${onEnd}>Keep the old order</button>`}</div>
    <${KeyHelp} is_open=${is_help_open} onToggle=${() => setHelp(!is_help_open)} />
    ${replaced !== null && html`<p class="quiet">Replaces ${replaced.side} ${replaced.remaining_quantity} at ${replaced.limit_price} (<code class="hash">${replaced.order_id}</code>) with a new order, which loses its queue priority.</p>`}
    <${TicketFields} market=${market} policy=${policy} draft=${draft} complaints=${was_tried ? complaints : []} change=${change} />
    ${session.signer === null && html`<${WalletChoice} />`}
    ${error !== null && html`<${Refusal} error=${error} />`}
    ${signed !== null && html`<${OrderReview} market=${market} body=${signed.body} preview=${signed.preview} />`}
    <div class="line send">
      ${
        signed === null
          ? html`<button type="submit" class="main" disabled=${is_busy || session.signer === null || policy === null}>${replaced === null ? 'Sign and preview' : 'Sign'}</button>`
          : html`<button type="submit" class=${would_fail ? '' : 'main'} disabled=${is_busy}>${error !== null ? 'Retry: ' : ''}${replaced === null ? 'Place' : 'Replace with'} ${words}</button>
              <button type="button" disabled=${is_busy} onClick=${() => setSigned(null)}>Edit</button>`
      }
      <span class="quiet" role="status">${is_busy ? (session.signer?.kind === 'wallet' && signed === null ? 'Confirm in your wallet …' : 'Working …') : ''}</span>
    </div>
  </form>`
}

type KeyFacts = Pick<TicketProps, 'market' | 'draft' | 'change'> & {
  readonly is_signed: boolean
  readonly send: () => void
  readonly drop: () => void
  readonly help: () => void
}

/** Returns what each key of the ticket does, and whether it did something. Enter alone never sends. */
function keyHandler({ market, draft, change, is_signed, send, drop, help }: KeyFacts): (act: KeyAct) => boolean {
  const step = (direction: 'up' | 'down') => {
    const limit_price = steppedPrice(draft.limit_price, direction, market.trading_parameters)
    if (limit_price !== null) change({ limit_price })
  }
  const other = market.outcomes.find(({ outcome_id }) => outcome_id !== draft.outcome_id)
  const acts: Readonly<Record<KeyAct, () => unknown>> = {
    buy: () => change({ side: 'BUY' }),
    sell: () => change({ side: 'SELL' }),
    outcome: () => other !== undefined && change({ outcome_id: other.outcome_id }),
    price: () => focusField('limit_price'),
    quantity: () => focusField('quantity'),
    up: () => step('up'),
    down: () => step('down'),
    preview: () => undefined,
    send,
    cancel: drop,
    help,
  }
  return (act) => {
    if (act === 'preview') return is_signed
    acts[act]()
    return true
  }
}

function focusField(id: string): void {
  const field = document.getElementById(id) as HTMLInputElement | null
  field?.focus()
  field?.select()
}

async function signAndAsk(
  { api, signer, account }: Session,
  market: Market,
  policy: AccountPolicy,
  draft: OrderDraft,
  replaced: Order | null,
): Promise<Signed> {
  const settlement_asset_id = market.trading_parameters?.settlement_asset_id ?? USUAL_ASSET
  const terms = termsOf(draft, { market_id: market.market_id, settlement_asset_id }, policy)
  const body = await signedOrder(terms, signer!, account.environment)
  // A replacement counts on the old order's reservation, which a preview ignores.
  const preview = replaced === null ? (await api.write<OrderPreview>({ path: '/orders/preview', body })).data : null
  return { body, preview, idempotency_key: randomToken() }
}

const USUAL_ASSET = 'asset_usd'

/** @returns the refusal; null if placed */
async function placed({ api, feed }: Session, words: string, one: Signed): Promise<ApiError | null> {
  const { body, idempotency_key } = one
  const summary = (order: Order) =>
    `${order.status}, ${order.filled_quantity} of ${order.original_quantity} filled, ${order.order_id}`
  const result = await perform<Order>(api, `Place ${words}`, { path: '/orders', body, idempotency_key }, summary)
  const order = 'data' in result ? result.data : (result.error.data as Order | null)
  if (order !== null) feed.receive({ kind: 'orders', records: [order] })
  return 'data' in result ? null : result.error
}

async function amended({ api, feed }: Session, words: string, one: Signed, old: Order): Promise<ApiError | null> {
  const { idempotency_key } = one
  const body = { ...one.body, expected_order_version: old.version }
  const write = { path: `/orders/${old.order_id}/amend`, body, idempotency_key }
  const summary = ({ replacement }: AmendedOrder) =>
    `${replacement.status}, ${replacement.order_id} replaces ${old.order_id}`
  const result = await perform<AmendedOrder>(api, `Replace with ${words}`, write, summary)
  if ('error' in result) return result.error
  const { replacement, ...before } = result.data
  feed.receive({ kind: 'orders', records: [before, replacement] })
  return null
}

async function busily(setBusy: (busy: boolean) => void, work: () => Promise<void>): Promise<void> {
  setBusy(true)
  await work()
  setBusy(false)
}

/** Converts an error of signing, whose sentence is the service's own. */
function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause
  const { code, message } = cause as { code?: unknown; message?: unknown }
  return new ApiError(typeof code === 'string' ? code : 'PAGE_FAILED', String(message ?? cause), {})
}

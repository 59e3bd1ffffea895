import type { Market } from '../../../protocol/resources/market.ts'
import type { Order } from '../../../protocol/resources/order.ts'
import { useCell } from '../../data/hooks.ts'
import { linkTo, route } from '../../data/route.ts'
import { html } from '../../html.ts'
import type { Session } from '../account/session.ts'
import { workingOrders } from '../data/account-records.ts'
import type { OrderDraft } from '../data/order-draft.ts'
import { AccountForm } from '../parts/account-form.ts'
import { ActLog } from '../parts/act-log.ts'
import { BookLadder, type Pick } from '../parts/book-ladder.ts'
import { PairLadder } from '../parts/pair-ladder.ts'
import { Ticket } from '../parts/ticket.ts'
import { TradeTape } from '../parts/trade-tape.ts'

type DeskProps = {
  readonly environment: string
  readonly market: Market
  readonly session: Session | null
  readonly draft: OrderDraft
  readonly replaced: Order | null
  readonly change: (change: Partial<OrderDraft>) => void
  readonly onEnd: () => void
}

/** One market: its order books beside the ticket or the form that connects an account. */
export function Desk({ environment, market, session, draft, replaced, change, onEnd }: DeskProps) {
  const shown = useCell(route)
  const { market_id, title, status } = market
  return html`<p class="kind"><a href=${linkTo(shown, { view: 'trade' })}>Trade</a> / market</p>
    <h1>${title}</h1>
    <p>${status !== 'open' && html`<b class="tag">${status ?? 'status unknown'}</b> `}<a href=${linkTo(shown, { market_id })}>Rules, prices and rating</a></p>
    <div class="desk">
      <div class="books" role="region" aria-label="Order books">
        <div class="ladders">
          ${session === null ? html`<${Ladders} market=${market} own=${[]} onPick=${change} />` : html`<${OwnLadders} market=${market} session=${session} onPick=${change} />`}
        </div>
        <h2>Trades</h2>
        <${TradeTape} market=${market} />
        ${session !== null && html`<${ActLog} />`}
      </div>
      <div class="side">
        ${session === null ? html`<${AccountForm} environment=${environment} />` : html`<${Ticket} market=${market} session=${session} draft=${draft} replaced=${replaced} change=${change} onEnd=${onEnd} />`}
      </div>
    </div>`
}

type LaddersProps = {
  readonly market: Market
  /** Own open orders of the market. */
  readonly own: readonly Order[]
  readonly onPick: (pick: Pick) => void
}

/** The books of a market: one of both outcomes if they are complementary, else one of each. */
function Ladders({ market, own, onPick }: LaddersProps) {
  if (market.trading_parameters?.complementary === true && market.outcomes.length === 2)
    return html`<${PairLadder} market=${market} own=${own} onPick=${onPick} />`
  return market.outcomes.map((outcome) => {
    const mine = own.filter(({ outcome_id }) => outcome_id === outcome.outcome_id)
    return html`<${BookLadder} key=${outcome.outcome_id} market=${market} outcome=${outcome} own=${mine} onPick=${onPick} />`
  })
}

function OwnLadders({ market, session, onPick }: Omit<LaddersProps, 'own'> & { readonly session: Session }) {
  const records = useCell(session.feed.records)
  const own = workingOrders(records).filter(({ market_id }) => market_id === market.market_id)
  return html`<${Ladders} market=${market} own=${own} onPick=${onPick} />`
}

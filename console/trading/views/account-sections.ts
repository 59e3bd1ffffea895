import type { Order } from '../../../protocol/resources/order.ts'
import { useCell } from '../../data/hooks.ts'
import { go } from '../../data/route.ts'
import { html } from '../../html.ts'
import { Loading } from '../../parts/notes.ts'
import type { Session } from '../account/session.ts'
import { type AccountUpdate, endedOrders, workingOrders } from '../data/account-records.ts'
import { Balances, EndedOrders, Fills, Positions } from '../parts/account-tables.ts'
import { ActLog } from '../parts/act-log.ts'
import { EquityCurve } from '../parts/equity-curve.ts'
import type { Markets } from '../parts/names.ts'
import { OpenOrders } from '../parts/open-orders.ts'
import { Settlements } from '../parts/settlements.ts'
import { Statement } from '../parts/statement.ts'

type AccountSectionsProps = {
  readonly session: Session
  readonly markets: Markets
  readonly market_id: string | null
  readonly onReplace: (order: Order) => void
}

/** Orders, positions, balances, equity, fills, settlements and the statement of the account in all markets. */
export function AccountSections({ session, markets, market_id, onReplace }: AccountSectionsProps) {
  const { feed } = session
  const records = useCell(feed.records)
  const hidden = useCell(feed.hidden)
  const state = useCell(feed.state)
  const is_hidden = (kind: AccountUpdate['kind']) => hidden.includes(kind)
  // The ticket belongs to the market of the order.
  const replace = (order: Order) =>
    order.market_id === market_id ? onReplace(order) : go({ view: 'trade', market_id: order.market_id })
  if (state === 'reading' && records.balances.size === 0) return html`<${Loading} what="account" />`
  return html`<${OpenOrders} session=${session} markets=${markets} orders=${workingOrders(records)} is_hidden=${is_hidden('orders')} onReplace=${replace} />
    <${Positions} positions=${[...records.positions.values()]} markets=${markets} is_hidden=${is_hidden('positions')} />
    <${Balances} balances=${[...records.balances.values()]} is_hidden=${is_hidden('balances')} />
    <${EquityCurve} key=${session.account.key_id} session=${session} assets=${[...records.balances.keys()]} />
    <${Fills} records=${records} markets=${markets} is_hidden=${is_hidden('fills')} />
    <${Settlements} settlements=${[...records.settlements.values()]} markets=${markets} is_hidden=${is_hidden('settlements')} />
    <${EndedOrders} orders=${endedOrders(records)} markets=${markets} is_hidden=${is_hidden('orders')} />
    <${Statement} key=${session.account.key_id} session=${session} markets=${markets} assets=${[...records.balances.keys()]} />
    ${market_id === null && html`<section><${ActLog} /></section>`}`
}

import type { Balance } from '../../../protocol/resources/balance.ts'
import type { Fill } from '../../../protocol/resources/fill.ts'
import type { Order } from '../../../protocol/resources/order.ts'
import type { Position } from '../../../protocol/resources/position.ts'
import { signOf } from '../../data/decimal-text.ts'
import { showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import type { AccountRecords } from '../data/account-records.ts'
import { Amount, type Markets, OutcomeName } from './names.ts'

type Hidden = { readonly is_hidden: boolean }
type Of<T> = { readonly markets: Markets } & Hidden & T

const BALANCE_COLUMNS: readonly Column[] = [
  ['Asset', 'head'],
  ['Total', 'number'],
  ['Available', 'number'],
  ['Reserved', 'number'],
  ['Pending credit', 'number'],
  ['Pending debit', 'number'],
]

/** Balances by asset. */
export function Balances({ balances, is_hidden }: { balances: readonly Balance[] } & Hidden) {
  const rows = balances.map((one) => {
    const amounts = [
      one.total,
      one.available,
      one.reserved,
      one.pending_settlement_credit,
      one.pending_settlement_debit,
    ]
    return {
      key: one.asset_id,
      cells: [html`<code>${one.asset_id}</code>`, ...amounts.map((text) => html`<${Amount} text=${text} />`)],
    }
  })
  return html`<${RecordTable} id="balances" title="Balances" columns=${BALANCE_COLUMNS} rows=${rows} empty="No balances" is_hidden=${is_hidden} />`
}

const POSITION_COLUMNS: readonly Column[] = [
  ['Outcome', 'head'],
  ['Net quantity', 'number'],
  ['Unsettled', 'number'],
  ['Average entry', 'number'],
  ['Mark', 'number'],
  ['Market value', 'number'],
  ['Unrealized P&L', 'number'],
  ['Realized P&L', 'number'],
]

/** Positions by outcome with their profit and loss. */
export function Positions({ positions, markets, is_hidden }: Of<{ positions: readonly Position[] }>) {
  const rows = positions.map((one) => ({
    key: one.outcome_id,
    cells: [
      html`<${OutcomeName} markets=${markets} of=${one} />`,
      html`<b><${Amount} text=${one.net_quantity} /></b>`,
      html`<${Amount} text=${one.unsettled_quantity} />`,
      html`<${Amount} text=${one.average_entry_price} absent="none" />`,
      html`<${Amount} text=${one.mark_price} />`,
      html`<${Amount} text=${one.market_value} />`,
      html`<${Pnl} text=${one.unrealized_pnl} />`,
      html`<${Pnl} text=${one.realized_pnl} />`,
    ],
  }))
  return html`<${RecordTable} id="positions" title="Positions" columns=${POSITION_COLUMNS} rows=${rows} empty="No positions" is_hidden=${is_hidden} />`
}

function Pnl({ text }: { text: string | null }) {
  return html`<span class=${`change sign${signOf(text ?? '0')}`}><${Amount} text=${text} signed /></span>`
}

const FILL_COLUMNS: readonly Column[] = [
  ['Outcome', 'head'],
  ['Side'],
  ['Price', 'number'],
  ['Quantity', 'number'],
  ['Fee', 'number'],
  ['Role'],
  ['Settlement'],
  ['Matched, UTC', 'instant'],
]

/** Fills with the state of their settlement. */
export function Fills({ records, markets, is_hidden }: Of<{ records: AccountRecords }>) {
  const fills: readonly Fill[] = [...records.fills.values()].toSorted((a, b) => b.engine_sequence - a.engine_sequence)
  const rows = fills.map((one) => ({
    key: one.fill_id,
    cells: [
      html`<${OutcomeName} markets=${markets} of=${one} />`,
      html`<b>${one.side}</b>`,
      html`<${Amount} text=${one.price} />`,
      html`<${Amount} text=${one.quantity} />`,
      html`<${Amount} text=${one.fee.amount} />`,
      one.liquidity_role,
      html`${records.settlements.get(one.settlement_id)?.state ?? one.settlement_state}${one.adjustment_ids.length > 0 && html` <span class="tag">adjusted</span>`}`,
      toSecond(one.matched_at),
    ],
  }))
  return html`<${RecordTable} id="fills" title="Fills" columns=${FILL_COLUMNS} rows=${rows} empty="No fills" is_hidden=${is_hidden} />`
}

const ENDED_COLUMNS: readonly Column[] = [
  ['Outcome', 'head'],
  ['Side'],
  ['Limit price', 'number'],
  ['Quantity', 'number'],
  ['Filled', 'number'],
  ['Average', 'number'],
  ['Status'],
  ['Reason', 'text'],
  ['Changed, UTC', 'instant'],
]

/** Filled, canceled, expired and rejected orders, with the reason. */
export function EndedOrders({ orders, markets, is_hidden }: Of<{ orders: readonly Order[] }>) {
  const rows = orders.map((one) => ({
    key: one.order_id,
    cells: [
      html`<${OutcomeName} markets=${markets} of=${one} />`,
      html`<b>${one.side}</b>`,
      html`<${Amount} text=${one.limit_price} />`,
      html`<${Amount} text=${one.original_quantity} />`,
      html`<${Amount} text=${one.filled_quantity} />`,
      html`<${Amount} text=${one.average_fill_price} absent="none" />`,
      one.status,
      one.rejection === null
        ? html`<span class="codes">${one.terminal_reason ?? ''}</span>`
        : html`${one.rejection.message} <code>${one.rejection.code}</code>`,
      toSecond(one.updated_at),
    ],
  }))
  return html`<${RecordTable} id="ended-orders" title="Order history" columns=${ENDED_COLUMNS} rows=${rows} empty="No past orders" is_hidden=${is_hidden} />`
}

/** Formats an instant to the second: "2026-01-17 12:00:03". */
export function toSecond(instant: string): string {
  return showInstant(instant.replace(/\.\d+Z$/, 'Z'))
}

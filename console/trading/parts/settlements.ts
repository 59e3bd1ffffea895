import { useState } from 'preact/hooks'
import type { Settlement } from '../../../protocol/resources/settlement.ts'
import { showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { toSecond } from './account-tables.ts'
import { Amount, type Markets, OutcomeName } from './names.ts'

const COLUMNS: readonly Column[] = [
  ['Outcome', 'head'],
  ['Kind'],
  ['Side'],
  ['Quantity', 'number'],
  ['Net amount', 'number'],
  ['State'],
  ['Attempts'],
  ['Changed, UTC', 'instant'],
]
/** Most settlements shown, as many as fills are read. */
const SHOWN_MAX = 50

type SettlementsProps = {
  readonly settlements: readonly Settlement[]
  readonly markets: Markets
  readonly is_hidden: boolean
}

/** Settlements of fills and payouts with every attempt. */
export function Settlements({ settlements, markets, is_hidden }: SettlementsProps) {
  const [opened, open] = useState<string | null>(null)
  const newest = settlements.toSorted((a, b) => b.engine_sequence - a.engine_sequence).slice(0, SHOWN_MAX)
  const rows = newest.map((one) => {
    const is_open = opened === one.settlement_id
    return {
      key: one.settlement_id,
      cells: [
        html`<${OutcomeName} markets=${markets} of=${one} />`,
        one.kind.replaceAll('_', ' '),
        html`<b>${one.side}</b>`,
        html`<${Amount} text=${one.quantity} />`,
        html`<${Amount} text=${one.net_amount} signed />`,
        one.state,
        html`${one.attempts.length} <button type="button" class="legs" aria-expanded=${String(is_open)} onClick=${() => open(is_open ? null : one.settlement_id)}>show</button>`,
        toSecond(one.updated_at),
      ],
      inner: is_open && html`<${Attempts} settlement=${one} />`,
    }
  })
  return html`<${RecordTable} id="settlements" title="Settlements" columns=${COLUMNS} rows=${rows} empty="No settlements" is_hidden=${is_hidden} />`
}

function Attempts({ settlement: { settlement_id, attempts, reversal } }: { settlement: Settlement }) {
  return html`${attempts.length === 0 && html`<p class="quiet">No attempts yet</p>`}
    <ol>${attempts.map((attempt) => html`<${AttemptItem} key=${attempt.attempt_id} attempt=${attempt} />`)}</ol>
    ${reversal !== null && html`<p>Reversed ${showInstant(reversal.reversed_at)}: <code>${reversal.reason_code}</code> ${reversal.rationale}, by ${reversal.actor}, approved by ${reversal.approved_by}.</p>`}
    <p class="quiet"><code class="hash">${settlement_id}</code></p>`
}

function AttemptItem({ attempt }: { attempt: Settlement['attempts'][number] }) {
  const { state, rail, submitted_at, concluded_at, failure_code, message, next_action } = attempt
  return html`<li>
    <b>${state}</b> on ${rail}, submitted ${showInstant(submitted_at)}${concluded_at !== null && html`, concluded ${showInstant(concluded_at)}`}
    ${failure_code !== null && html`: <code>${failure_code}</code> ${message ?? ''}${next_action !== null && html` <span class="quiet">next: ${next_action.replaceAll('_', ' ')}</span>`}`}
    <span class="quiet"><code class="hash">${attempt.attempt_id}</code></span>
  </li>`
}

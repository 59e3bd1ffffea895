import { showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { type ActRow, remarks } from '../model/act-rows.ts'

const COLUMNS = [['By', 'head'], ['Kind'], ['Recorded, UTC', 'instant'], ['Text', 'text']] as const
const KINDS: Readonly<Record<string, string>> = {
  comment: 'comment',
  recuse: 'recusal',
  veto: 'veto',
  cancel: 'withdrawal',
}

/** Comments, recusals, vetoes and withdrawals with their reasons. */
export function RemarkSection({ rows }: { rows: readonly ActRow[] }) {
  const shown = remarks(rows).map(({ act, text }) => ({
    key: act.act_id,
    cells: [
      html`${act.actor_id} <span class="quiet">${act.roles.join(', ')}</span>`,
      html`<b>${KINDS[act.act ?? '']}</b>`,
      showInstant(act.published_at),
      text ?? html`<span class="none">none</span>`,
    ],
  }))
  return html`<${RecordTable} id="remarks" title="Comments and vetoes" columns=${COLUMNS} rows=${shown} empty="No comments and no veto" />`
}

import type { GovernanceAct } from '../../../protocol/resources/governance.ts'
import { showInstant } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import InclusionCheck from '../../log/parts/inclusion-check.ts'
import { RecordTable } from '../../parts/record-table.ts'
import type { ActRow } from '../model/act-rows.ts'
import { spoken } from '../model/words.ts'
import { Hash } from './hash.ts'
import { SignatureMark } from './signature-mark.ts'
import { StateBadge } from './state-badge.ts'

const COLUMNS = [
  ['Recorded, UTC', 'head'],
  ['Act'],
  ['By'],
  ['Text', 'text'],
  ['State after'],
  ['Signature', 'text'],
] as const

/** Acts on a proposal, first to last, each with the state that it led to and its signature. */
export function ActTable({ rows }: { rows: readonly ActRow[] }) {
  const shown = rows.map((row) => ({ key: row.act.act_id, cells: cellsOf(row) }))
  return html`<${RecordTable} id="acts" title="Acts and states" columns=${COLUMNS} rows=${shown} empty="No acts yet" />`
}

function cellsOf({ act, state, text, choice }: ActRow) {
  const { actor_id, roles, published_at, message, code } = act
  return [
    showInstant(published_at),
    html`${act.act === null ? 'no act' : spoken(act.act)}${choice !== null && html` <span class="tag">${choice}</span>`}`,
    actor_id === null
      ? html`<span class="quiet">${act.public_key === null ? 'the service' : 'unknown key'}</span>`
      : html`${actor_id} <span class="quiet">${roles.join(', ')}</span>`,
    message !== null
      ? html`<span class="problem">refused: ${message} <code>${code}</code></span>`
      : (text ?? html`<span class="none">none</span>`),
    state === null ? html`<span class="quiet">refused</span>` : html`<${StateBadge} state=${state} />`,
    html`<${Signature} act=${act} />`,
  ]
}

/** Signature of an act, checked in this browser, with what was signed. */
function Signature({ act }: { act: GovernanceAct }) {
  const { public_key, signature, signed_text, act_id } = act
  return html`<${SignatureMark} act=${act} />
    <details>
      <summary>Signed text</summary>
      <pre class="signed">${signed_text}</pre>
      <p class="small">Key <${Hash} text=${public_key} /></p>
      <p class="small">Signature <${Hash} text=${signature} /></p>
      <p class="small">Act <${Hash} text=${act_id} /></p>
      <${InclusionCheck} path=${`/governance/acts/${act_id}/proof`} record=${act} subject="this act" />
    </details>`
}

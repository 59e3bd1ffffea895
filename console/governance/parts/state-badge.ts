import { html } from '../../html.ts'
import { QualityBadge } from '../../parts/quality-badge.ts'
import { type ProposalState, STATE_LOOKS } from '../model/words.ts'

/** State of a proposal as a shape and a word. */
export function StateBadge({ state }: { state: ProposalState }) {
  const [look, meaning] = STATE_LOOKS[state] ?? ['indicative', '']
  return html`<${QualityBadge} state=${look} word=${state} meaning=${meaning} />`
}

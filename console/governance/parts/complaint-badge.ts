import type { Complaint } from '../../../protocol/resources/notice.ts'
import { html } from '../../html.ts'
import { QualityBadge } from '../../parts/quality-badge.ts'
import { COMPLAINT_LOOKS } from '../model/complaint-words.ts'
import { spoken } from '../model/words.ts'

/** State of a complaint as a shape and a word, with its outcome. */
export function ComplaintBadge({ complaint: { state, outcome } }: { complaint: Pick<Complaint, 'state' | 'outcome'> }) {
  const [look, meaning] = COMPLAINT_LOOKS[state] ?? ['indicative', '']
  return html`<${QualityBadge} state=${look} word=${state} meaning=${meaning} />${outcome !== null && html` <b>${spoken(outcome)}</b>`}`
}

import type { MarketRating } from '../../../protocol/resources/market-rating.ts'
import { showMinute } from '../../data/instant-text.ts'
import { html } from '../../html.ts'

type Reviewed = Pick<MarketRating, 'override' | 'dispute' | 'withdrawal' | 'correction_reason' | 'supersedes_id'>

/** Notes on the review of a record: override, dispute, withdrawal, correction. */
export function ReviewNotes({ record }: { record: Reviewed }) {
  const { override, dispute, withdrawal, correction_reason, supersedes_id } = record
  return html`${
    override !== null &&
    html`<div class="note-box"><p><b>Override</b> by ${override.authority}: ${override.previous_value ?? 'nothing'} became ${override.proposed_value}, <code>${override.reason_code}</code>. ${override.narrative}</p>
      <p class="small">From ${showMinute(override.starts_at)} UTC ${override.expires_at === null ? 'without an end' : `to ${showMinute(override.expires_at)} UTC`}.</p></div>`
  }${
    dispute !== null &&
    html`<div class="note-box"><p><b>Dispute ${dispute.state}</b>, filed by ${dispute.filer} ${showMinute(dispute.filed_at)} UTC: ${dispute.basis ?? 'no basis given'}</p>
      <p class="small">${dispute.decided_at === null ? 'Not decided yet; the record remains current.' : `Decided ${showMinute(dispute.decided_at)} UTC: ${dispute.decision ?? 'no reason given'}`}</p></div>`
  }${
    withdrawal !== null &&
    html`<div class="note-box"><p><b>Withdrawn</b> by ${withdrawal.withdrawn_by} ${showMinute(withdrawal.withdrawn_at)} UTC: ${withdrawal.reason ?? 'no reason given'}</p></div>`
  }${
    correction_reason !== null &&
    html`<p class="quiet">Revised: <code>${correction_reason}</code>${supersedes_id !== null && html`, replaces <code class="hash">${supersedes_id}</code>`}</p>`
  }`
}

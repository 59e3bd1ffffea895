import type { SchedulePause } from '../../protocol/operator/ingest.ts'
import { showMinute } from '../data/instant-text.ts'
import { html } from '../html.ts'

/** The pauses that hold: who, when and why. Nothing where nothing is paused. */
export function PauseList({ pauses }: { pauses: readonly SchedulePause[] }) {
  if (pauses.length === 0) return null
  return html`<section aria-labelledby="pauses-title">
    <h2 id="pauses-title">Paused</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="Paused">
      <table class="ingest">
        <thead>
          <tr>
            <th scope="col">Schedule</th>
            <th scope="col">Since, UTC</th>
            <th scope="col">By</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>${pauses.map((pause) => html`<${PauseRow} key=${pause.schedule_id} pause=${pause} />`)}</tbody>
      </table>
    </div>
  </section>`
}

function PauseRow({ pause }: { pause: SchedulePause }) {
  return html`<tr>
    <th scope="row">${pause.schedule_id}</th>
    <td class="instant">${showMinute(pause.paused_at.replace(/\.\d+Z$/, 'Z'))}</td>
    <td>${pause.paused_by}</td>
    <td>${pause.reason}</td>
  </tr>`
}

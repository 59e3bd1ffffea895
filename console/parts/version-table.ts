import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import { trimZeros } from '../data/decimal-text.ts'
import { showDuration, showMinute } from '../data/instant-text.ts'
import { html } from '../html.ts'

/** The versions of an index, newest first. */
export function VersionTable({
  versions,
  latest,
}: {
  versions: readonly IndexVersion[]
  latest: IndexObservation | null
}) {
  return html`<section aria-labelledby="versions-title">
    <h2 id="versions-title">Versions</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="Versions">
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Effective from, UTC</th>
            <th scope="col">To, UTC</th>
            <th scope="col">Methodology</th>
            <th scope="col">Mode</th>
            <th scope="col">Frequency</th>
            <th scope="col" class="number">Minimum coverage</th>
            <th scope="col">Changes</th>
          </tr>
        </thead>
        <tbody>
          ${versions.toReversed().map(
            (one) => html`<tr key=${one.index_version_id}>
              <th scope="row">${one.version}${one.index_version_id === latest?.index_version_id && html` <span class="tag">current</span>`}</th>
              <td class="instant">${showMinute(one.effective_from)}</td>
              <td class="instant">${one.effective_to === null ? html`<span class="none">open</span>` : showMinute(one.effective_to)}</td>
              <td><code>${one.methodology_id}</code> ${one.methodology_version}</td>
              <td>${String(one.mode).replace('_', '-')}</td>
              <td>${showDuration(one.calculation_frequency)}</td>
              <td class="number">${trimZeros(one.minimum_coverage_ratio)}</td>
              <td class="text">${one.change_summary.join('; ')}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`
}

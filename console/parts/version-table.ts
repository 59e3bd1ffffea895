import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import { FIELDS_KNOWN_AT } from '../../vocabulary/known-at.ts'
import { trimZeros } from '../data/decimal-text.ts'
import { useCell } from '../data/hooks.ts'
import { showDuration, showMinute } from '../data/instant-text.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { LoadedView } from '../views/loaded-view.ts'

const loadInclusion = () => import('../log/parts/inclusion-check.ts')

/** The versions of an index, newest first. */
export default function VersionTable({
  versions,
  latest,
}: {
  versions: readonly IndexVersion[]
  latest: IndexObservation | null
}) {
  return html`<section aria-labelledby="versions-title">
    <h2 id="versions-title">Versions</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="Versions">
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
            <th scope="col">Governance</th>
            <th scope="col">Proof</th>
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
              <td><${GovernanceMark} version=${one} /></td>
              <td><${LoadedView} load=${loadInclusion} what="verification" path=${`/indexes/${one.index_id}/versions/${one.index_version_id}/proof`} record=${one} later=${FIELDS_KNOWN_AT.index_version} subject=${`version ${one.version}`} /></td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`
}

/** Mark of who decided a version: one person who applied it, or an approved proposal, to which it links. */
function GovernanceMark({ version: { governance, proposal_id, announced_at } }: { version: IndexVersion }) {
  const shown = useCell(route)
  if (proposal_id === null)
    return html`<span class="none" title="One person applied it">governance: ${governance}</span>`
  const to = linkTo(shown, { view: 'governance', proposal_id })
  return html`<a href=${to}>${governance}</a>${announced_at !== null && html` <span class="quiet age">announced ${showMinute(announced_at)}</span>`}`
}

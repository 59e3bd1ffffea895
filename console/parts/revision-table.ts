import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Api } from '../data/api-client.ts'
import { groupDigits } from '../data/decimal-text.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { showInstant } from '../data/instant-text.ts'
import { getObservation } from '../data/reads.ts'
import { route, writeRoute } from '../data/route.ts'
import { html } from '../html.ts'
import { ErrorNote, Loading } from './notes.ts'
import { QualityBadge } from './quality-badge.ts'

/** All revisions of one tick, oldest first; each links to the page as of its publication. */
export function RevisionTable({
  api,
  observation,
  chain,
}: {
  api: Api
  observation: IndexObservation
  chain: readonly string[]
}) {
  const { index_id } = observation
  const key = chain.length < 2 ? null : `chain ${chain.join()} ${api.as_of}`
  const read = useLoaded(key, (signal) =>
    Promise.all(chain.map(async (id) => (await getObservation(api, index_id, id, signal)).data)),
  )
  const shown = useCell(route)
  if (chain.length < 2) return null
  return html`<h3>Corrections of this tick</h3>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Corrections" />`}
    ${read.state === 'loading' && html`<${Loading} what="corrections" />`}
    <div class="scroll" tabindex="0" role="region" aria-label="Corrections of this tick">
      <table>
        <thead>
          <tr>
            <th scope="col">Revision</th>
            <th scope="col" class="number">Level</th>
            <th scope="col">Quality</th>
            <th scope="col">Published, UTC</th>
            <th scope="col">Reason</th>
            <th scope="col">Page</th>
          </tr>
        </thead>
        <tbody>
          ${(read.data ?? []).map(
            (
              one,
            ) => html`<tr key=${one.observation_id} class=${one.observation_id === observation.observation_id ? 'here' : ''}>
              <th scope="row">${one.revision}${one.observation_id === observation.observation_id && html` <span class="tag">shown</span>`}</th>
              <td class="number">${one.level === null ? html`<span class="none">none</span>` : groupDigits(one.level)}</td>
              <td><${QualityBadge} state=${one.quality_state} /></td>
              <td class="instant">${showInstant(one.published_at)}</td>
              <td>${one.correction_reason ?? html`<span class="none">first published</span>`}</td>
              <td><a href=${writeRoute({ ...shown, as_of: one.published_at, observation_id: one.observation_id })}>View as of then</a></td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

import { useState } from 'preact/hooks'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Api } from '../data/api-client.ts'
import { pixelNumber, trimZeros } from '../data/decimal-text.ts'
import { useLoaded } from '../data/hooks.ts'
import { getMarket, listConstituents } from '../data/reads.ts'
import { html } from '../html.ts'
import { LoadedView } from '../views/loaded-view.ts'
import { MarketLink } from './market-link.ts'
import { ErrorNote, Loading } from './notes.ts'
import { type Input, usedMarket } from './used-market.ts'
import { ValueCell } from './value-cell.ts'

const loadLegs = () => import('./leg-table.ts')

/** Constituents of a level: weights of the version, and each one's contribution to this level. */
export function ConstituentTable({ api, observation }: { api: Api; observation: IndexObservation }) {
  const { index_id, index_version_id, inputs = [] } = observation
  const read = useLoaded(`constituents ${index_version_id} ${api.as_of}`, (signal) =>
    listConstituents(api, index_id, index_version_id, signal),
  )
  const largest = Math.max(...inputs.map(({ contribution }) => Math.abs(pixelNumber(contribution ?? '0'))), 0)
  return html`<h3>Constituents</h3>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Constituents" />`}
    ${read.state === 'loading' && html`<${Loading} what="constituents" />`}
    ${
      read.state === 'ready' &&
      html`<div class="scroll" tabindex="0" role="region" aria-label="Constituents">
      <table class="constituents">
        <thead>
          <tr>
            <th scope="col">Market</th>
            <th scope="col">Outcome</th>
            <th scope="col">Venue</th>
            <th scope="col" class="number">Weight</th>
            <th scope="col" class="number">Value</th>
            <th scope="col" class="number">Normalized</th>
            <th scope="col" class="number">Contribution</th>
            <th scope="col"><span class="sr">Share</span></th>
            <th scope="col">Freshness</th>
            <th scope="col">Mark rule</th>
          </tr>
        </thead>
        ${read.data.map((constituent) => {
          const input = inputs.find(({ constituent_id }) => constituent_id === constituent.constituent_id) ?? null
          return html`<${Row} key=${constituent.constituent_id} api=${api} constituent=${constituent} input=${input} largest=${largest} />`
        })}
      </table>
    </div>`
    }`
}

function Row({
  api,
  constituent,
  input,
  largest,
}: {
  api: Api
  constituent: Constituent
  input: Input | null
  largest: number
}) {
  const [is_open, setOpen] = useState(false)
  const { constituent_id, venue, target_weight } = constituent
  const legs = input?.legs ?? []
  const { market_id, outcome_id, venue_id } = usedMarket(constituent, input)
  const is_own = market_id === constituent.market_id
  const read = useLoaded(is_own ? null : `market ${market_id} ${api.as_of}`, (signal) =>
    getMarket(api, market_id!, signal),
  )
  const market = is_own ? constituent.market : read.data
  const outcome = market?.outcomes.find((one) => one.outcome_id === outcome_id)
  const applied = input?.weight_applied ?? null
  // In a suspended level nothing has a weight, and nothing need be excluded.
  const unweighed = (input?.exclusion_reason ?? null) === null ? '–' : 'excluded'
  const is_moved = applied !== null && trimZeros(applied) !== trimZeros(target_weight)
  return html`<tbody>
    <tr>
      <th scope="row" class="text">
        <${MarketLink} market_id=${market_id} title=${market?.title ?? constituent_id} />
        ${legs.length > 1 && html` <button type="button" class="legs" aria-expanded=${String(is_open)} onClick=${() => setOpen(!is_open)}>${legs.length} legs</button>`}
        <${Remarks} input=${input} />
      </th>
      <td>${outcome?.label ?? '–'}</td>
      <td>${(venue_id === venue?.venue_id ? venue?.name : venue_id) ?? '–'}</td>
      <td class="number" title=${`target ${target_weight}`}>${applied === null ? html`<span class="none">${unweighed}</span>` : trimZeros(applied)}${is_moved && html`<small> of ${trimZeros(target_weight)}</small>`}</td>
      <${ValueCell} text=${input?.raw_value ?? null} />
      <${ValueCell} text=${input?.normalized_value ?? null} />
      <${ValueCell} text=${input?.contribution ?? null} />
      <td class="share"><${Bar} text=${input?.contribution ?? null} largest=${largest} /></td>
      <td>${input?.freshness_class ?? '–'}</td>
      <td>${input?.mark_rule ?? '–'}</td>
    </tr>
    ${is_open && input !== null && html`<tr class="inner"><td colspan="10"><${LoadedView} load=${loadLegs} what="legs" api=${api} constituent=${constituent} input=${input} /></td></tr>`}
  </tbody>`
}

/** Remarks on an input: excluded, provisional, pending, reason codes. */
function Remarks({ input }: { input: Input | null }) {
  if (input === null) return null
  const { exclusion_reason, provisional, pending, reason_codes } = input
  const words = [
    exclusion_reason === null ? [] : [`excluded: ${exclusion_reason}`],
    provisional ? ['provisional'] : [],
    pending ? ['pending'] : [],
    reason_codes,
  ].flat()
  return words.length === 0 ? null : html`<small class="codes">${[...new Set(words)].join(', ')}</small>`
}

/** Bar of a contribution relative to the largest; the exact value is beside it. */
function Bar({ text, largest }: { text: string | null; largest: number }) {
  if (text === null || largest === 0) return null
  const width = Math.max((Math.abs(pixelNumber(text)) / largest) * 72, 0.75)
  return html`<svg viewBox="0 0 72 10" width="72" height="10" aria-hidden="true"><rect width=${width} height="10" /></svg>`
}

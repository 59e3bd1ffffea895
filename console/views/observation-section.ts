import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'
import { FIELDS_KNOWN_AT } from '../../vocabulary/known-at.ts'
import { type Api, urlOf } from '../data/api-client.ts'
import { asPercent, groupDigits, trimZeros } from '../data/decimal-text.ts'
import { useCell, useLoaded } from '../data/hooks.ts'
import { showInstant, showMinute } from '../data/instant-text.ts'
import { getObservation } from '../data/reads.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { ConstituentTable } from '../parts/constituent-table.ts'
import { type Fact, Facts } from '../parts/facts.ts'
import { ErrorNote, Loading } from '../parts/notes.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { RevisionTable } from '../parts/revision-table.ts'
import { LoadedView } from './loaded-view.ts'

const loadInclusion = () => import('../log/parts/inclusion-check.ts')

/** One level and how it was calculated: the latest, or the one selected in the chart. */
export function ObservationSection({
  api,
  latest,
  versions,
}: {
  api: Api
  latest: IndexObservation
  versions: readonly IndexVersion[]
}) {
  const { observation_id, index_id, ...shown } = useCell(route)
  const id = observation_id ?? latest.observation_id
  const read = useLoaded(`observation ${id} ${api.as_of}`, (signal) => getObservation(api, latest.index_id, id, signal))
  const back = linkTo({ ...shown, index_id, observation_id }, { index_id })
  const title = observation_id === null ? 'Latest level' : 'Selected level'
  return html`<section aria-labelledby="observation-title">
    <div class="section-head">
      <h2 id="observation-title">${title}</h2>
      <a href=${linkTo({ ...shown, index_id, observation_id }, { view: 'lineage', index_id: latest.index_id, observation_id: id })}>Lineage to the venue's payloads</a>
      ${observation_id !== null && html`<a href=${back}>Show latest</a>`}
    </div>
    ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Level" />`}
    ${read.state === 'loading' && html`<${Loading} what="calculation" />`}
    ${
      read.state === 'ready' &&
      html`<${Facts} facts=${factsOf(api, read.data.data, versions)} />
      <${LoadedView} load=${loadInclusion} what="verification" path=${`/indexes/${latest.index_id}/prices/${read.data.data.observation_id}/proof`} record=${read.data.data} later=${FIELDS_KNOWN_AT.index_observation} subject="this level" />
      <${RevisionTable} api=${api} observation=${read.data.data} chain=${read.data.meta.correction_chain ?? []} />
      <${ConstituentTable} api=${api} observation=${read.data.data} />`
    }
  </section>`
}

function factsOf(api: Api, level: IndexObservation, versions: readonly IndexVersion[]): readonly Fact[] {
  const version = versions.find(({ index_version_id }) => index_version_id === level.index_version_id)
  const { index_id, observation_id, underlying_quality_state, quality_state } = level
  const address = urlOf(`/indexes/${index_id}/prices/${observation_id}`, {
    expand: 'inputs',
    ...(api.as_of === null ? {} : { as_of: api.as_of }),
  })
  const is_other = underlying_quality_state !== null && underlying_quality_state !== quality_state
  return [
    [
      'Level',
      level.level === null ? null : html`<b>${groupDigits(level.level)}</b> ${level.unit.replaceAll('_', ' ')}`,
    ],
    ['Tick', html`${showMinute(level.tick_at)} UTC`],
    [
      'Quality',
      html`<${QualityBadge} state=${quality_state} />${is_other && html` based on <${QualityBadge} state=${underlying_quality_state} />`}${level.reason_codes.length > 0 && html` <span class="codes">${level.reason_codes.join(', ')}</span>`}`,
    ],
    ['Coverage', level.coverage_ratio === null ? null : `${asPercent(level.coverage_ratio)} % of the weight`],
    ['Confidence', level.confidence === null ? null : trimZeros(level.confidence)],
    ['Inputs until', level.source_cutoff_at === null ? null : html`${showInstant(level.source_cutoff_at)} UTC`],
    ['Calculated', level.calculated_at === null ? null : html`${showInstant(level.calculated_at)} UTC`],
    ['Published', html`${showInstant(level.published_at)} UTC`],
    ['Version', version?.version ?? html`<code>${level.index_version_id}</code>`],
    ['Methodology', html`<code>${level.methodology_id}</code> ${level.methodology_version}`],
    ['Link factor', level.link_factor === null ? null : groupDigits(level.link_factor)],
    [
      'Revision',
      level.correction_reason === null
        ? String(level.revision)
        : html`${level.revision}, <span class="codes">${level.correction_reason}</span>`,
    ],
    ['Record hash', html`<code class="hash">${level.record_hash}</code>`],
    ['Record', html`<a href=${address} target="_blank" rel="noopener"><code class="hash">${observation_id}</code></a>`],
  ]
}

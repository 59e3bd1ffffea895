import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { Api } from '../data/api-client.ts'
import { pixelNumber } from '../data/decimal-text.ts'
import { type Loaded, useCell, useLoaded, useNow } from '../data/hooks.ts'
import { millisOf, showAge, showMinute } from '../data/instant-text.ts'
import { gaps, live_statuses } from '../data/live.ts'
import { listIndexes, type Price } from '../data/reads.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Change } from '../parts/change.ts'
import { LevelText } from '../parts/level-text.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { Sparkline } from '../parts/sparkline.ts'
import { StaleMark } from '../parts/stale-mark.ts'
import { type Day, useDay } from '../parts/use-day.ts'
import { usePrice } from '../parts/use-price.ts'

/** Table of all indexes with their latest levels. */
export function IndexList({ api }: { api: Api }) {
  const indexes = useLoaded(`indexes ${api.as_of}`, (signal) => listIndexes(api, signal), useCell(gaps))
  if (indexes.state === 'failed') return html`<${ErrorNote} error=${indexes.error} what="Indexes" />`
  if (indexes.state === 'loading') return html`<${Loading} what="indexes" />`
  if (indexes.data.length === 0) return html`<${Empty}>${nothingYet(api)}<//>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Indexes">
    <table class="indexes">
      <thead>
        <tr>
          <th scope="col">Index</th>
          <th scope="col" class="number">Level</th>
          <th scope="col" class="number">Change, 24 h</th>
          <th scope="col">24 hours</th>
          <th scope="col">Quality</th>
          <th scope="col">Tick, UTC</th>
        </tr>
      </thead>
      <tbody>
        ${indexes.data.map((index) => html`<${IndexRow} key=${index.index_id} api=${api} index=${index} />`)}
      </tbody>
    </table>
  </div>`
}

function nothingYet({ as_of }: Api): string {
  return as_of === null ? 'No indexes yet' : 'No indexes at this time'
}

function IndexRow({ api, index }: { api: Api; index: Index }) {
  const { index_id } = index
  const again = useCell(gaps)
  const { read, latest } = usePrice(api, index_id)
  const day = useDay(api, index_id, read.data?.level ?? null, again)
  const status = useCell(live_statuses).get(index_id)?.status ?? index.status
  return html`<tr>
    <th scope="row">
      <a href=${linkTo(useCell(route), { index_id })}><span class="symbol">${index.symbol}</span> ${index.name}</a>
      ${status !== 'active' && html` <span class="tag">${status}</span>`}
    </th>
    <${LatestCells} api=${api} latest=${latest} read=${read} day=${day} name=${index.name} />
  </tr>`
}

function LatestCells({
  api,
  latest,
  read,
  day,
  name,
}: {
  api: Api
  latest: IndexObservation | null
  read: Loaded<Price | null>
  day: Day
  name: string
}) {
  const now = useNow()
  if (latest === null) {
    const what = read.state === 'loading' ? '…' : read.state === 'failed' ? 'not available' : 'no level yet'
    return html`<td class="none" colspan="5" title=${read.error?.message ?? ''}>${what}</td>`
  }
  const { level, quality_state, tick_at } = latest
  const points = [...day.points.filter(({ x }) => x < millisOf(tick_at)), ...pointOf(latest)]
  const age = api.as_of === null ? showAge(now - millisOf(tick_at)) : null
  return html`<td class="number level">
      <${LevelText} latest=${latest} read=${read.data?.level ?? null} />
    </td>
    <td class="number"><${Change} from=${day.base?.open ?? null} to=${level} since=${day.base?.bucket_start ?? ''} /></td>
    <td><${Sparkline} points=${points} label=${`${name}, last 24 hours`} /></td>
    <td>
      <${QualityBadge} state=${quality_state} />
      <${StaleMark} api=${api} latest=${latest} max_age_ms=${read.data?.max_age_ms ?? null} />
    </td>
    <td class="instant">${showMinute(tick_at)}${age !== null && html` <span class="quiet age">${age}</span>`}</td>`
}

function pointOf({ level, tick_at }: IndexObservation) {
  return level === null ? [] : [{ x: millisOf(tick_at), y: pixelNumber(level) }]
}

import { useEffect, useState } from 'preact/hooks'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { Index } from '../../protocol/resources/index-resource.ts'
import type { Api } from '../data/api-client.ts'
import { useCell, useLoaded, useNow } from '../data/hooks.ts'
import { pointsOfDay } from '../data/index-day.ts'
import { millisOf, showAge, showMinute } from '../data/instant-text.ts'
import { gaps, live_levels, live_statuses } from '../data/live.ts'
import { newest, type ShownLevel } from '../data/newest.ts'
import { listIndexes } from '../data/reads.ts'
import { linkTo, route } from '../data/route.ts'
import { html } from '../html.ts'
import { Change } from '../parts/change.ts'
import { InventedMark } from '../parts/invented-mark.ts'
import { LevelText } from '../parts/level-text.ts'
import { Empty, ErrorNote, Loading } from '../parts/notes.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { Sparkline } from '../parts/sparkline.ts'
import { StaleMark } from '../parts/stale-mark.ts'
import { type Column, TableHead } from '../parts/table-head.ts'

const COLUMNS: readonly Column[] = [
  ['Index'],
  ['Level', 'number'],
  ['Change, 24 h', 'number'],
  ['24 hours'],
  ['Quality'],
  ['Tick, UTC'],
]

/** Table of all indexes with their latest levels, in one request. */
export function IndexList({ api }: { api: Api }) {
  const streamed = useCell(live_levels)
  const [firsts, setFirsts] = useState(0)
  const again = `${useCell(gaps)} ${firsts}`
  const read = useLoaded(`indexes ${api.as_of}`, (signal) => listIndexes(api, signal), again)
  // Only a read says how old a level may be, so it is repeated when the stream brings the first level of an index.
  const has_first = read.state === 'ready' && read.data.some((one) => isFirst(one, streamed))
  useEffect(() => {
    if (has_first) setFirsts((count) => count + 1)
  }, [has_first])
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Indexes" />`
  if (read.state === 'loading') return html`<${Loading} what="indexes" />`
  if (read.data.length === 0) return html`<${Empty}>${nothingYet(api)}<//>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Indexes">
    <table class="indexes">
      <${TableHead} columns=${COLUMNS} />
      <tbody>
        ${read.data.map((index) => html`<${IndexRow} key=${index.index_id} api=${api} index=${index} streamed=${streamed.get(index.index_id)} />`)}
      </tbody>
    </table>
  </div>`
}

function nothingYet({ as_of }: Api): string {
  return as_of === null ? 'No indexes yet' : 'No indexes at this time'
}

function isFirst({ index_id, latest }: Index, streamed: ReadonlyMap<string, IndexObservation>): boolean {
  return latest === null && streamed.has(index_id)
}

type RowProps = { api: Api; index: Index; streamed: IndexObservation | undefined }

function IndexRow({ api, index, streamed }: RowProps) {
  const { index_id, simulated } = index
  const latest = newest<ShownLevel>(index.latest, streamed)
  const status = useCell(live_statuses).get(index_id)?.status ?? index.status
  return html`<tr>
    <th scope="row">
      <a href=${linkTo(useCell(route), { index_id })}><span class="symbol">${index.symbol}</span> ${index.name}</a>
      ${status !== 'active' && html` <span class="tag">${status}</span>`}<${InventedMark} simulated=${simulated} />
    </th>
    ${latest === null ? html`<td class="none" colspan="5">no level yet</td>` : html`<${LatestCells} api=${api} latest=${latest} index=${index} />`}
  </tr>`
}

function LatestCells({ api, latest, index }: { api: Api; latest: ShownLevel; index: Index }) {
  const now = useNow()
  const { level, quality_state, tick_at } = latest
  const { day = null, latest: read = null } = index
  const age = api.as_of === null ? showAge(now - millisOf(tick_at)) : null
  return html`<td class="number level">
      <${LevelText} latest=${latest} read=${read} />
    </td>
    <td class="number"><${Change} from=${day?.base_level ?? null} to=${level} since=${day?.base_at ?? ''} /></td>
    <td><${Sparkline} points=${pointsOfDay(day, latest)} label=${`${index.name}, last 24 hours`} /></td>
    <td>
      <${QualityBadge} state=${quality_state} />
      <${StaleMark} api=${api} latest=${latest} max_age_ms=${read?.max_age_ms ?? null} />
    </td>
    <td class="instant">${showMinute(tick_at)}${age !== null && html` <span class="quiet age">${age}</span>`}</td>`
}

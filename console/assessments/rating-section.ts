import type { MarketRating, RatingMethodology } from '../../protocol/resources/market-rating.ts'
import type { Api } from '../data/api-client.ts'
import { groupDigits } from '../data/decimal-text.ts'
import { useLoaded } from '../data/hooks.ts'
import { showMinute } from '../data/instant-text.ts'
import { html } from '../html.ts'
import InclusionCheck from '../log/parts/inclusion-check.ts'
import { Facts } from '../parts/facts.ts'
import { ErrorNote, Loading } from '../parts/notes.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { ComponentBars } from './parts/component-bars.ts'
import { EvidenceTable } from './parts/evidence-table.ts'
import { Band } from './parts/grade.ts'
import { NoRecord } from './parts/no-record.ts'
import { recordFacts } from './parts/record-facts.ts'
import { ReviewNotes } from './parts/review-notes.ts'
import { getRating, getRatingMethodology, listRatings } from './reads.ts'
import { useInForce } from './use-in-force.ts'

/** Quality of a market as a source of prices: the current rating, its components and evidence, and earlier ratings. */
export default function RatingSection({ api, market_id }: { api: Api; market_id: string }) {
  const { read, news } = useInForce({
    api,
    topic: 'market.rating',
    filters: { market_id },
    key: `rating ${market_id}`,
    load: (signal) => getRating(api, market_id, signal),
  })
  const history = useLoaded(`ratings ${market_id} ${api.as_of}`, (signal) => listRatings(api, market_id, signal), news)
  return html`<section aria-labelledby="rating-title">
      <div class="section-head"><h2 id="rating-title">Market rating</h2><span class="quiet">quality of this market as a source of prices</span></div>
      ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what="Rating" />`}
      ${read.state === 'loading' && html`<${Loading} what="rating" />`}
      ${read.state === 'ready' && html`<${Scorecard} api=${api} rating=${read.data} />`}
    </section>
    ${read.state === 'ready' && read.data.rating_id !== null && html`<${EvidenceTable} id="rating-evidence" evidence=${read.data.evidence} />`}
    ${history.state === 'failed' && html`<${ErrorNote} error=${history.error} what="Rating history" />`}
    ${history.state === 'ready' && html`<${History} ratings=${history.data} />`}`
}

function Scorecard({ api, rating }: { api: Api; rating: MarketRating }) {
  const { band, score, rating_id, methodology_id, methodology_version, rationale, outlook, watch_status } = rating
  const key =
    methodology_id === null ? null : `rating-methodology ${methodology_id} ${methodology_version} ${api.as_of}`
  const methodology = useLoaded<RatingMethodology>(key, (signal) =>
    getRatingMethodology(api, methodology_id!, methodology_version!, signal),
  )
  const beside = [
    outlook === null ? null : `outlook ${outlook}`,
    watch_status === null ? null : `watch ${watch_status.replaceAll('_', ' ')}`,
  ].filter((one) => one !== null)
  return html`<p class="grade-line"><${Band} band=${band} />${score !== null && html` <span class="quiet">score</span> <b>${groupDigits(score)}</b>`}${beside.length > 0 && html` <span class="quiet">${beside.join(', ')}</span>`}</p>
    ${rationale !== null && html`<p>${rationale}</p>`}
    <${ReviewNotes} record=${rating} />
    ${rating_id !== null && html`<${ComponentBars} caption="Components of the rating" scores=${rating.component_scores} definitions=${methodology.data?.component_definitions ?? null} />`}
    ${rating_id === null ? html`<${NoRecord} reason_codes=${rating.reason_codes} />` : html`<${Facts} facts=${recordFacts(rating, 'market-rating-methodologies')} /><${InclusionCheck} path=${`/ratings/${rating_id}/proof`} record=${rating} subject="this rating" />`}`
}

const COLUMNS: readonly Column[] = [
  ['Effective from, UTC', 'head'],
  ['Band'],
  ['Score', 'number'],
  ['Previous'],
  ['Issuer'],
  ['Review state'],
  ['Version'],
  ['Reasons', 'text'],
]

function History({ ratings }: { ratings: readonly MarketRating[] }) {
  const rows = ratings.toReversed().map((one) => ({
    key: `${one.rating_id}.${one.revision}`,
    cells: [
      one.effective_from === null ? none() : showMinute(one.effective_from),
      html`<b>${one.band}</b>`,
      one.score === null ? none() : groupDigits(one.score),
      one.previous_band ?? none(),
      one.issuer?.kind ?? none(),
      html`${one.review_state?.replaceAll('_', ' ')}${one.override !== null && html` <span class="tag">override</span>`}${one.dispute !== null && html` <span class="tag">dispute ${one.dispute.state}</span>`}${one.withdrawal !== null && html` <span class="tag">withdrawn</span>`}`,
      one.methodology_version ?? none(),
      html`<span class="codes">${one.reason_codes.join(', ')}</span>`,
    ],
  }))
  return html`<${RecordTable} id="rating-history" title="Rating history" columns=${COLUMNS} rows=${rows} empty="No ratings yet" />`
}

function none() {
  return html`<span class="none">none</span>`
}

import type { SeverityAssessment, SeverityMethodology } from '../../../protocol/resources/severity.ts'
import type { Api } from '../../data/api-client.ts'
import { asPercent, groupDigits } from '../../data/decimal-text.ts'
import { useLoaded } from '../../data/hooks.ts'
import { showMinute } from '../../data/instant-text.ts'
import { html } from '../../html.ts'
import InclusionCheck from '../../log/parts/inclusion-check.ts'
import { type Fact, Facts } from '../../parts/facts.ts'
import { ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { ComponentBars } from '../parts/component-bars.ts'
import { EvidenceTable } from '../parts/evidence-table.ts'
import { Level } from '../parts/grade.ts'
import { NoRecord } from '../parts/no-record.ts'
import { RangeBar } from '../parts/range-bar.ts'
import { recordFacts } from '../parts/record-facts.ts'
import { ReviewNotes } from '../parts/review-notes.ts'
import { getSeverityMethodology, listSeverity } from '../reads.ts'
import { useSeverity } from '../use-severity.ts'

type SeriesProps = {
  readonly api: Api
  readonly event_id: string
  readonly assessment_type: SeverityAssessment['assessment_type']
}

const TITLES = { observed: 'Observed severity', forecast: 'Forecast severity' } as const
const SENTENCES = {
  observed: 'reported impact',
  forecast: 'possible impact; kept apart from observations',
} as const

/** One of the two severity series of an event: the current assessment, its evidence and earlier assessments. */
export function SeveritySection({ api, event_id, assessment_type }: SeriesProps) {
  const { read, news } = useSeverity(api, event_id, assessment_type)
  const history = useLoaded(
    `severities ${assessment_type} ${event_id} ${api.as_of}`,
    (signal) => listSeverity(api, event_id, assessment_type, signal),
    news,
  )
  const title = TITLES[assessment_type]
  const has_record = read.state === 'ready' && read.data.assessment_id !== null
  return html`<section aria-labelledby=${`${assessment_type}-title`} class=${`severity is-${assessment_type}`}>
      <div class="section-head"><h2 id=${`${assessment_type}-title`}>${title}</h2><span class="quiet">${SENTENCES[assessment_type]}</span></div>
      ${read.state === 'failed' && html`<${ErrorNote} error=${read.error} what=${title} />`}
      ${read.state === 'loading' && html`<${Loading} what=${title.toLowerCase()} />`}
      ${read.state === 'ready' && html`<${Assessment} api=${api} one=${read.data} />`}
    </section>
    ${has_record && html`<div class=${`severity is-${assessment_type}`}><${EvidenceTable} id=${`${assessment_type}-evidence`} title=${`${title} evidence`} evidence=${read.data.evidence} /></div>`}
    ${history.state === 'failed' && html`<${ErrorNote} error=${history.error} what="History" />`}
    ${history.state === 'ready' && history.data.length > 0 && html`<div class=${`severity is-${assessment_type}`}><${History} id=${`${assessment_type}-history`} title=${`${title} history`} assessments=${history.data} /></div>`}`
}

function Assessment({ api, one }: { api: Api; one: SeverityAssessment }) {
  const { methodology_id, methodology_version, assessment_id, rationale, scenarios } = one
  const key =
    methodology_id === null ? null : `severity-methodology ${methodology_id} ${methodology_version} ${api.as_of}`
  const methodology = useLoaded<SeverityMethodology>(key, (signal) =>
    getSeverityMethodology(api, methodology_id!, methodology_version!, signal),
  )
  return html`<p class="grade-line"><${Level} level=${one.level} /></p>
    ${assessment_id !== null && html`<${RangeBar} score=${one.score} range=${one.score_range} thresholds=${methodology.data?.level_thresholds ?? null} />`}
    ${rationale !== null && html`<p>${rationale}</p>`}
    <${ReviewNotes} record=${one} />
    ${assessment_id !== null && scenarios === null && html`<${ComponentBars} caption="Components of the assessment" scores=${one.component_scores} definitions=${methodology.data?.component_definitions ?? null} />`}
    ${assessment_id === null ? html`<${NoRecord} reason_codes=${one.reason_codes} />` : html`<${Facts} facts=${[...timesOf(one), ...recordFacts(one, 'severity-methodologies')]} /><${InclusionCheck} path=${`/severity-assessments/${assessment_id}/proof`} record=${one} subject="this assessment" />`}`
}

function timesOf({
  event_time_window,
  forecast_horizon_end,
  exceedance,
  scenarios,
}: SeverityAssessment): readonly Fact[] {
  const window: readonly Fact[] =
    event_time_window === null
      ? []
      : [
          [
            'Time of the event',
            `${showMinute(event_time_window.start)} UTC ${event_time_window.end === null ? 'on' : `to ${showMinute(event_time_window.end)} UTC`}`,
          ],
        ]
  const horizon: readonly Fact[] =
    forecast_horizon_end === null ? [] : [['Horizon', `${showMinute(forecast_horizon_end)} UTC`]]
  const chances: readonly Fact[] =
    exceedance === null
      ? []
      : [
          [
            'Probability',
            exceedance.map(({ level, probability }) => `${level} or worse ${asPercent(probability)} %`).join(', '),
          ],
        ]
  const means: readonly Fact[] = scenarios === null ? [] : [['Scenarios', scenarios.map(scenarioText).join(', ')]]
  return [...window, ...horizon, ...chances, ...means]
}

function scenarioText({ probability, score }: NonNullable<SeverityAssessment['scenarios']>[number]): string {
  return `${asPercent(probability)} % ${score === null ? 'unknown' : `score ${groupDigits(score)}`}`
}

const COLUMNS: readonly Column[] = [
  ['Effective from, UTC', 'head'],
  ['Level'],
  ['Score', 'number'],
  ['Range', 'number'],
  ['Previous'],
  ['Issuer'],
  ['Review state'],
  ['Reasons', 'text'],
]

function History({
  id,
  title,
  assessments,
}: {
  id: string
  title: string
  assessments: readonly SeverityAssessment[]
}) {
  const rows = assessments.toReversed().map((one) => ({
    key: `${one.assessment_id}.${one.revision}`,
    cells: [
      one.effective_from === null ? none() : showMinute(one.effective_from),
      html`<b>${one.level}</b>`,
      one.score === null ? none() : groupDigits(one.score),
      one.score_range === null ? none() : `${groupDigits(one.score_range.low)} to ${groupDigits(one.score_range.high)}`,
      one.previous_level ?? none(),
      one.issuer?.kind ?? none(),
      html`${one.review_state?.replaceAll('_', ' ')}${one.override !== null && html` <span class="tag">override</span>`}${one.dispute !== null && html` <span class="tag">dispute ${one.dispute.state}</span>`}${one.withdrawal !== null && html` <span class="tag">withdrawn</span>`}`,
      html`<span class="codes">${one.reason_codes.join(', ')}</span>`,
    ],
  }))
  return html`<${RecordTable} id=${id} title=${title} columns=${COLUMNS} rows=${rows} empty="No assessments yet" />`
}

function none() {
  return html`<span class="none">none</span>`
}

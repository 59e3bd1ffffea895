import type { SeverityBacktestReport } from '../operations/severity/backtest-severity.ts'
import type { CrossEvidence } from '../pipelines/severity/cross-evidence.ts'
import { EXCEEDED_LEVELS } from '../pipelines/severity/score-forecasts.ts'
import { SCORED_LEVELS } from '../vocabulary/severity.ts'
import { type Markup, markup } from './markup.ts'
import { count, percent } from './number-text.ts'
import { lead, renderPage, section } from './page.ts'
import { type Column, table } from './table.ts'

/** Renders a back-test of severity forecasts and assessments as one self-contained HTML page. */
export function renderSeverityBacktest(report: SeverityBacktestReport): string {
  const { from, to, as_of, forecasts, evidence } = report
  return renderPage({
    title: `Back-test of severity, up to ${to}`,
    kind: 'Back-test',
    heading: 'Severity of events',
    about: 'Forecasts compared with observations, and assessments compared with alerts that were not their input.',
    facts: [
      { name: 'Range', value: `from ${from ?? 'the first event'} to before ${to}` },
      { name: 'Known', value: `as of ${as_of}` },
    ],
    figures: [
      { value: count(forecasts.forecasts), name: 'forecasts due' },
      { value: count(forecasts.scored), name: 'scored' },
      { value: forecasts.mean_crps ?? '–', name: 'mean CRPS' },
      ...evidence.map(({ assessed_by, other, pairs }) => ({
        value: count(pairs.length),
        name: `by ${NAMES[assessed_by]}, seen by ${NAMES[other]}`,
      })),
    ],
    verdict: { text: verdictOf(report), alarm: false },
    sections: [forecastSection(report), ...evidence.map(evidenceSection)],
    footer: markup`CRPS and Brier scores: 0 is perfect. The control of a forecast is the observed scores of other events known when it was published. Events without a score are excluded, never 0. Weights and cut points stay uncalibrated until such a report says otherwise. Instants are UTC. This file loads nothing and sends nothing.`,
  })
}

const NAMES: Readonly<Record<string, string>> = { usgs: 'USGS PAGER', gdacs: 'GDACS' }

function verdictOf({ forecasts, evidence }: SeverityBacktestReport): string {
  const { with_control } = forecasts
  const forecast =
    with_control.forecasts === 0
      ? 'No forecast can be compared with a control.'
      : `${with_control.forecasts} forecasts have a mean CRPS of ${with_control.mean_crps}, their control ${with_control.control_crps}.`
  const order = evidence.map(({ assessed_by, other, order: { pairs, share } }) =>
    share === null
      ? `By ${NAMES[assessed_by]} against ${NAMES[other]}: no two events to compare.`
      : `By ${NAMES[assessed_by]} against ${NAMES[other]}: the worse alert has the greater score in ${percent(share)} of ${count(pairs)} pairs; 50 % is chance.`,
  )
  return [forecast, ...order].join(' ')
}

const FORECAST_COLUMNS: readonly Column[] = [
  { head: 'forecast', kind: 'code' },
  { head: 'event', kind: 'code' },
  { head: 'published', kind: 'instant' },
  { head: 'observed', kind: 'number' },
  { head: 'CRPS', kind: 'number' },
  { head: 'control', kind: 'number' },
  ...EXCEEDED_LEVELS.map((level) => ({ head: `Brier ${level}`, kind: 'number' as const })),
]

function forecastSection({ forecasts }: SeverityBacktestReport): Markup {
  const { items, mean_crps, mean_brier, with_control } = forecasts
  if (items.length === 0)
    return section(
      'Forecasts',
      lead('No ended forecast has an observed assessment with a known level, so none is scored.'),
    )
  const rows = items.map((one) => [
    one.assessment_id,
    one.event_id,
    one.published_at,
    one.observed_score,
    one.crps,
    one.control_crps,
    ...EXCEEDED_LEVELS.map((level) => one.brier[level] ?? null),
  ])
  const means = EXCEEDED_LEVELS.map((level) => mean_brier[level] ?? null)
  return section(
    'Forecasts',
    lead('Scored by the observed assessment current at the end of the horizon, as known then.'),
    table({
      id: 'forecasts',
      caption: 'Forecasts and their scores',
      columns: FORECAST_COLUMNS,
      rows: [...rows, ['mean', null, null, null, mean_crps, with_control.control_crps, ...means]],
    }),
  )
}

const LEVELS = [...SCORED_LEVELS, 'UNKNOWN']

function evidenceSection({ assessed_by, other, events, without_other, table: rows, pairs }: CrossEvidence): Markup {
  const id = `${assessed_by}-${other}`
  return section(
    `Assessed by ${NAMES[assessed_by]}, compared with ${NAMES[other]}`,
    lead(
      `${count(events)} earthquakes were assessed from alerts of ${NAMES[assessed_by]}; of ${count(without_other)} ${NAMES[other]} says nothing.`,
    ),
    table({
      id: `levels-${id}`,
      caption: `Levels by the alert of ${NAMES[other]}`,
      columns: [{ head: 'alert there', kind: 'text' }, ...LEVELS.map((head) => ({ head, kind: 'number' as const }))],
      rows: rows.map(({ other_alert, levels }) => [other_alert, ...LEVELS.map((level) => levels[level] ?? 0)]),
    }),
    pairs.length === 0
      ? null
      : table({
          id: `pairs-${id}`,
          caption: 'Earthquakes known to both',
          folded: true,
          columns: [
            { head: 'event', kind: 'code' },
            { head: 'level', kind: 'text' },
            { head: 'score', kind: 'number' },
            { head: 'event there', kind: 'code' },
            { head: 'alert there', kind: 'text' },
          ],
          rows: pairs.map((pair) => [pair.event_id, pair.level, pair.score, pair.other_event_id, pair.other_alert]),
        }),
  )
}

import type { ReplaySubject } from '../operations/replay/reported-replay.ts'
import { formatDecimal, SCALE } from '../primitives/decimal.ts'
import { formatMicros } from '../primitives/instants.ts'
import { coverageChart, type Limit } from './coverage-chart.ts'
import { type LegendItem, legend, lineSample, markSample, stateSample } from './legend.ts'
import { type LevelMark, levelChart } from './level-chart.ts'
import type { Point } from './line-path.ts'
import { type Markup, markup } from './markup.ts'
import type { Milestone } from './milestones.ts'
import { count } from './number-text.ts'
import { lead, section } from './page.ts'
import { isPriced, type KeptTick, type ReplaySummary } from './replay-summary.ts'
import type { StateRun } from './state-runs.ts'
import { table } from './table.ts'

/** Id of the table that lists the ticks; the pointer over a chart reads its rows. */
export const TICKS_TABLE = 'ticks'

/** Level over time with its states, and what the official series shows where it is another. */
export function levelSection(subject: ReplaySubject, summary: ReplaySummary): Markup {
  const marks = summary.ticks.flatMap(publishedMark)
  const chart = levelChart({
    description: levelDescription(summary),
    domain: summary.domain,
    lines: [{ name: 'replayed', look: 'main', points: levelPoints(summary.ticks) }],
    marks,
    ribbons: [{ name: 'quality state', runs: summary.states }],
    milestones: milestonesOf(subject),
    table: TICKS_TABLE,
  })
  return section(
    'Level',
    lead(levelLead(subject, summary)),
    chart,
    levelLegend(summary, marks.length > 0),
    statesTable(summary.states),
  )
}

/** Levels of kept ticks; a stale tick repeats the last one. */
export function levelPoints(ticks: readonly KeptTick[]): readonly Point[] {
  return ticks.map(({ at, line }) => ({ at, value: line.level, carried: !isPriced(line) }))
}

/** Returns the instants at which versions take effect. */
export function milestonesOf({ versions }: ReplaySubject): readonly Milestone[] {
  return versions.map(({ effective_from, version }) => ({ at: effective_from, name: `version ${version}` }))
}

/** The legend's entries for the states that occur. */
export function stateItems(runs: readonly StateRun[]): readonly LegendItem[] {
  const states = [...new Set(runs.map(({ state }) => state))]
  return states.map((state) => ({ sample: stateSample(state), text: state }))
}

function publishedMark({ at, line, other }: KeptTick): LevelMark[] {
  if (other === null || other.level === null) return []
  return [{ at, value: other.level, line_value: line.level }]
}

function levelLegend(summary: ReplaySummary, marked: boolean): Markup {
  const carried = summary.ticks.some(({ line }) => line.level !== null && !isPriced(line))
  return legend([
    { sample: lineSample('main'), text: 'level, replayed' },
    ...(carried ? [{ sample: lineSample('main', true), text: 'last level, carried while stale' }] : []),
    ...(marked ? [{ sample: markSample(), text: 'published level where it differs' }] : []),
    ...stateItems(summary.states),
  ])
}

function levelLead({ index }: ReplaySubject, summary: ReplaySummary): string {
  const unit = index.unit.replaceAll('_', ' ')
  const gaps = summary.count - summary.with_level
  const missing =
    gaps === 0 ? '' : ` ${count(gaps)} of ${count(summary.count)} ticks have no level; there the line is interrupted.`
  const shared = summary.thinned ? ' Where states share a pixel the worse one is shown.' : ''
  return `In ${unit}. The axis covers the range of the levels.${missing}${shared}`
}

function levelDescription({ first, last, lowest, highest }: ReplaySummary): string {
  if (first === null || last === null) return 'No tick has a level of its own'
  return `Level from ${first.line.level} at ${first.line.tick_at} to ${last.line.level} at ${last.line.tick_at}; lowest ${lowest!.line.level} at ${lowest!.line.tick_at}, highest ${highest!.line.level} at ${highest!.line.tick_at}`
}

const RUNS_MAX = 40

/** The ribbon in words, where there is more than one state to tell. */
export function statesTable(runs: readonly StateRun[], id = 'states', caption = 'Quality states'): Markup | null {
  if (runs.length < 2) return null
  const shown = runs.slice(0, RUNS_MAX)
  return table({
    id,
    caption,
    note: shown.length === runs.length ? null : `The first ${shown.length} of ${count(runs.length)} runs.`,
    folded: runs.length > 12,
    columns: [
      { head: 'state', kind: 'text' },
      { head: 'from', kind: 'instant' },
      { head: 'to (exclusive)', kind: 'instant' },
      { head: 'ticks', kind: 'number' },
    ],
    rows: shown.map(({ state, from, to, ticks }) => [state, formatMicros(from), formatMicros(to), ticks]),
  })
}

/** Coverage and confidence with the limits that decide the state. */
export function coverageSection(subject: ReplaySubject, summary: ReplaySummary): Markup {
  const shared = { domain: summary.domain, table: TICKS_TABLE }
  const points = (field: 'coverage_ratio' | 'confidence') =>
    summary.ticks.map(({ at, line }) => ({ at, value: line[field] }))
  return section(
    'Coverage and confidence',
    markup`<h3>Coverage ratio: share of weight whose inputs are fresh or settled</h3>`,
    coverageChart({
      ...shared,
      description: 'Coverage ratio over time',
      points: points('coverage_ratio'),
      limits: limitsOf(subject, summary, ({ minimum_coverage_ratio }) =>
        formatDecimal(minimum_coverage_ratio, SCALE.coverage_ratio),
      ),
      limit_name: 'min',
    }),
    markup`<h3>Confidence: weighted confidence of the inputs</h3>`,
    coverageChart({
      ...shared,
      description: 'Confidence over time',
      points: points('confidence'),
      limits: limitsOf(subject, summary, ({ methodology }) =>
        formatDecimal(methodology.parameters.quality.min_confidence, SCALE.confidence),
      ),
      limit_name: 'min',
    }),
    lead('Dashed: limit below which a level is degraded (coverage) or indicative (confidence).'),
  )
}

function limitsOf(
  { versions }: ReplaySubject,
  { domain }: ReplaySummary,
  value: (version: ReplaySubject['versions'][number]) => string,
): readonly Limit[] {
  return versions.flatMap((version) => {
    const from = Math.max(version.effective_from, domain.from)
    const to = Math.min(version.effective_to ?? domain.to, domain.to)
    return from >= to ? [] : [{ value: value(version), domain: { from, to } }]
  })
}

import type { ReplaySubject } from '../operations/replay/reported-replay.ts'
import type { Constituent } from '../pipelines/index/version.ts'
import { formatDecimal, SCALE } from '../primitives/decimal.ts'
import { type ConstituentSeries, constituentChart } from './constituent-chart.ts'
import { byId, constituentsOf, type TickWithInputs } from './constituents-of.ts'
import { contributionSection, weightSection } from './contribution-sections.ts'
import { legend, stateSample } from './legend.ts'
import { type Markup, markup } from './markup.ts'
import { lead, section } from './page.ts'
import type { ReplaySummary } from './replay-summary.ts'
import { selectSeries } from './series-selection.ts'
import { extendRuns, type StateRun } from './state-runs.ts'
import { table } from './table.ts'

/** Contributions, weights and values of the constituents, drawn and as tables. */
export function constituentSections(subject: ReplaySubject, summary: ReplaySummary): readonly (Markup | null)[] {
  const ticks = summary.ticks.map((tick) => ({ ...tick, parts: tick.inputs() }))
  const selection = selectSeries(ticks.map(({ parts }) => parts))
  return [
    contributionSection(subject, summary, ticks, selection),
    weightSection(subject, summary, ticks, selection),
    valueSection(subject, summary, ticks),
  ]
}

/** More small pictures than this are left to the tables. */
const CHARTS_MAX = 24

function valueSection(subject: ReplaySubject, summary: ReplaySummary, ticks: readonly TickWithInputs[]): Markup {
  const constituents = constituentsOf(subject)
  const shown = byWeight(constituents).slice(0, CHARTS_MAX)
  const series = shown.map((constituent) => seriesOf(constituent, ticks))
  const states = [...new Set(series.flatMap(({ freshness }) => freshness.map(({ state }) => state)))]
  const more = constituents.length - shown.length
  return section(
    'Constituents',
    lead(
      `The value that enters the level, from 0 to 1, and below it how fresh it was.${more > 0 ? ` The ${shown.length} heaviest of ${constituents.length}; the tables have all.` : ''}`,
    ),
    markup`<div class="grid">${series.map((one) => constituentChart(one, summary.domain))}</div>`,
    legend(states.map((state) => ({ sample: stateSample(state), text: state }))),
    compositionTable(subject),
    valueTable(shown, ticks),
  )
}

function seriesOf(constituent: Constituent, ticks: readonly TickWithInputs[]): ConstituentSeries {
  const freshness: StateRun[] = []
  let last_value: string | null = null
  const points = ticks.map(({ at, until, parts }, i) => {
    const part = parts.find((candidate) => candidate.constituent_id === constituent.constituent_id)
    if (part !== undefined) {
      extendRuns(freshness, { state: part.freshness_class, at, to: ticks[i + 1]?.at ?? until })
      last_value = part.normalized_value
    }
    return { at, value: part?.normalized_value ?? null, carried: part?.freshness_class === 'stale' }
  })
  return { constituent_id: constituent.constituent_id, source: sourceText(constituent), last_value, points, freshness }
}

/** Venue, market and outcome of the constituent's own leg. */
function sourceText({ legs, own }: Constituent): string {
  const { venue_id, source_market_id, outcome } = legs[own]!
  const more = legs.length > 1 ? ` and ${legs.length - 1} more` : ''
  return `${venue_id} ${source_market_id} ${outcome}${more}`
}

/** Target weights version by version. */
function compositionTable(subject: ReplaySubject): Markup {
  const { versions } = subject
  return table({
    id: 'composition',
    caption: 'Composition: target weight by version',
    columns: [
      { head: 'constituent', kind: 'code' },
      { head: 'source', kind: 'text' },
      { head: 'normalization', kind: 'text' },
      ...versions.map(({ version }) => ({ head: `version ${version}`, kind: 'number' as const })),
    ],
    rows: constituentsOf(subject).map((constituent) => [
      constituent.constituent_id,
      sourceText(constituent),
      constituent.normalization,
      ...versions.map(({ constituents }) => {
        const found = constituents.find(({ constituent_id }) => constituent_id === constituent.constituent_id)
        return found === undefined ? null : formatDecimal(found.target_weight, SCALE.weight)
      }),
    ]),
  })
}

function valueTable(shown: readonly Constituent[], ticks: readonly TickWithInputs[]): Markup {
  return table({
    id: 'values',
    caption: 'Value by tick',
    folded: true,
    columns: [
      { head: 'tick_at', kind: 'instant' },
      ...shown.map(({ constituent_id }) => ({ head: constituent_id, kind: 'number' as const })),
    ],
    rows: ticks.map(({ line, parts }) => {
      const values = byId(parts)
      return [line.tick_at, ...shown.map(({ constituent_id }) => values.get(constituent_id)?.normalized_value ?? null)]
    }),
  })
}

function byWeight(constituents: readonly Constituent[]): readonly Constituent[] {
  return [...constituents].sort(
    (a, b) => b.target_weight.cmp(a.target_weight) || (a.constituent_id < b.constituent_id ? -1 : 1),
  )
}

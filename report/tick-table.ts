import type { ReplaySubject } from '../operations/replay/reported-replay.ts'
import { TICKS_TABLE } from './level-sections.ts'
import { type Markup, markup } from './markup.ts'
import { count } from './number-text.ts'
import { lead, section } from './page.ts'
import type { ReplaySummary } from './replay-summary.ts'
import { commandMarkup, replayCommandLine } from './subject-facts.ts'
import { table } from './table.ts'

/** Every tick that is drawn, as a table; a long replay lists those that keep its extremes and says where all of them are. */
export function tickSection(subject: ReplaySubject, { ticks, thinned, count: all }: ReplaySummary): Markup {
  return section(
    'Data',
    thinned
      ? markup`<p class="lead">Pictures and tables have ${count(ticks.length)} of ${count(all)} ticks: of each stretch the lowest and the highest level, the lowest coverage and confidence, and gaps. All of them: ${commandMarkup(replayCommandLine(subject))}</p>`
      : lead('Every tick of the replay. The button copies the table as CSV; an empty cell is no value, never zero.'),
    table({
      id: TICKS_TABLE,
      caption: thinned ? `${count(ticks.length)} of ${count(all)} ticks` : `All ${count(all)} ticks`,
      folded: true,
      columns: [
        { head: 'tick_at', kind: 'instant' },
        { head: 'level', kind: 'number' },
        { head: 'quality_state', kind: 'text' },
        { head: 'coverage_ratio', kind: 'number' },
        { head: 'confidence', kind: 'number' },
        { head: 'missing', kind: 'number' },
        { head: 'excluded', kind: 'number' },
        { head: 'index_version', kind: 'text' },
        { head: 'other published level', kind: 'number' },
      ],
      rows: ticks.map(({ line, other }) => [
        line.tick_at,
        line.level,
        line.quality_state,
        line.coverage_ratio,
        line.confidence,
        line.missing_constituent_ids.length,
        line.excluded_inputs.length,
        line.index_version,
        other?.level ?? null,
      ]),
    }),
  )
}

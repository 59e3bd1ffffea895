import type { PublishedLevel } from '../operations/replay/published-levels.ts'
import type { ReplaySubject } from '../operations/replay/reported-replay.ts'
import { Decimal, formatDecimal } from '../primitives/decimal.ts'
import { constituentSections } from './constituent-sections.ts'
import { correctionSection, heldSection, type LateByTick } from './correction-sections.ts'
import { coverageSection, levelSection } from './level-sections.ts'
import { type Markup, markup } from './markup.ts'
import { count } from './number-text.ts'
import { type Figure, type Page, renderPage, section } from './page.ts'
import { reasonSection } from './reason-section.ts'
import type { ReplaySummary } from './replay-summary.ts'
import { subjectFacts, versionsTable } from './subject-facts.ts'
import { tickSection } from './tick-table.ts'

export type ReplayReport = {
  readonly subject: ReplaySubject
  readonly summary: ReplaySummary
  readonly revisions: readonly PublishedLevel[]
  readonly late: LateByTick
}

/** A replay as one self-contained HTML page: the same report gives the same bytes. */
export function renderReplayReport({ subject, summary, revisions, late }: ReplayReport): string {
  return renderPage({
    title: `${subject.index.name}: replay of ${subject.from} to ${subject.to}`,
    kind: 'Index replay',
    heading: subject.index.name,
    about: subject.index.description,
    facts: subjectFacts(subject, summary.digest),
    figures: figuresOf(summary),
    verdict: verdictOf(summary),
    sections: [
      levelSection(subject, summary),
      coverageSection(subject, summary),
      ...constituentSections(subject, summary),
      correctionSection(summary, revisions, late),
      reasonSection(summary),
      heldSection(summary),
      section('Versions and methodology', versionsTable(subject)),
      tickSection(subject, summary),
    ],
    footer: REPLAY_FOOTER,
  })
}

/** Footer of every report. */
export const REPLAY_FOOTER: Markup = markup`Levels, ratios, weights and contributions are the strings that the calculation publishes; pictures are drawn from them and nothing is read back from a picture. Nothing missing is drawn or counted as zero. Instants are UTC. This file loads nothing and sends nothing.`

function figuresOf(summary: ReplaySummary): readonly Figure[] {
  const { first, last, lowest, highest, comparison } = summary
  const { published, counts } = comparison
  const at = (tick: typeof first, name: string): Figure[] =>
    tick === null ? [] : [{ value: tick.line.level!, name: `${name}, ${tick.line.tick_at.slice(0, 10)}` }]
  return [
    ...at(last, 'last'),
    ...changeFigure(first?.line.level ?? null, last?.line.level ?? null),
    ...at(highest, 'highest'),
    ...at(lowest, 'lowest'),
    { value: count(summary.with_level), name: `of ${count(summary.count)} ticks have a level` },
    ...(published === 0 ? [] : [{ value: count(counts.equal), name: `of ${count(published)} published ticks equal` }]),
  ]
}

/** The change over the range in percent of the first level, 2 decimals. */
function changeFigure(from: string | null, to: string | null): Figure[] {
  if (from === null || to === null || new Decimal(from).isZero()) return []
  const percent = formatDecimal(new Decimal(to).minus(from).div(from).times(100), 2)
  const text = percent.startsWith('-') ? percent.replace('-', '−') : `+${percent}`
  return [{ value: `${text} %`, name: 'first to last' }]
}

function verdictOf({ comparison, states }: ReplaySummary): Page['verdict'] {
  const { published, counts } = comparison
  const held = statesText(states)
  if (published === 0) return { text: `No published levels in this range to compare with. ${held}`, alarm: false }
  const unexplained = counts.differs + counts.not_replayed
  if (unexplained > 0)
    return {
      text: `${count(unexplained)} of ${count(published)} published ticks are not reproduced by this replay. ${held}`,
      alarm: true,
    }
  const since =
    counts.corrected === 0 ? '' : `, ${count(counts.corrected)} of them as first published and corrected since`
  return {
    text: `All ${count(published)} published ticks are reproduced to the last digit${since}. ${held}`,
    alarm: false,
  }
}

function statesText(states: ReplaySummary['states']): string {
  const counts = new Map<string, number>()
  for (const { state, ticks } of states) counts.set(state, (counts.get(state) ?? 0) + ticks)
  if (states.length === 0) return 'No ticks in this range.'
  return `States: ${[...counts].map(([state, ticks]) => `${count(ticks)} ${state}`).join(', ')}.`
}

import type { Attribution, VersionComparison } from '../operations/replay/compare-versions.ts'
import { comparisonNotes, inForceText, laterText, type NotedComparison } from './comparison-notes.ts'
import type { ComparisonSummary } from './comparison-summary.ts'
import {
  attributionSection,
  COMPARED_TICKS_TABLE,
  comparedTickSection,
  definitionSection,
  largestTable,
  partsTable,
  signed,
} from './comparison-tables.ts'
import { differenceChart } from './difference-chart.ts'
import { legend, lineSample } from './legend.ts'
import { levelChart } from './level-chart.ts'
import { levelPoints, milestonesOf, stateItems, statesTable } from './level-sections.ts'
import type { Markup } from './markup.ts'
import { type Fact, lead, type Page, renderPage, section } from './page.ts'
import { REPLAY_FOOTER } from './replay-report.ts'
import { asOfText, digestFacts, methodologyText, unitText, versionsText } from './subject-facts.ts'

type Subjects = Pick<VersionComparison, 'left' | 'right'>
export type ComparisonReport = NotedComparison &
  Pick<VersionComparison, 'as_if_in_force' | 'later'> & {
    readonly summary: ComparisonSummary
    readonly attribution: Attribution
  }

/** Two definitions or versions replayed over the same ticks, as one self-contained HTML page. */
export function renderComparisonReport(comparison: ComparisonReport): string {
  const { left, right, later, summary, attribution } = comparison
  const subjects = { left, right }
  const about = [inForceText(comparison), ...comparisonNotes(comparison, summary.last_tick_at), ...later.map(laterText)]
  return renderPage({
    title: `${left.target} against ${right.target}: ${left.from} to ${left.to}`,
    kind: 'Two versions compared by replay',
    heading: `${left.index.name}: A against B`,
    about: about.flatMap((one) => one ?? []).join('. '),
    facts: factsOf(subjects, summary),
    figures: figuresOf(summary),
    verdict: verdictOf(summary),
    sections: [
      levelSection(subjects, summary),
      differenceSection(subjects, summary),
      attributionSection(attribution),
      definitionSection(subjects),
      comparedTickSection(summary),
    ],
    footer: REPLAY_FOOTER,
  })
}

function factsOf({ left, right }: Subjects, summary: ComparisonSummary): readonly Fact[] {
  const side = (name: string, subject: Subjects['left'], digest: string): Fact[] => [
    { name, value: `${subject.target}, ${unitText(subject)}`, head: true },
    { name: 'Versions', value: versionsText(subject.versions) },
    { name: 'Methodology', value: methodologyText(subject.versions) },
    ...digestFacts(subject, digest),
  ]
  return [
    { name: 'Range', value: `${left.from} to ${left.to}, end exclusive` },
    { name: 'As known at', value: asOfText(left) },
    ...side('A', left, summary.left.digest),
    ...side('B', right, summary.right.digest),
  ]
}

function figuresOf({ count, counts, largest }: ComparisonSummary): Page['figures'] {
  const [first] = largest
  return [
    { value: String(count), name: 'ticks compared' },
    { value: String(counts.equal), name: 'equal in level and state' },
    { value: String(counts.different_level), name: 'with another level' },
    { value: String(counts.different_state), name: 'with another state' },
    ...(first === undefined
      ? []
      : [
          { value: signed(first.difference!), name: `largest, ${first.tick_at.slice(0, 10)}` },
          { value: `${first.basis_points ?? '–'} bp`, name: 'of A at that tick' },
        ]),
  ]
}

function verdictOf({ count, counts }: ComparisonSummary): Page['verdict'] {
  if (count === 0) return { text: 'No ticks in this range.', alarm: false }
  if (counts.equal === count)
    return { text: `A and B give the same level and state at all ${count} ticks.`, alarm: false }
  const one_sided = counts.only_before + counts.only_after
  const rest =
    one_sided === 0 ? '' : ` ${counts.only_before} ticks exist in A alone and ${counts.only_after} in B alone.`
  return {
    text: `A and B differ at ${count - counts.equal} of ${count} ticks: ${counts.different_level} in level, ${counts.different_state} in state.${rest}`,
    alarm: false,
  }
}

function levelSection({ left, right }: Subjects, summary: ComparisonSummary): Markup {
  const { left: a, right: b } = summary
  const chart = levelChart({
    description: `Levels of A (${left.target}) and B (${right.target}) over time`,
    domain: domainOf(summary),
    lines: [
      { name: 'A', look: 'main', points: levelPoints(a.ticks) },
      { name: 'B', look: 'other', points: levelPoints(b.ticks) },
    ],
    marks: [],
    ribbons: [
      { name: 'state of A', runs: a.states },
      { name: 'state of B', runs: b.states },
    ],
    milestones: milestonesOf(left),
    table: COMPARED_TICKS_TABLE,
  })
  return section(
    'Level',
    lead('The axis covers the range of the levels. The plot is shaded by the states of A.'),
    chart,
    legend([
      { sample: lineSample('main'), text: `A: ${left.target}` },
      { sample: lineSample('other'), text: `B: ${right.target}` },
      ...stateItems([...a.states, ...b.states]),
    ]),
    statesTable(a.states, 'states_a', 'Quality states of A'),
    statesTable(b.states, 'states_b', 'Quality states of B'),
  )
}

function domainOf({ left, right }: ComparisonSummary) {
  const sides = [left, right].filter(({ count }) => count > 0)
  const domains = (sides.length === 0 ? [left] : sides).map(({ domain }) => domain)
  return { from: Math.min(...domains.map(({ from }) => from)), to: Math.max(...domains.map(({ to }) => to)) }
}

function differenceSection(subjects: Subjects, summary: ComparisonSummary): Markup {
  return section(
    'Difference',
    lead(
      `B minus A, in ${subjects.left.index.unit.replaceAll('_', ' ')}. A tick without a level on both sides has no difference and no stroke.`,
    ),
    differenceChart({
      description: 'Level of B minus level of A over time',
      domain: domainOf(summary),
      points: summary.ticks.map(({ at, difference }) => ({ at, value: difference })),
      table: COMPARED_TICKS_TABLE,
    }),
    largestTable(summary),
    partsTable(summary),
  )
}

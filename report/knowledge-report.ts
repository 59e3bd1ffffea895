import type { KnowledgeDiff, KnownTick } from '../operations/index/diff-index.ts'
import { formatBasisPoints } from '../pipelines/index/correction.ts'
import { formatMicros } from '../primitives/instants.ts'
import { differenceChart } from './difference-chart.ts'
import {
  CHANGE_TEXTS,
  changeRuns,
  type KnowledgePicture,
  knowledgePicture,
  pointsOf,
  runsOf,
} from './knowledge-picture.ts'
import { legend, lineSample, markSample } from './legend.ts'
import { levelChart } from './level-chart.ts'
import { stateItems } from './level-sections.ts'
import { type Markup, markup } from './markup.ts'
import { lead, type Page, renderPage, section } from './page.ts'
import { type Column, table } from './table.ts'

const TICKS_TABLE = 'ticks'

/** The published levels of an index as known at two instants, as one self-contained HTML page. */
export function renderKnowledgeReport(diff: KnowledgeDiff): string {
  const { index, earlier, later } = diff
  const picture = knowledgePicture(diff)
  return renderPage({
    title: `${index.name}: known at ${formatMicros(earlier)} and at ${formatMicros(later)}`,
    kind: 'Levels known then and later',
    heading: index.name,
    about: index.description,
    facts: [
      {
        name: 'Index',
        value: markup`<span class="code">${index.index_id}</span>, ${index.symbol}, ${index.unit.replaceAll('_', ' ')}`,
      },
      { name: 'Earlier', value: formatMicros(earlier) },
      { name: 'Later', value: formatMicros(later) },
    ],
    figures: figuresOf(diff),
    verdict: verdictOf(diff),
    sections: [
      levelSection(diff, picture),
      differenceSection(diff, picture),
      changesSection(diff),
      tickSection(diff, picture),
    ],
    footer: markup`Levels are the published strings; published records never change; a correction is a new record. Nothing missing is drawn or counted as zero. Instants are UTC. This file loads nothing and sends nothing.`,
  })
}

const CHANGES = Object.keys(CHANGE_TEXTS) as (keyof typeof CHANGE_TEXTS)[]

function countOf({ ticks }: KnowledgeDiff, change: KnownTick['change']): number {
  return ticks.filter((tick) => tick.change === change).length
}

function figuresOf(diff: KnowledgeDiff): Page['figures'] {
  return [
    { value: String(diff.ticks.length), name: 'ticks known later' },
    ...CHANGES.map((change) => ({ value: String(countOf(diff, change)), name: CHANGE_TEXTS[change] })),
    { value: String(countOf(diff, null)), name: 'unchanged' },
  ]
}

function verdictOf(diff: KnowledgeDiff): Page['verdict'] {
  const changed = diff.ticks.length - countOf(diff, null)
  if (changed === 0) return { text: 'Nothing changed between the two instants.', alarm: false }
  const parts = CHANGES.map((change) => `${countOf(diff, change)} ${CHANGE_TEXTS[change]}`).join(', ')
  return {
    text: `${changed} of ${diff.ticks.length} ticks have another record later: ${parts}. Both answers stay readable.`,
    alarm: false,
  }
}

function levelSection({ spec }: KnowledgeDiff, { ticks, domain }: KnowledgePicture): Markup {
  const runs = runsOf(ticks, domain)
  const marks = ticks.flatMap(({ at, before, after }) =>
    before === null || before.level === null || before.level === after.level
      ? []
      : [{ at, value: before.level, line_value: after.level }],
  )
  const known = ticks.some(({ change }) => change === 'became_known')
  const chart = levelChart({
    description: 'Published levels as known later, with the earlier ones where they differ',
    domain,
    lines: [{ name: 'later', look: 'main', points: pointsOf(ticks) }],
    marks,
    ribbons: [
      { name: 'state, later', runs },
      { name: 'change', runs: changeRuns(ticks, domain) },
    ],
    milestones: spec.versions.map(({ effective_from, version }) => ({
      at: effective_from,
      name: `version ${version}`,
    })),
    table: TICKS_TABLE,
  })
  return section(
    'Level',
    lead('The axis covers the range of the levels. A tick without a published level interrupts the line.'),
    chart,
    legend([
      { sample: lineSample('main'), text: 'level, known later' },
      ...(marks.length > 0 ? [{ sample: markSample(), text: 'level known earlier, where it differs' }] : []),
      ...stateItems([...runs, ...(known ? changeRuns(ticks, domain) : [])]),
    ]),
  )
}

function differenceSection({ index }: KnowledgeDiff, { ticks, domain }: KnowledgePicture): Markup | null {
  if (ticks.every(({ difference }) => difference === null)) return null
  return section(
    'Difference',
    lead(`Later minus earlier, in ${index.unit.replaceAll('_', ' ')}, for ticks with both levels.`),
    differenceChart({
      description: 'Level known later minus level known earlier',
      domain,
      points: ticks.map(({ at, difference }) => ({ at, value: difference })),
      table: TICKS_TABLE,
    }),
  )
}

const COLUMNS: readonly Column[] = [
  { head: 'tick_at', kind: 'instant' },
  { head: 'change', kind: 'text' },
  { head: 'level earlier', kind: 'number' },
  { head: 'level later', kind: 'number' },
  { head: 'bp of earlier', kind: 'number' },
  { head: 'state earlier', kind: 'text' },
  { head: 'state later', kind: 'text' },
  { head: 'revision', kind: 'number' },
  { head: 'reason', kind: 'code' },
]

function tickRow({ tick_at, change, before, after }: KnownTick) {
  return [
    tick_at,
    change === null ? 'unchanged' : CHANGE_TEXTS[change],
    before?.level ?? null,
    after.level,
    formatBasisPoints(before?.level ?? null, after.level),
    before?.quality_state ?? null,
    after.quality_state,
    after.revision,
    after.correction_reason,
  ]
}

const REVISED_MAX = 500
const OPEN_ROWS = 60

/** Records that replaced another; what only became known is in the data table. */
function changesSection({ ticks }: KnowledgeDiff): Markup | null {
  const revised = ticks.filter(({ change }) => change === 'superseded' || change === 'state_changed')
  if (revised.length === 0) return null
  const shown = revised.slice(0, REVISED_MAX)
  return section(
    'Revisions between the two instants',
    table({
      id: 'revisions',
      caption: 'Revised ticks, with reasons',
      note: shown.length === revised.length ? null : `The first ${shown.length} of ${revised.length}.`,
      folded: shown.length > OPEN_ROWS,
      columns: COLUMNS,
      rows: shown.map(tickRow),
    }),
  )
}

function tickSection(
  { ticks: all, index, earlier, later }: KnowledgeDiff,
  { ticks, thinned }: KnowledgePicture,
): Markup {
  const command = `tidemark index diff ${index.index_id} --as-of ${formatMicros(earlier)} --with ${formatMicros(later)} --json`
  return section(
    'Data',
    lead(
      thinned
        ? `Pictures and tables have ${ticks.length} of ${all.length} ticks: of each stretch the lowest and the highest level and difference, and gaps. Every change: ${command}`
        : 'Every tick known later. The button copies the table as CSV; an empty cell is no value, never zero.',
    ),
    table({
      id: TICKS_TABLE,
      caption: thinned ? `${ticks.length} of ${all.length} ticks` : `All ${all.length} ticks`,
      folded: true,
      columns: COLUMNS,
      rows: ticks.map(tickRow),
    }),
  )
}

import type { ImpactDocument } from '../pipelines/governance/impact/impact-document.ts'
import { differenceChart } from './difference-chart.ts'
import { impactTables, isNewIndex, isWithoutData, WITHOUT_DATA } from './impact-tables.ts'
import type { ImpactTick, ImpactTicks } from './impact-ticks.ts'
import { legend, lineSample } from './legend.ts'
import { levelChart } from './level-chart.ts'
import { type Markup, markup } from './markup.ts'
import { count } from './number-text.ts'
import { type Fact, lead, type Page, renderPage, section } from './page.ts'
import { REPLAY_FOOTER } from './replay-report.ts'
import { commandMarkup } from './subject-facts.ts'
import { table } from './table.ts'

const TICKS_TABLE = 'ticks'

/** Impact of a change as one self-contained HTML page: the same input gives the same bytes. @param command prints the digest again */
export function renderImpactReport(
  document: ImpactDocument,
  digest: string,
  data: ImpactTicks,
  command: string,
): string {
  return renderPage({
    title: `${document.index_id}: impact of version ${document.version_after}`,
    kind: 'Impact of a change',
    heading: `${document.index_id}: ${document.version_before ?? 'new'} to ${document.version_after}`,
    about: null,
    facts: factsOf(document, digest, command),
    figures: figuresOf(document),
    verdict: verdictOf(document),
    sections: [
      levelSection(document, data),
      differenceSection(data),
      ...impactTables(document),
      tickSection(document, data),
    ],
    footer: REPLAY_FOOTER,
  })
}

function factsOf(document: ImpactDocument, digest: string, command: string): readonly Fact[] {
  const hash = (text: string | null): string | Markup =>
    text === null ? 'none' : markup`<span class="hash">${text}</span>`
  return [
    { name: 'Change', value: hash(document.change_id) },
    { name: 'Look-back window', value: `${document.from} to ${document.to}, end exclusive` },
    { name: 'As known at', value: document.as_of },
    { name: 'New version linked at', value: document.linked_at },
    { name: 'Base', value: hash(document.base_hash) },
    { name: 'Content', value: hash(document.content_hash) },
    { name: 'Calculation', value: document.engine },
    { name: 'Digest', value: hash(`sha256:${digest}`) },
    { name: 'Digest of levels.csv', value: hash(`sha256:${document.levels_sha256}`) },
    { name: 'Reproduce', value: commandMarkup(command) },
  ]
}

function figuresOf({ levels, composition, change_class }: ImpactDocument): Page['figures'] {
  const { ticks, absolute_basis_points } = levels
  return [
    { value: change_class, name: 'class of the change' },
    { value: count(ticks.compared), name: 'ticks compared' },
    { value: count(ticks.different_level), name: 'with another level' },
    { value: count(ticks.different_state), name: 'with another state' },
    ...(absolute_basis_points === null
      ? []
      : [
          { value: `${absolute_basis_points.p50} bp`, name: 'median difference, without its sign' },
          { value: `${absolute_basis_points.highest} bp`, name: 'largest difference' },
        ]),
    { value: composition.turnover, name: 'turnover, one way' },
  ]
}

function verdictOf(document: ImpactDocument): Page['verdict'] {
  const { change_class, restate_bp, is_full_window, version_before } = document
  if (isWithoutData(document)) return { text: WITHOUT_DATA, alarm: true }
  if (version_before === null) return { text: 'A new index: there is nothing to compare it with.', alarm: false }
  if (change_class === 'text') return { text: 'Both versions give the same levels, states and ratios.', alarm: false }
  if (change_class === 'parameter')
    return { text: `Every level differs by less than restate.bp, ${restate_bp} basis points.`, alarm: false }
  const reason = is_full_window
    ? `A level differs by ${restate_bp} basis points or more, or one side has none.`
    : 'The look-back window is too short to show that the change is small.'
  return { text: `The change is material. ${reason}`, alarm: true }
}

function domainOf({ from, to }: ImpactDocument) {
  return { from: Date.parse(from) * 1000, to: Date.parse(to) * 1000 }
}

function levelSection(document: ImpactDocument, { ticks }: ImpactTicks): Markup {
  const points = (of: (tick: ImpactTick) => string | null) => ticks.map((tick) => ({ at: tick.at, value: of(tick) }))
  const before = { name: 'before', look: 'main', points: points(({ level_before }) => level_before) } as const
  const after = { name: 'after', look: 'other', points: points(({ level_after }) => level_after) } as const
  const lines = isNewIndex(document) ? [after] : [before, after]
  const [title, text, description] = isNewIndex(document)
    ? (['Levels', 'The version is replayed as if it had ruled in the whole window.', 'Levels over time'] as const)
    : ([
        'Levels side by side',
        'Both versions are replayed with the same knowledge, as if each had ruled in the whole window.',
        'Levels before and after the change over time',
      ] as const)
  return section(
    title,
    lead(text),
    levelChart({
      description,
      domain: domainOf(document),
      lines,
      marks: [],
      ribbons: [],
      milestones: [],
      table: TICKS_TABLE,
    }),
    isNewIndex(document) ? null : legend(lines.map(({ name, look }) => ({ sample: lineSample(look), text: name }))),
  )
}

function differenceSection({ ticks }: ImpactTicks): Markup | null {
  if (ticks.every(({ difference }) => difference === null)) return null
  const [first, last] = [ticks[0]!.at, ticks.at(-1)!.at]
  return section(
    'Difference',
    lead('After minus before. A tick without a level on both sides has no difference and no stroke.'),
    differenceChart({
      description: 'Level after the change minus level before it over time',
      domain: { from: first, to: Math.max(last, first + 1) },
      points: ticks.map(({ at, difference }) => ({ at, value: difference })),
      table: TICKS_TABLE,
    }),
  )
}

type TickColumn = readonly [head: string, kind: 'instant' | 'number' | 'text', of: (tick: ImpactTick) => string | null]

const NEW_TICK_COLUMNS: readonly TickColumn[] = [
  ['tick_at', 'instant', ({ tick_at }) => tick_at],
  ['level', 'number', ({ level_after }) => level_after],
  ['state', 'text', ({ state_after }) => state_after],
]
const TICK_COLUMNS: readonly TickColumn[] = [
  ['tick_at', 'instant', ({ tick_at }) => tick_at],
  ['level before', 'number', ({ level_before }) => level_before],
  ['level after', 'number', ({ level_after }) => level_after],
  ['difference', 'number', ({ difference }) => difference],
  ['basis points', 'number', ({ basis_points }) => basis_points],
  ['state before', 'text', ({ state_before }) => state_before],
  ['state after', 'text', ({ state_after }) => state_after],
]

function tickSection(document: ImpactDocument, { ticks, thinned, count: total }: ImpactTicks): Markup {
  const columns = isNewIndex(document) ? NEW_TICK_COLUMNS : TICK_COLUMNS
  return section(
    'Data',
    lead(
      thinned
        ? `Pictures and table have ${count(ticks.length)} of ${count(total)} ticks; levels.csv has all.`
        : 'Every tick of both sides. An empty cell is no value, never zero.',
    ),
    table({
      id: TICKS_TABLE,
      caption: thinned ? `${count(ticks.length)} of ${count(total)} ticks` : `All ${count(total)} ticks`,
      folded: true,
      columns: columns.map(([head, kind]) => ({ head, kind })),
      rows: ticks.map((tick) => columns.map(([, , of]) => of(tick))),
    }),
  )
}

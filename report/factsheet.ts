import type { Factsheet, FactsheetDay } from '../operations/index/read-factsheet.ts'
import { Decimal, formatDecimal, SCALE } from '../primitives/decimal.ts'
import { type Instant, MICROS_PER_DAY, toMicros } from '../primitives/instants.ts'
import { INACTIVE_STATUSES } from '../vocabulary/index-level.ts'
import type { Row, RowValue } from '../warehouse/schema.ts'
import { levelChart } from './level-chart.ts'
import { type Markup, markup } from './markup.ts'
import { count } from './number-text.ts'
import { type Fact, lead, renderPage, section } from './page.ts'
import { type Cell, type Column, table } from './table.ts'

/** Renders the factsheet of an index as one self-contained, printable HTML page. */
export function renderFactsheet(sheet: Factsheet): string {
  const { index, as_of, days, states, constituents, versions, notices } = sheet
  const latest = days.at(-1) ?? null
  return renderPage({
    title: `Factsheet of ${text(index.name ?? index.index_id)}`,
    kind: 'Factsheet',
    heading: text(index.name ?? index.index_id),
    about: index.description == null ? null : text(index.description),
    facts: factsOf(sheet),
    figures: [
      { value: latest?.level ?? '–', name: latest === null ? 'no level yet' : `level at ${latest.tick_at}` },
      { value: count(constituents.length), name: 'constituents' },
      { value: count(versions.length), name: 'versions' },
      { value: count(states.reduce((sum, { ticks }) => sum + ticks, 0)), name: 'published levels' },
    ],
    verdict: { text: statusText(sheet), alarm: INACTIVE_STATUSES.some((status) => status === index.status) },
    sections: [
      ruleSection(sheet),
      constituentSection(sheet),
      legSection(sheet),
      historySection(sheet),
      stateSection(sheet),
      versionSection(versions),
      noticeSection(notices),
    ],
    footer: markup`Known as of ${as_of}. A missing value is a dash, never zero. Past levels say nothing about later ones. Instants are UTC. This file loads nothing and sends nothing.`,
  })
}

function factsOf({ index, version, as_of }: Factsheet): readonly Fact[] {
  return [
    { name: 'Index', value: text(index.index_id) },
    { name: 'Symbol', value: text(index.symbol) },
    { name: 'Status', value: text(index.status) },
    { name: 'Unit', value: text(index.unit) },
    { name: 'Base', value: `${text(index.base_value)} at ${text(index.base_date)}` },
    { name: 'Version', value: text(version?.version) },
    { name: 'Known', value: `as of ${as_of}` },
  ]
}

function statusText({ index, latest, notices }: Factsheet): string {
  const [newest] = notices
  const is_inactive = INACTIVE_STATUSES.some((status) => status === index.status)
  const since = is_inactive ? ` since ${text(index.updated_at)}; no levels are published` : ''
  const suspended = !is_inactive && latest?.quality_state === 'suspended'
  const level = suspended ? ` Its level is suspended since ${text(latest.tick_at)}: too few inputs are known.` : ''
  const notice = newest === undefined ? 'No notices.' : `Newest notice, ${newest.published_at}: ${newest.title}.`
  return `The index is ${text(index.status)}${since}.${level} ${notice}`
}

function ruleSection({ version }: Factsheet): Markup {
  if (version === null) return section('Rule', lead('No version is published.'))
  const rows: readonly (readonly [string, RowValue])[] = [
    ['version', version.version],
    ['in effect from', version.effective_from],
    ['methodology', `${text(version.methodology_id)} ${text(version.methodology_version)}`],
    ['mode', version.mode],
    ['calculated every', version.calculation_frequency],
    ['rebalance rule', version.rebalance_rule],
    ['minimum coverage', version.minimum_coverage_ratio],
    ['approved by', version.approved_by],
    ['approved at', version.approved_at],
  ]
  const columns: readonly Column[] = [
    { head: 'rule', kind: 'text' },
    { head: 'value', kind: 'text' },
  ]
  const cells = rows.map(([name, value]) => [name, cellOf(value)])
  return section('Rule', table({ id: 'rule', caption: 'Rule of the version', columns, rows: cells }))
}

const CONSTITUENT_COLUMNS: readonly Column[] = [
  { head: 'constituent', kind: 'code' },
  { head: 'market', kind: 'text' },
  { head: 'outcome', kind: 'text' },
  { head: 'normalization', kind: 'text' },
  { head: 'venue', kind: 'text' },
  { head: 'weight', kind: 'number' },
  { head: 'cap', kind: 'number' },
  { head: 'rating', kind: 'text' },
  { head: 'market status', kind: 'text' },
]

function constituentSection({ constituents }: Factsheet): Markup {
  const rows = constituents.map((one): readonly Cell[] => [
    one.constituent_id,
    one.title ?? one.market_id,
    one.outcome,
    one.normalization,
    one.venue_id,
    one.target_weight,
    one.weight_cap,
    one.band,
    one.market_status,
  ])
  const caption = 'Constituents and weights'
  return section('Constituents', table({ id: 'constituents', caption, columns: CONSTITUENT_COLUMNS, rows }))
}

const LEG_COLUMNS: readonly Column[] = [
  { head: 'constituent', kind: 'code' },
  { head: 'market', kind: 'text' },
  { head: 'outcome', kind: 'text' },
  { head: 'venue', kind: 'text' },
  { head: 'pool weight', kind: 'number' },
  { head: 'rating', kind: 'text' },
  { head: 'market status', kind: 'text' },
]

/** A constituent names only its first market; the others of a pool, set or roll stand here. */
function legSection({ constituents }: Factsheet): Markup {
  const rows = constituents.flatMap(({ constituent_id, legs }) =>
    legs.map(
      ({ market_id, title, outcome, outcome_id, venue_id, pool_weight, band, market_status }): readonly Cell[] => [
        constituent_id,
        title ?? market_id,
        outcome ?? outcome_id,
        venue_id,
        pool_weight,
        band,
        market_status,
      ],
    ),
  )
  return section('Legs', table({ id: 'legs', caption: 'Markets of each constituent', columns: LEG_COLUMNS, rows }))
}

/** Windows of the history figures, in days before the newest level. */
const WINDOWS = [1, 7, 30, 90, 365] as const
/** Days of the chart, up to the instant of the page. */
const CHART_DAYS = 400

function historySection({ days, as_of }: Factsheet): Markup {
  const newest = days.at(-1)
  if (newest === undefined) return section('Level history', lead('No level is published yet.'))
  const rows = WINDOWS.map((window): readonly Cell[] => {
    const before = levelBefore(days, toMicros(newest.tick_at) - window * MICROS_PER_DAY)
    const name = window === 1 ? '1 day' : `${window} days`
    return [name, before?.tick_at ?? null, before?.level ?? null, changeOf(before, newest)]
  })
  const columns: readonly Column[] = [
    { head: 'before', kind: 'text' },
    { head: 'tick', kind: 'instant' },
    { head: 'level then', kind: 'number' },
    { head: 'change since', kind: 'number' },
  ]
  return section(
    'Level history',
    toMicros(newest.tick_at) < toMicros(as_of) - MICROS_PER_DAY
      ? lead(`The last level is of ${newest.tick_at}.`)
      : null,
    chartOf(days, as_of),
    table({
      id: 'history',
      caption: `Change of the level up to ${newest.tick_at}`,
      columns,
      rows,
      note: 'The level before is the last one of a day at or before the window’s beginning.',
    }),
  )
}

/** Returns the last level of a day at or before an instant; null: the history begins later. */
function levelBefore(days: readonly FactsheetDay[], at: number): FactsheetDay | null {
  return days.findLast(({ tick_at }) => toMicros(tick_at) <= at) ?? null
}

function changeOf(before: FactsheetDay | null, newest: FactsheetDay): string | null {
  if (before === null) return null
  const change = new Decimal(newest.level).minus(before.level)
  return `${change.gt(0) ? '+' : ''}${formatDecimal(change, SCALE.level)}`
}

/** The days up to an instant; null: they have no level. */
function chartOf(days: readonly FactsheetDay[], as_of: Instant): Markup | null {
  const first = toMicros(as_of) - CHART_DAYS * MICROS_PER_DAY
  const recent = days.filter(({ tick_at }) => toMicros(tick_at) >= first)
  if (recent.length === 0) return null
  const points = recent.map(({ tick_at, level }) => ({ at: toMicros(tick_at), value: level }))
  const [from, to] = [points[0]!.at, toMicros(as_of)]
  return levelChart({
    description: `Last level of each day from ${recent[0]!.tick_at} to ${recent.at(-1)!.tick_at}`,
    domain: { from, to: Math.max(to, from + MICROS_PER_DAY) },
    lines: [{ name: 'level', look: 'main', points }],
    marks: [],
    ribbons: [],
    milestones: [],
    table: 'history',
  })
}

function stateSection({ states }: Factsheet): Markup {
  const columns: readonly Column[] = [
    { head: 'state', kind: 'text' },
    { head: 'levels', kind: 'number' },
    { head: 'restated', kind: 'number' },
    { head: 'lowest', kind: 'number' },
    { head: 'highest', kind: 'number' },
    { head: 'first', kind: 'instant' },
    { head: 'last', kind: 'instant' },
  ]
  const rows = states.map((one): readonly Cell[] => [
    one.quality_state,
    count(one.ticks),
    count(one.restated),
    one.lowest,
    one.highest,
    one.first_tick_at,
    one.last_tick_at,
  ])
  return section('Quality', table({ id: 'states', caption: 'Levels by quality state', columns, rows }))
}

function versionSection(versions: readonly Row[]): Markup {
  const columns: readonly Column[] = [
    { head: 'version', kind: 'text' },
    { head: 'from', kind: 'instant' },
    { head: 'to', kind: 'instant' },
    { head: 'approved by', kind: 'text' },
    { head: 'published', kind: 'instant' },
    { head: 'changes', kind: 'text' },
  ]
  const rows = versions.map((row): readonly Cell[] => {
    const changes = (row.change_summary ?? []) as readonly string[]
    const fields = [row.version, row.effective_from, row.effective_to, row.approved_by, row.published_at].map(cellOf)
    return [...fields, changes.length === 0 ? null : changes.join('; ')]
  })
  return section('Versions', table({ id: 'versions', caption: 'Versions, first to last', columns, rows }))
}

function noticeSection(notices: Factsheet['notices']): Markup {
  const columns: readonly Column[] = [
    { head: 'published', kind: 'instant' },
    { head: 'kind', kind: 'text' },
    { head: 'notice', kind: 'text' },
    { head: 'cause', kind: 'text' },
    { head: 'from', kind: 'instant' },
    { head: 'to', kind: 'instant' },
  ]
  const rows = notices.map(
    ({ published_at, kind, title, cause, starts_at, effective_at, ends_at }): readonly Cell[] => [
      published_at,
      kind,
      title,
      cause,
      starts_at ?? effective_at,
      ends_at,
    ],
  )
  return section('Notices', table({ id: 'notices', caption: 'Notices, latest first', columns, rows }))
}

function text(value: RowValue): string {
  return value === null || value === undefined ? '–' : String(value)
}

function cellOf(value: RowValue): Cell {
  return value === null || value === undefined ? null : String(value)
}

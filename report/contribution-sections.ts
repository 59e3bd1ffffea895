import type { ReplaySubject } from '../operations/replay/reported-replay.ts'
import { Decimal, formatDecimal, SCALE } from '../primitives/decimal.ts'
import { byId, constituentsOf, type TickWithInputs } from './constituents-of.ts'
import { contributionChart, type StackColumn } from './contribution-chart.ts'
import { milestonesOf } from './level-sections.ts'
import type { Markup } from './markup.ts'
import { lead, section } from './page.ts'
import type { ReplaySummary } from './replay-summary.ts'
import type { SeriesSelection, StackedField } from './series-selection.ts'
import { type Cell, type Table, table } from './table.ts'
import { fixedDomain, valueDomain } from './value-axis.ts'

/** Section with each constituent's contribution to the level. */
export function contributionSection(
  subject: ReplaySubject,
  summary: ReplaySummary,
  ticks: readonly TickWithInputs[],
  selection: SeriesSelection,
): Markup {
  const columns = stackColumns(ticks, selection, 'contribution')
  const levels = ticks.flatMap(({ line }) => line.level ?? [])
  const chart = contributionChart({
    description: `Contribution of each constituent to the level: ${selection.names.join(', ')}`,
    domain: summary.domain,
    names: selection.names,
    columns,
    values: valueDomain(levels.length === 0 ? ['1'] : levels, { count: 5, zero: true }),
    milestones: milestonesOf(subject),
    table: 'contributions',
  })
  const text = `Contribution of each constituent, in ${subject.index.unit.replaceAll('_', ' ')}; together they are the level. Ticks without a level of their own are empty.`
  return section(
    'Contributions',
    lead(text),
    chart,
    attributionTable(subject, summary),
    stackTable('contributions', 'Contribution by tick', columns, selection, ticks),
  )
}

/** Weight applied to each constituent. */
export function weightSection(
  subject: ReplaySubject,
  summary: ReplaySummary,
  ticks: readonly TickWithInputs[],
  selection: SeriesSelection,
): Markup {
  const columns = stackColumns(ticks, selection, 'weight_applied')
  const chart = contributionChart({
    description: `Weight applied to each constituent: ${selection.names.join(', ')}`,
    domain: summary.domain,
    names: selection.names,
    columns,
    values: fixedDomain('0', '1', '0.25'),
    milestones: milestonesOf(subject),
    table: 'weights',
  })
  return section(
    'Weights',
    lead('Weight applied at each tick. A missing constituent has none; the others are scaled up to sum to 1.'),
    chart,
    stackTable('weights', 'Weight applied by tick', columns, selection, ticks),
  )
}

/** Converts ticks to columns: each lasts until the next one, the last for its own interval. */
function stackColumns(
  ticks: readonly TickWithInputs[],
  selection: SeriesSelection,
  field: StackedField,
): readonly StackColumn[] {
  return ticks.map(({ at, until, parts }, i) => ({
    at,
    until: ticks[i + 1]?.at ?? until,
    parts: parts.every((part) => part[field] === null) ? null : selection.parts(parts, field),
  }))
}

function stackTable(
  id: string,
  caption: string,
  columns: readonly StackColumn[],
  { names }: SeriesSelection,
  ticks: readonly TickWithInputs[],
): Markup {
  const data: Table = {
    id,
    caption,
    folded: true,
    columns: [{ head: 'tick_at', kind: 'instant' }, ...names.map((head) => ({ head, kind: 'number' as const }))],
    rows: columns.map(({ parts }, i) => [ticks[i]!.line.tick_at, ...(parts ?? names.map(() => null))]),
  }
  return table(data)
}

/** From the first to the last tick with a level: what each constituent moved. */
function attributionTable(subject: ReplaySubject, { first, last, missing }: ReplaySummary): Markup | null {
  if (first === null || last === null) return null
  const [before, after] = [byId(first.inputs()), byId(last.inputs())]
  const constituents = constituentsOf(subject)
  const rows = constituents.map(({ constituent_id: id }): Cell[] => {
    const [from, to] = [before.get(id)?.contribution ?? null, after.get(id)?.contribution ?? null]
    return [
      id,
      before.get(id)?.normalized_value ?? null,
      after.get(id)?.normalized_value ?? null,
      from,
      to,
      contributionChange(from, to),
      missing.get(id) ?? 0,
    ]
  })
  const heads = ['value first', 'value last', 'contribution first', 'contribution last', 'change', 'ticks missing']
  return table({
    id: 'attribution',
    caption: 'Contributions to the change',
    note: `From ${first.line.tick_at} (${first.line.level}) to ${last.line.tick_at} (${last.line.level}). A constituent that joined or left counts from or to 0.`,
    columns: [{ head: 'constituent', kind: 'code' }, ...heads.map((head) => ({ head, kind: 'number' as const }))],
    rows,
  })
}

/** A constituent that was in neither tick has no change. */
function contributionChange(from: string | null, to: string | null): string | null {
  if (from === null && to === null) return null
  return formatDecimal(new Decimal(to ?? 0).minus(from ?? 0), SCALE.contribution)
}

import type { ComparedTick, VersionComparison } from '../operations/replay/compare-versions.ts'
import {
  type CompositionDifference,
  compositionDifferences,
  ruleDifferences,
} from '../pipelines/index/definition-difference.ts'
import { Decimal, formatDecimal, SCALE } from '../primitives/decimal.ts'
import type { ComparisonSummary } from './comparison-summary.ts'
import { compositionRows } from './composition-rows.ts'
import type { Markup } from './markup.ts'
import { lead, section } from './page.ts'
import { table } from './table.ts'

/** Id of the table that lists the ticks; the pointer over a chart reads its rows. */
export const COMPARED_TICKS_TABLE = 'ticks'

/** The largest differences, with the constituents whose contributions differ most. */
export function largestTable({ largest }: ComparisonSummary): Markup | null {
  if (largest.length === 0) return null
  return table({
    id: 'largest',
    caption: 'Largest differences and their constituents',
    columns: [
      { head: 'tick_at', kind: 'instant' },
      { head: 'A', kind: 'number' },
      { head: 'B', kind: 'number' },
      { head: 'B minus A', kind: 'number' },
      { head: 'bp of A', kind: 'number' },
      { head: 'largest parts of it', kind: 'text' },
    ],
    rows: largest.map((tick) => [
      tick.tick_at,
      tick.left?.line.level ?? null,
      tick.right?.line.level ?? null,
      tick.difference,
      tick.basis_points,
      partsText(tick),
    ]),
  })
}

const PARTS = 3

/** Contributions of B minus those of A, the largest first; none where a side carries an older level. */
function partsText({ left, right }: ComparedTick): string | null {
  const parts = new Map<string, Decimal>()
  const add = (inputs: ReturnType<NonNullable<ComparedTick['left']>['inputs']>, sign: 1 | -1) => {
    for (const { constituent_id, contribution } of inputs)
      if (contribution !== null)
        parts.set(
          constituent_id,
          (parts.get(constituent_id) ?? new Decimal(0)).plus(new Decimal(contribution).times(sign)),
        )
  }
  const [a, b] = [left?.inputs() ?? [], right?.inputs() ?? []]
  if (![a, b].every((inputs) => inputs.some(({ contribution }) => contribution !== null))) return null
  add(a, -1)
  add(b, 1)
  const ordered = [...parts].filter(([, part]) => !part.isZero()).sort(([, x], [, y]) => y.abs().cmp(x.abs()))
  const texts = ordered.slice(0, PARTS).map(([id, part]) => `${id} ${signed(formatDecimal(part, SCALE.level))}`)
  return texts.join(', ') + (ordered.length > PARTS ? ` and ${ordered.length - PARTS} more` : '')
}

/** With its sign, so that no color is needed. */
export function signed(text: string): string {
  return text.startsWith('-') ? text.replace('-', '−') : `+${text}`
}

/** Rules, parameters, constituents and weights that differ. */
export function definitionSection({ left, right }: Pick<VersionComparison, 'left' | 'right'>): Markup {
  const settings = ruleDifferences(left, right)
  const composition = compositionDifferences(left.versions, right.versions)
  const none = settings.length === 0 && composition.length === 0
  return section(
    'Differences between the definitions',
    none ? lead('None: rules, parameters, constituents and weights are the same in this range.') : null,
    settings.length === 0
      ? null
      : table({
          id: 'settings',
          caption: 'Rules and parameters',
          columns: [
            { head: 'name', kind: 'code' },
            { head: 'A', kind: 'text' },
            { head: 'B', kind: 'text' },
          ],
          rows: settings.map(({ name, before, after }) => [name, before, after]),
        }),
    composition.length === 0 ? null : compositionTable(composition),
  )
}

function compositionTable(composition: readonly CompositionDifference[]): Markup {
  return table({
    id: 'composition',
    caption: 'Weights and other terms of constituents',
    columns: [
      { head: 'constituent', kind: 'code' },
      { head: 'term', kind: 'text' },
      { head: 'A', kind: 'text' },
      { head: 'B', kind: 'text' },
    ],
    rows: compositionRows(composition),
  })
}

/** Every tick that is drawn, side by side. */
export function comparedTickSection({ ticks, thinned, count }: ComparisonSummary): Markup {
  return section(
    'Data',
    lead(
      thinned
        ? `Pictures and tables have ${ticks.length} of ${count} ticks: the lowest and highest level and difference of each stretch, and gaps. Every differing tick: tidemark index diff with --json.`
        : 'Every tick of both sides. The button copies the table as CSV; an empty cell is no value, never zero.',
    ),
    table({
      id: COMPARED_TICKS_TABLE,
      caption: thinned ? `${ticks.length} of ${count} ticks` : `All ${count} ticks`,
      folded: true,
      columns: [
        { head: 'tick_at', kind: 'instant' },
        { head: 'level A', kind: 'number' },
        { head: 'level B', kind: 'number' },
        { head: 'B minus A', kind: 'number' },
        { head: 'bp of A', kind: 'number' },
        { head: 'state A', kind: 'text' },
        { head: 'state B', kind: 'text' },
      ],
      rows: ticks.map(({ tick_at, left, right, difference, basis_points }) => [
        tick_at,
        left?.line.level ?? null,
        right?.line.level ?? null,
        difference,
        basis_points,
        left?.line.quality_state ?? null,
        right?.line.quality_state ?? null,
      ]),
    }),
  )
}

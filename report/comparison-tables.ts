import type { Attribution, ComparedTick, VersionComparison } from '../operations/replay/compare-versions.ts'
import {
  type CompositionDifference,
  compositionDifferences,
  ruleDifferences,
} from '../pipelines/index/definition-difference.ts'
import type { InputDifference } from '../pipelines/index/input-differences.ts'
import { Decimal, formatDecimal, SCALE } from '../primitives/decimal.ts'
import type { Instant } from '../primitives/instants.ts'
import { NOT_ATTRIBUTED } from './comparison-notes.ts'
import { type ComparisonSummary, partsOf } from './comparison-summary.ts'
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
      { head: 'published', kind: 'number' },
      { head: 'K of A', kind: 'number' },
      { head: 'K of B', kind: 'number' },
    ],
    rows: largest.map((tick) => [
      tick.tick_at,
      tick.left?.line.level ?? null,
      tick.right?.line.level ?? null,
      tick.difference,
      tick.basis_points,
      partsText(tick),
      tick.published?.level ?? null,
      tick.left?.linkFactor() ?? null,
      tick.right?.linkFactor() ?? null,
    ]),
  })
}

const PARTS = 3

/** The largest parts of a difference; none where a side carries an older level. */
function partsText(tick: ComparedTick): string | null {
  const parts = partsOf(tick)?.map(({ constituent_id, part }) => ({ constituent_id, part: new Decimal(part) }))
  if (parts === undefined) return null
  const ordered = parts.filter(({ part }) => !part.isZero()).sort((x, y) => y.part.abs().cmp(x.part.abs()))
  const texts = ordered
    .slice(0, PARTS)
    .map(({ constituent_id, part }) => `${constituent_id} ${signed(formatDecimal(part, SCALE.level))}`)
  return texts.join(', ') + (ordered.length > PARTS ? ` and ${ordered.length - PARTS} more` : '')
}

/** Constituents of the largest differences: value, weight and contribution of both sides. */
export function partsTable({ largest }: ComparisonSummary): Markup | null {
  const rows = largest.flatMap((tick) => (partsOf(tick) ?? []).map((part) => partRow(tick.tick_at, part)))
  if (rows.length === 0) return null
  const numbers = ['value', 'target weight', 'weight applied', 'contribution'].flatMap((name) => [
    `${name} A`,
    `${name} B`,
  ])
  return table({
    id: 'parts',
    caption: 'Parts of the largest differences',
    folded: true,
    columns: [
      { head: 'tick_at', kind: 'instant' },
      { head: 'constituent', kind: 'code' },
      ...numbers.map((head) => ({ head, kind: 'number' as const })),
      { head: 'B minus A', kind: 'number' },
    ],
    rows,
  })
}

function partRow(tick_at: Instant, { constituent_id, part, before: a, after: b }: InputDifference) {
  return [
    ...[tick_at, constituent_id, a?.normalized_value ?? null, b?.normalized_value ?? null],
    ...[a?.target_weight ?? null, b?.target_weight ?? null, a?.weight_applied ?? null, b?.weight_applied ?? null],
    ...[a?.contribution ?? null, b?.contribution ?? null, part],
  ]
}

/** Each change with the difference that it makes alone. @param attribution null: the changes cannot be told apart */
export function attributionSection(attribution: Attribution): Markup | null {
  if (attribution === null) return section(ATTRIBUTION, lead(`${NOT_ATTRIBUTED}.`))
  if (attribution.length === 0) return null
  return section(
    ATTRIBUTION,
    lead('Each change applied to A alone, over the same records. Effects of several changes need not add up.'),
    table({
      id: 'attribution',
      caption: 'Effect of each change alone',
      columns: [
        { head: 'kind', kind: 'text' },
        { head: 'name', kind: 'code' },
        { head: 'A', kind: 'text' },
        { head: 'B', kind: 'text' },
        { head: 'ticks with another level', kind: 'number' },
        { head: 'median bp', kind: 'number' },
        { head: 'largest bp', kind: 'number' },
      ],
      rows: attribution.map(({ kind, name, before, after, effect }) => [
        ...[kind, name, before, after, effect?.ticks_different ?? null],
        ...[effect?.median_bp ?? null, effect?.largest_bp ?? null],
      ]),
    }),
  )
}

const ATTRIBUTION = 'Difference by change'

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
        { head: 'published', kind: 'number' },
      ],
      rows: ticks.map(({ tick_at, left, right, difference, basis_points, published }) => [
        tick_at,
        left?.line.level ?? null,
        right?.line.level ?? null,
        difference,
        basis_points,
        left?.line.quality_state ?? null,
        right?.line.quality_state ?? null,
        published?.level ?? null,
      ]),
    }),
  )
}

import type { BackTest } from '../pipelines/governance/impact/back-test.ts'
import type { Quantiles } from '../pipelines/governance/impact/distribution.ts'
import type { ImpactDocument } from '../pipelines/governance/impact/impact-document.ts'
import type { ManipulationCosts } from '../pipelines/governance/impact/manipulation-costs.ts'
import type { MissingInputs } from '../pipelines/governance/impact/missing-inputs.ts'
import { Decimal } from '../primitives/decimal.ts'
import type { Markup } from './markup.ts'
import { lead, section } from './page.ts'
import { type Cell, type Column, table } from './table.ts'

/** Tables of an impact, part by part; those of a new index show one side only, because there is nothing before it. */
export function impactTables(document: ImpactDocument): readonly (Markup | null)[] {
  return [
    distributionSection(document),
    stateSection(document),
    changeSection(document),
    constituentSection(document),
    missingSection(document),
    costSection(document),
    backTestSection(document),
  ]
}

const QUANTILES = ['lowest', 'p01', 'p05', 'p25', 'p50', 'p75', 'p95', 'p99', 'highest'] as const

const numbers = (...heads: readonly string[]): readonly Column[] => heads.map((head) => ({ head, kind: 'number' }))
const text = (head: string): Column => ({ head, kind: 'text' })

function quantileCells(quantiles: Quantiles | null): readonly Cell[] {
  return QUANTILES.map((name) => quantiles?.[name] ?? null)
}

/** Sentence of an impact whose window has no data. */
export const WITHOUT_DATA = 'No constituent has a value in the window. Name one with data by --from and --to.'

/** Reports whether no constituent of the new version has a value in the window. */
export function isWithoutData({ levels }: ImpactDocument): boolean {
  return new Decimal(levels.after.coverage_ratio?.highest ?? 0).isZero()
}

/** Reports whether an impact is of a new index. */
export function isNewIndex({ version_before }: ImpactDocument): boolean {
  return version_before === null
}

function distributionSection(document: ImpactDocument): Markup {
  const { levels } = document
  const { before, after } = levels
  const rows: readonly (Cell[] | null)[] = [
    isNewIndex(document) ? null : ['difference in basis points', ...quantileCells(levels.basis_points)],
    isNewIndex(document) ? null : ['without its sign', ...quantileCells(levels.absolute_basis_points)],
    isNewIndex(document) ? null : ['coverage before', ...quantileCells(before.coverage_ratio)],
    ['coverage after', ...quantileCells(after.coverage_ratio)],
    isNewIndex(document) ? null : ['confidence before', ...quantileCells(before.confidence)],
    ['confidence after', ...quantileCells(after.confidence)],
  ]
  return section(
    'Distribution',
    lead('Quantiles by nearest rank: each is a value that occurred.'),
    table({
      id: 'distribution',
      caption: isNewIndex(document) ? 'Coverage and confidence' : 'Differences, coverage and confidence',
      columns: [text(''), ...numbers(...QUANTILES)],
      rows: rows.filter((row) => row !== null),
    }),
  )
}

function stateSection(document: ImpactDocument): Markup {
  const { before, after, state_moves } = document.levels
  const sides = isNewIndex(document)
    ? [{ name: 'after', side: after }]
    : [
        { name: 'before', side: before },
        { name: 'after', side: after },
      ]
  const states = [...new Set([...before.states, ...after.states].map(({ quality_state }) => quality_state))]
  const ticks = (side: typeof before, state: string) =>
    side.states.find(({ quality_state }) => quality_state === state)?.ticks ?? 0
  return section(
    'Quality states',
    table({
      id: 'states',
      caption: 'Ticks in each state',
      columns: [text('state'), ...numbers(...sides.map(({ name }) => name))],
      rows: states.map((state) => [state, ...sides.map(({ side }) => ticks(side, state))]),
    }),
    isNewIndex(document) || state_moves.length === 0
      ? null
      : table({
          id: 'state_moves',
          caption: 'Ticks with another state',
          columns: [text('before'), text('after'), ...numbers('ticks')],
          rows: state_moves.map((move) => [move.before, move.after, move.ticks]),
        }),
  )
}

function changeSection({ changes }: ImpactDocument): Markup | null {
  if (changes.length === 0) return null
  return section(
    'Marginal effect of each change',
    lead('Each change is applied to the base alone. Effects need not add up to the whole.'),
    table({
      id: 'changes',
      caption: 'Changes',
      columns: [
        text('kind'),
        { head: 'name', kind: 'code' },
        text('before'),
        text('after'),
        ...numbers('ticks that differ', 'states that differ', 'median bp', 'largest bp'),
      ],
      rows: changes.map(({ kind, name, before, after, effect }) => [
        kind,
        name,
        before,
        after,
        effect?.ticks_different ?? null,
        effect?.states_different ?? null,
        effect?.median_bp ?? null,
        effect?.largest_bp ?? null,
      ]),
    }),
  )
}

function constituentSection(document: ImpactDocument): Markup | null {
  const { composition } = document
  const { constituents, constituents_unlisted } = composition
  if (constituents.length === 0) return null
  if (isNewIndex(document)) return newConstituents(composition)
  return section(
    'Constituents',
    table({
      id: 'constituents',
      caption: `${composition.constituents_in} in, ${composition.constituents_out} out`,
      note: constituents_unlisted === 0 ? null : `${constituents_unlisted} more differ by less.`,
      columns: [{ head: 'constituent', kind: 'code' }, ...numbers('before', 'after'), text('other terms that differ')],
      rows: constituents.map((one) => [
        one.constituent_id,
        one.target_weight_before,
        one.target_weight_after,
        one.terms_changed?.join(', ') || (one.reading_changed ? 'its reading' : 'none'),
      ]),
    }),
  )
}

function newConstituents({
  constituents,
  constituents_in,
  constituents_unlisted,
}: ImpactDocument['composition']): Markup {
  return section(
    'Constituents',
    table({
      id: 'constituents',
      caption: `${constituents_in} constituents`,
      note: constituents_unlisted === 0 ? null : `${constituents_unlisted} more are not listed.`,
      columns: [{ head: 'constituent', kind: 'code' }, ...numbers('weight')],
      rows: constituents.map((one) => [one.constituent_id, one.target_weight_after]),
    }),
  )
}

function missingSection(document: ImpactDocument): Markup {
  const { missing_inputs } = document
  const rows = (side: string, found: MissingInputs | null): Cell[][] =>
    (found?.moves ?? []).map((one) => [
      side,
      found!.tick_at,
      one.constituent_id,
      found!.level,
      one.level_without,
      one.move_bp,
    ])
  const all = [...rows('before', missing_inputs.before), ...rows('after', missing_inputs.after)]
  const needed = (found: MissingInputs | null) => (found === null ? 'unknown' : String(found.indispensable))
  const indispensable = isNewIndex(document)
    ? needed(missing_inputs.after)
    : `${needed(missing_inputs.before)} before, ${needed(missing_inputs.after)} after`
  return section(
    'Missing inputs',
    lead(`Level at the last tick if one input were missing. Inputs without which there is no level: ${indispensable}.`),
    all.length === 0
      ? null
      : table({
          id: 'missing_inputs',
          caption: 'Largest moves',
          columns: [
            text('side'),
            { head: 'tick_at', kind: 'instant' },
            { head: 'constituent', kind: 'code' },
            ...numbers('level', 'level without it', 'bp'),
          ],
          rows: all,
        }),
  )
}

function costSection({ manipulation_cost }: ImpactDocument): Markup | null {
  if (manipulation_cost === undefined) return null
  const bounds = [
    ['no push costs less than', 'notional_at_least'],
    ['enough to push', 'notional_sufficient'],
  ] as const
  const rows = (side: string, costs: ManipulationCosts | null): Cell[][] =>
    costs === null
      ? []
      : bounds.map(([text_of, name]) => {
          const range = costs[name]
          return [
            side,
            text_of,
            range?.least ?? null,
            range?.median ?? null,
            range?.greatest ?? null,
            range?.ticks ?? 0,
          ]
        })
  const { before, after } = manipulation_cost
  return section(
    'Manipulation cost',
    lead(`Notional that moves the level by 1 %, from stored books. ${[before, after].map(costText).join('')}`),
    table({
      id: 'manipulation_cost',
      caption: 'Notional to move the level by 100 basis points',
      note: 'A tick without depth has no cost; it is never a cost of zero.',
      columns: [text('side'), text('bound'), ...numbers('least', 'median', 'greatest', 'ticks')],
      rows: [...rows('before', before), ...rows('after', after)],
    }),
  )
}

function costText(costs: ManipulationCosts | null, side: number): string {
  if (costs === null) return ''
  const name = side === 0 ? 'Before' : 'After'
  const { ticks, ticks_examined, ticks_without_depth } = costs
  return ` ${name}: ${ticks_examined} of ${ticks} ticks examined, ${ticks_without_depth} without all depth.`
}

function backTestSection({ back_test }: ImpactDocument): Markup {
  const rows = (side: string, test: BackTest | null): Cell[][] =>
    (test?.leads ?? []).map(({ lead_d, scored, brier_score }) => [side, lead_d, test!.resolved, scored, brier_score])
  return section(
    'Back-test against resolutions',
    lead('Mean squared distance of values from the payouts that followed, weighted by target weight.'),
    table({
      id: 'back_test',
      caption: 'Markets that became final in the window',
      columns: [text('side'), ...numbers('days before', 'resolved', 'scored', 'Brier score')],
      rows: [...rows('before', back_test.before), ...rows('after', back_test.after)],
    }),
  )
}

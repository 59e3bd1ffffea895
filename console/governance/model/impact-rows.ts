import { asPercent, groupDigits, trimZeros } from '../../data/decimal-text.ts'
import { showInstant, showMinute } from '../../data/instant-text.ts'
import { changeImpactRows, type ImpactRows } from './change-impact-rows.ts'

/** Quantiles of a report, each a value that occurred. */
type Quantiles = Readonly<Record<string, string>>
type Side = {
  readonly states?: readonly { quality_state: string; ticks: number }[]
  readonly coverage_ratio?: Quantiles | null
}

/** The used part of an impact report (tidemark.impact.v1). */
type Report = {
  readonly version_before: string | null
  readonly version_after: string
  readonly as_of: string
  readonly from: string
  readonly to: string
  readonly is_full_window: boolean
  readonly change_class: string
  readonly restate_bp: string | null
  readonly levels: {
    readonly ticks: Readonly<Record<string, number>>
    readonly absolute_basis_points: Quantiles | null
    readonly largest: { readonly tick_at: string; readonly level_before: string; readonly level_after: string } | null
    readonly before: Side
    readonly after: Side
  }
  readonly composition: {
    readonly turnover: string
    readonly constituents_in: number
    readonly constituents_out: number
  }
  readonly changes: readonly {
    readonly kind: string
    readonly name: string
    readonly before: string | null
    readonly after: string | null
    readonly effect: { readonly ticks_different: number; readonly largest_bp: string | null } | null
  }[]
}

/** Parts of a report that have a value for each side. */
type OfSides = {
  readonly missing_inputs?: Sides<{
    readonly moves: readonly { readonly constituent_id: string; readonly move_bp: string | null }[]
  }>
  readonly manipulation_cost?: Sides<Costs>
  readonly back_test?: Sides<{
    readonly leads: readonly { readonly lead_d: number; readonly brier_score: string | null }[]
  }>
}
type Costs = {
  readonly ticks_examined: number
  readonly ticks_without_depth: number
  readonly notional_at_least: CostRange | null
  readonly notional_sufficient: CostRange | null
}
type CostRange = Readonly<Record<'least' | 'median' | 'greatest', string>>
type Sides<T> = { readonly before: T | null; readonly after: T | null }

/** Returns what the page shows of a report; null: it is not a report that the page knows. */
export function impactRows(text: string): ImpactRows | null {
  const report = reportOf(text)
  if (report === null) return changeImpactRows(text)
  try {
    return { facts: factsOf(report), sides: sidesOf(report), changes: report.changes.map(changeOf) }
  } catch {
    return null
  }
}

function reportOf(text: string): Report | null {
  try {
    const report = JSON.parse(text) as Report & { readonly statement?: unknown }
    return report.statement === 'tidemark.impact.v1' ? report : null
  } catch {
    return null
  }
}

function factsOf({ from, to, as_of, is_full_window, change_class, restate_bp, levels, composition }: Report) {
  const { ticks, absolute_basis_points: moved, largest } = levels
  const window = `${showMinute(from)} to ${showMinute(to)} UTC${is_full_window ? '' : ', shorter than the rule asks for'}`
  return [
    ['Look-back', window],
    ['Known', `${showInstant(as_of)} UTC`],
    ['Class', restate_bp === null ? change_class : `${change_class}; threshold ${restate_bp} bp`],
    ['Ticks', `${grouped(ticks.compared)} compared, ${grouped(ticks.equal)} equal`],
    ['Other levels', grouped(ticks.different_level)],
    ['Other states', grouped(ticks.different_state)],
    ['Differences', moved === null ? null : quantileText(moved)],
    [
      'Largest',
      largest === null
        ? null
        : `${groupDigits(largest.level_before)} became ${groupDigits(largest.level_after)} at ${showMinute(largest.tick_at)} UTC`,
    ],
    ['Turnover', `${asPercent(composition.turnover)} % of the weight`],
    ['Constituents', `${composition.constituents_in} in, ${composition.constituents_out} out`],
  ] as const
}

function sidesOf(report: Report & OfSides) {
  const { version_before, version_after, missing_inputs, manipulation_cost, back_test, levels } = report
  const { before, after } = levels
  const states = ({ states = [] }: Side) =>
    states.map(({ quality_state, ticks }) => `${quality_state} ${grouped(ticks)}`).join(', ') || 'none'
  const coverage = ({ coverage_ratio }: Side) =>
    coverage_ratio == null ? 'none' : `${asPercent(coverage_ratio.lowest!)} to ${asPercent(coverage_ratio.highest!)} %`
  return [
    ['Version', version_before ?? 'none', version_after],
    ['Ticks by quality', states(before), states(after)],
    ['Coverage', coverage(before), coverage(after)],
    ['Largest move if an input is missing', moveText(missing_inputs?.before), moveText(missing_inputs?.after)],
    ['Cost to move by 1 %', costText(manipulation_cost?.before), costText(manipulation_cost?.after)],
    ['Brier score against outcomes', scoreText(back_test?.before), scoreText(back_test?.after)],
  ] as const
}

function moveText(side: NonNullable<OfSides['missing_inputs']>['before'] | undefined): string {
  const [first] = side?.moves ?? []
  return first?.move_bp == null ? 'unknown' : `${trimZeros(first.move_bp)} bp without ${first.constituent_id}`
}

function costText(costs: Costs | null | undefined): string {
  if (costs == null) return 'unknown'
  const { notional_at_least, notional_sufficient, ticks_examined, ticks_without_depth } = costs
  const range = notional_at_least ?? notional_sufficient
  const bound = notional_at_least === null ? 'enough' : 'at least'
  const without = `${grouped(ticks_without_depth)} of ${grouped(ticks_examined)} ticks without depth`
  if (range === null) return `unknown, ${without}`
  const [least, median, greatest] = [range.least, range.median, range.greatest].map((text) =>
    groupDigits(trimZeros(text)),
  )
  return `${bound} ${least} to ${greatest}, median ${median}; ${without}`
}

function scoreText(side: NonNullable<OfSides['back_test']>['before'] | undefined): string {
  const known = (side?.leads ?? []).filter(({ brier_score }) => brier_score !== null)
  return known.map(({ lead_d, brier_score }) => `${trimZeros(brier_score!)}, ${lead_d} d before`).join('; ') || 'none'
}

function changeOf({ kind, name, before, after, effect }: Report['changes'][number]) {
  const ticks = effect === null ? 'cannot be made alone' : grouped(effect.ticks_different)
  const largest = effect === null ? 'none' : bpText(effect.largest_bp)
  return {
    key: `${kind} ${name}`,
    cells: [`${kind.replaceAll('_', ' ')} ${name}`, before, after, ticks, largest] as const,
  }
}

function bpText(bp: string | null): string {
  return bp === null ? 'no level to compare' : `${trimZeros(bp)} bp`
}

function quantileText({ p50, p95, highest }: Quantiles): string {
  return `median ${trimZeros(p50!)} bp, 95 % below ${trimZeros(p95!)} bp, largest ${trimZeros(highest!)} bp`
}

function grouped(count: number | undefined): string {
  return count === undefined ? 'unknown' : count.toLocaleString('en-US')
}

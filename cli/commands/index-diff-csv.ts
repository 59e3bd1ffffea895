import type { ComparedTick } from '../../operations/replay/compare-versions.ts'
import type { InputDifference } from '../../pipelines/index/input-differences.ts'
import { type DifferentTick, differentTick } from '../../report/comparison-summary.ts'
import type { Output } from '../../service/output.ts'
import { csvLine } from '../csv.ts'

type PartSide = InputDifference['before']

/** Fields of both sides of a constituent. */
const PART_FIELDS = [
  'target_weight',
  'weight_applied',
  'normalized_value',
  'freshness_class',
  'mark_rule',
  'contribution',
] as const satisfies readonly (keyof NonNullable<PartSide>)[]

const BOTH = ['before', 'after'] as const
const of_both = (fields: readonly string[]) => fields.flatMap((field) => BOTH.map((side) => `${field}_${side}`))

const HEAD = [
  'tick_at',
  ...of_both(['level']),
  'difference',
  'basis_points',
  ...of_both(['quality_state']),
  'published_level',
  ...of_both(['link_factor']),
  'constituent_id',
  'part',
  ...of_both(PART_FIELDS),
]

/** Prints one line of CSV for each constituent of each differing tick; a tick without parts has one line without a constituent. */
export async function printDifferenceCsv(output: Output, ticks: Iterable<ComparedTick>): Promise<void> {
  await output.write(csvLine(HEAD))
  for (const compared of ticks) {
    if (compared.equal) continue
    const tick = differentTick(compared)
    for (const part of tick.parts ?? [null]) await output.write(csvLine([...tickCells(tick), ...partCells(part)]))
  }
}

function tickCells({ tick_at, before, after, difference, basis_points, published_level, link_factor }: DifferentTick) {
  return [
    ...[tick_at, before?.level, after?.level, difference, basis_points, before?.quality_state, after?.quality_state],
    ...[published_level, link_factor.before, link_factor.after],
  ]
}

function partCells(part: InputDifference | null) {
  const fields = PART_FIELDS.flatMap((field) => BOTH.map((side) => part?.[side]?.[field]))
  return [part?.constituent_id, part?.part, ...fields]
}

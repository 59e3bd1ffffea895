import type { CompositionDifference } from '../pipelines/index/definition-difference.ts'

/** One term of one constituent that differs; null: the side has no such constituent or term. */
export type CompositionRow = readonly [
  constituent_id: string,
  term: string,
  before: string | null,
  after: string | null,
]

/** Returns a row for each weight and each other term that differs. */
export function compositionRows(composition: readonly CompositionDifference[]): readonly CompositionRow[] {
  return composition.flatMap(({ constituent_id, before, after, terms }): CompositionRow[] => [
    ...(before === after ? [] : [[constituent_id, 'target_weight', before, after] as const]),
    ...terms.map((term) => [constituent_id, term.name, term.before, term.after] as const),
  ])
}

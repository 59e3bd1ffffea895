import type { TermDifference } from '../pipelines/index/constituent-terms.ts'
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
    ...terms.flatMap((term) => termRows(constituent_id, term)),
  ])
}

/** Returns the row of a term; of legs a row for each that differs, because ids of markets are long. */
function termRows(constituent_id: string, { name, before, after }: TermDifference): readonly CompositionRow[] {
  const whole = [constituent_id, name, before, after] as const
  // Legs of several versions are one text.
  if (name !== 'legs' || before === null || after === null || `${before}${after}`.includes(', then ')) return [whole]
  const [from, to] = [legsOf(before), legsOf(after)]
  const rows = [...new Set([...from.keys(), ...to.keys()])].flatMap((leg): CompositionRow[] => {
    const [left, right] = [from.get(leg) ?? null, to.get(leg) ?? null]
    return left === right ? [] : [[constituent_id, `leg ${leg}`, left, right]]
  })
  return rows.length === 0 ? [whole] : rows
}

const BETWEEN_LEGS = /(?<= x [\d.]+(?: until \S+)?), /
const LEG = /^(.*?)( x [\d.]+)?( until \S+)?$/

/** Returns the legs of a term's text, name to terms; of a single leg the terms are `alone`. */
function legsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(BETWEEN_LEGS).map((leg) => {
      const [, name = leg, weight = '', until = ''] = LEG.exec(leg) ?? []
      return [name, `${weight}${until}`.trim() || 'alone']
    }),
  )
}

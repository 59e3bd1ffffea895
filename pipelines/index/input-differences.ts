import { Decimal, type DecimalString, formatDecimal, SCALE } from '../../primitives/decimal.ts'
import type { TickInput } from './exact/tick-inputs.ts'

type SideInput = Omit<TickInput, 'constituent_id'>

/** One constituent of a tick in two replays; null: that side has no such constituent. */
export type InputDifference = {
  readonly constituent_id: string
  /** Contribution after minus contribution before; one that is missing on a side adds nothing to its level. */
  readonly part: DecimalString
  readonly before: SideInput | null
  readonly after: SideInput | null
}

/**
 * Compares the constituents of a tick in two replays, by id; the parts add up to the difference of the levels.
 * @returns null: a side has no level of its own at the tick, but none or that of an earlier tick
 */
export function inputDifferences(
  before: readonly TickInput[],
  after: readonly TickInput[],
): readonly InputDifference[] | null {
  const priced = (inputs: readonly TickInput[]) => inputs.some(({ contribution }) => contribution !== null)
  if (!priced(before) || !priced(after)) return null
  const [left, right] = [byId(before), byId(after)]
  return [...new Set([...left.keys(), ...right.keys()])].sort().map((constituent_id) => {
    const [from, to] = [left.get(constituent_id) ?? null, right.get(constituent_id) ?? null]
    const part = new Decimal(to?.contribution ?? 0).minus(from?.contribution ?? 0)
    return { constituent_id, part: formatDecimal(part, SCALE.contribution), before: from, after: to }
  })
}

function byId(inputs: readonly TickInput[]): ReadonlyMap<string, SideInput> {
  return new Map(inputs.map(({ constituent_id, ...input }) => [constituent_id, input]))
}

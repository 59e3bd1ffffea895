import fc from 'fast-check'
import { randomLegData } from './random-data.ts'
import { LEG_NAMES } from './random-spec.ts'
import type { Legs } from './step-texts.ts'

/** Data of every leg that a random index may name. */
export const randomWorld: fc.Arbitrary<Legs> = fc
  .tuple(...LEG_NAMES.map((name) => randomLegData(name)))
  .map((legs) => new Map(legs.map((leg, i) => [LEG_NAMES[i]!, leg])))

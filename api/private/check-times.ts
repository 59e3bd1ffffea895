import { microsOf } from '../../primitives/instants.ts'
import type { ParameterValues } from '../server/read-parameters.ts'
import { RequestRefusal, violation } from '../server/request-refusal.ts'

const RANGES = [
  ['created_after', 'created_before'],
  ['matched_after', 'matched_before'],
] as const

/** Refuses a range that nothing can lie in. @throws {RequestRefusal} VALIDATION_RANGE_INVALID */
export function checkTimes(values: ParameterValues): void {
  for (const [after, before] of RANGES) {
    const [from, to] = [microsOf(values[after]), microsOf(values[before])]
    if (from === null || to === null || from < to) continue
    const rule = `allowed: an instant after ${after} ${values[after]}`
    throw new RequestRefusal([violation('VALIDATION_RANGE_INVALID', before, `${values[before]}`, rule)])
  }
}

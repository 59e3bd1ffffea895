import { plainDecimal, readId } from '../../text/fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import { plainNumber } from '../../text/plain-number.ts'
import { Quarantined } from '../quarantine.ts'

/**
 * Returns the label of a runner: its selection id, followed by a blank and the handicap if that is not 0. Names of runners are
 * not labels: most messages omit them, and one runner would be two outcomes.
 * @param id       name of the field of the selection id
 * @param handicap name of the field of the handicap; absent and null are 0
 * @throws Quarantined MISSING_FIELD, BAD_ID, BAD_VALUE
 */
export function runnerLabel(object: JsonTextObject, id: 'id' | 'selectionId', handicap: 'hc' | 'handicap'): string {
  const selection = object[id]
  if (selection === undefined || selection === null) throw new Quarantined('MISSING_FIELD')
  if (typeof selection !== 'string' || !/^\d+$/.test(selection)) throw new Quarantined('BAD_ID')
  const text = object[handicap] ?? '0'
  if (typeof text !== 'string') throw new Quarantined('BAD_VALUE')
  const points = plainDecimal(plainNumber(text))
  return readId(points === '0' ? selection : `${selection} ${points}`)
}

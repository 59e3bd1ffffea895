import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadOrigin, readPart } from '../read-payload.ts'
import type { Reading } from './memory.ts'

/** Reads a required list; null is an empty one. @throws Quarantined UNKNOWN_SHAPE */
export function listField(object: JsonTextObject, field: string): readonly JsonText[] {
  const value = object[field]
  if (value === null) return []
  if (!Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value as readonly JsonText[]
}

/** Reads each object of the list at `path`; one that breaks a rule is quarantined without affecting its siblings. */
export function readEach(
  reading: Reading,
  list: readonly JsonText[],
  path: string,
  read: (item: JsonTextObject, origin: PayloadOrigin) => void,
): void {
  list.forEach((item, n) => {
    const origin = { file: reading.payload.file, line: n + 1, path: `${path}[${n}]` }
    readPart(reading.out, origin, () => read(objectOf(item), origin))
  })
}

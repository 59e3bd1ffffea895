import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadOrigin, readGroup, readItem } from '../read-payload.ts'
import type { Reading } from './memory.ts'

/** Reads a required list; null is an empty one. @throws Quarantined UNKNOWN_SHAPE */
export function listField(object: JsonTextObject, field: string): readonly JsonText[] {
  const value = object[field]
  if (value === null) return []
  if (!Array.isArray(value)) throw new Quarantined('UNKNOWN_SHAPE')
  return value as readonly JsonText[]
}

/** Reads each record of the list at `path`; one that breaks a rule is quarantined without affecting its siblings. */
export function readEach(
  { out, payload }: Reading,
  list: readonly JsonText[],
  path: string,
  read: (item: JsonTextObject, origin: PayloadOrigin) => Outcome,
): void {
  list.forEach((item, n) => {
    readItem(out, payload.file, `${path}[${n}]`, (origin) => read(objectOf(item), origin))
  })
}

/** Reads each object of the list at `path`, which holds records of its own. */
export function readEachGroup(
  { out, payload }: Reading,
  list: readonly JsonText[],
  path: string,
  empty: Outcome,
  read: (item: JsonTextObject, path: string) => void,
): void {
  list.forEach((item, n) => {
    const of_item = `${path}[${n}]`
    readGroup(out, payload.file, of_item, empty, () => read(objectOf(item), of_item))
  })
}

/** Counts every record of a list under one outcome, without reading any of it. */
export function countEach({ out }: Reading, list: readonly JsonText[], outcome: Outcome): void {
  for (const _ of list) out.outcomes.push(outcome)
}

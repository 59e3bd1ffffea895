import type { AnswerSchema } from '../../../client/contract/answer-schema.ts'
import type { EverythingReport } from '../../../client/everything/report.ts'
import type { Alterations } from './altered-fetch.ts'
import type { AlteredKind } from './altered-kinds.ts'

/** Changes a field of a record in place. */
type Alter = (record: Record<string, unknown>, field: string, schema: AnswerSchema) => void
type Verify = (alterations: Alterations) => Promise<EverythingReport>
type FieldsOf = ReadonlyMap<AlteredKind, readonly string[]>

/** Gives a field another value that it could have. */
export const toAnother: Alter = (record, field, { properties = {} }) => {
  record[field] = altered(field, record[field], properties[field] ?? {})
}

/** Sets a field to null. */
export const toNull: Alter = (record, field) => {
  record[field] = null
}

/** Returns another value that the field could have. */
function altered(field: string, value: unknown, schema: AnswerSchema): unknown {
  const others = valuesOf(schema).filter((other) => other !== value && other !== null)
  if (others.length > 0) return others[0]
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return value.length === 0 ? ['altered'] : value.slice(1)
  if (value !== null && typeof value === 'object') return alteredObject(field, value)
  const is_instant = /_at$|_from$|_to$|_date$|_end$/.test(field)
  if (value === null || value === undefined) return is_instant ? '2026-01-02T03:04:05Z' : 'altered'
  return alteredText(String(value))
}

function alteredText(text: string): string {
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return `2024${text.slice(4)}`
  if (/^0\.\d/.test(text))
    return text.replace(/\d/g, (digit, at: number) => (at === 2 ? String(9 - Number(digit)) : digit))
  if (/^-?\d+(\.\d+)?$|^[0-9a-f]{64,}$/.test(text))
    return text.replace(/\d$|[a-f]$/, (last) => (last === '1' ? '2' : '1'))
  return /^[a-z]+_[\w.-]+$/.test(text) ? `${text}0` : `altered ${text}`
}

/** Values of an enumeration, also of one that may be null. */
function valuesOf({ enum: values = [], anyOf = [] }: AnswerSchema): readonly unknown[] {
  return [...values, ...anyOf.flatMap(valuesOf)]
}

/** Returns an object with one member changed; one whose members the record names has another member. */
function alteredObject(field: string, value: object): object {
  const [member] = Object.entries(value)
  if (member === undefined || ['definition', 'parameters'].includes(field)) return { ...value, altered: 'yes' }
  const [name, nested] = member
  return { ...value, [name]: altered(name, nested, {}) }
}

/** Fields that a record may leave out. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = { policy: ['drift_after'] }

/** Records of their own beside the fields of another: the states of one, and the quotes of a level. */
const BESIDE = ['history', 'quotes']

/** Fields of each kind in the answers of a deployment. @param isMeant whether a field with a value is altered */
export async function fieldsOf(
  kinds: readonly AlteredKind[],
  verify: Verify,
  isMeant: (value: unknown) => boolean = () => true,
): Promise<FieldsOf> {
  const fields = new Map<AlteredKind, readonly string[]>()
  await verify({
    api: (path, body) => {
      for (const one of kinds) {
        const [record] = one.recordsIn(path, body)
        if (record === undefined || fields.has(one)) continue
        const names = [...Object.keys(record), ...(OPTIONAL[one.kind] ?? [])]
        fields.set(
          one,
          names.filter((name) => !BESIDE.includes(name) && isMeant(record[name])),
        )
      }
    },
  })
  return fields
}

/** Alters one field of the first record of each kind, at the first path that has one: a list may be asked for more than once. */
function alterFields(chosen: ReadonlyMap<AlteredKind, string>, alter: Alter): Alterations {
  const done = new Map<AlteredKind, string>()
  return {
    api: (path, body) => {
      for (const [kind, field] of chosen) {
        const [record] = kind.recordsIn(path, body)
        if (record === undefined || (done.get(kind) ?? path) !== path) continue
        done.set(kind, path)
        alter(record, field, kind.schema)
      }
    },
  }
}

/**
 * Returns the fields, by kind, whose change no finding names. A run alters a field of each kind; one that the answer of another kind may
 * have hidden is altered again alone, unless it is expected.
 */
export async function unfoundFields(
  kinds: FieldsOf,
  verify: Verify,
  alter: Alter,
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const unfound: Record<string, string[]> = {}
  const longest = Math.max(...[...kinds.values()].map((fields) => fields.length))
  for (let n = 0; n < longest; n += 1) {
    const chosen = new Map(
      [...kinds].flatMap(([kind, fields]) => (n < fields.length ? [[kind, fields[n]!] as const] : [])),
    )
    const { failures } = await verify(alterFields(chosen, alter))
    for (const [kind, field] of chosen) {
      if (failures.some(kind.isFound)) continue
      const is_expected = expected[kind.kind]?.includes(field) === true
      const alone = is_expected ? null : await verify(alterFields(new Map([[kind, field]]), alter))
      if (alone === null || alone.failures.length === 0) unfound[kind.kind] = [...(unfound[kind.kind] ?? []), field]
    }
  }
  return unfound
}

/** Swaps the ids of the first two records of each kind. @returns the kinds that no finding names, and those with two records */
export async function unfoundSwaps(kinds: readonly AlteredKind[], verify: Verify) {
  const swapped = new Set<AlteredKind>()
  const { failures } = await verify({
    api: (path, body) => {
      for (const kind of kinds) {
        const [one, other] = kind.recordsIn(path, body)
        if (one === undefined || other === undefined) continue
        const id = Object.keys(one).find((name) => name.endsWith('_id') && one[name] !== other[name])
        if (id === undefined) continue
        swapped.add(kind)
        const kept = one[id]
        one[id] = other[id]
        other[id] = kept
      }
    },
  })
  const namesOf = (some: readonly AlteredKind[]) => some.map(({ kind }) => kind)
  return {
    swapped: namesOf([...swapped]),
    unfound: namesOf([...swapped].filter((kind) => !failures.some(kind.isFound))),
  }
}

import type { AnswerSchema } from '../../../client/contract/answer-schema.ts'
import { ANSWERS } from '../../../client/contract/answers.ts'
import { type AnswerFault, answerFault } from '../../../client/everything/answer-fault.ts'
import type { Facts } from '../../../client/everything/compare-shown.ts'

/** Breaks a record in each way in each object in it. @returns the ways that the contract does not find, by field */
export function breakagesOf(path: string, record: Facts): readonly string[] {
  const [schema] = ANSWERS[path]!
  const route = { path, schema, named: {} }
  const whole = answerFault(route, record, {})
  const missed = whole === null ? [] : [`it is refused as it is: ${whole.message}`]
  const copy = structuredClone(record) as Record<string, unknown>
  for (const { at, object, schema: own } of objectsIn(copy, schema, '')) {
    const faultWith = (change: (target: Record<string, unknown>) => void): AnswerFault | null => {
      const kept = { ...object }
      change(object)
      const fault = answerFault(route, copy, {})
      for (const name of Object.keys(object)) delete object[name]
      Object.assign(object, kept)
      return fault
    }
    const { properties = {}, required = [] } = own
    for (const name of Object.keys(object)) {
      const absent = faultWith((one) => delete one[name])
      if ((absent === null) === required.includes(name)) missed.push(`${at}${name} absent`)
      const is_any = Object.keys(properties[name] ?? {}).length === 0
      const mistyped = faultWith((one) => Object.assign(one, { [name]: [[{}]] }))
      if (!is_any && mistyped === null) missed.push(`${at}${name} mistyped`)
    }
    const unknown = faultWith((one) => Object.assign(one, { unknown: 1 }))
    if (unknown?.is_unknown !== true) missed.push(`${at}unknown`)
  }
  return missed
}

type Found = { readonly at: string; readonly object: Record<string, unknown>; readonly schema: AnswerSchema }

/** Returns every closed object in a value, with its path. */
function objectsIn(value: unknown, schema: AnswerSchema, at: string): readonly Found[] {
  const [choice] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (choice !== undefined) return value === null ? [] : objectsIn(value, choice, at)
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => objectsIn(item, schema.items ?? {}, `${at}[0].`))
  if (schema.properties === undefined || typeof value !== 'object' || value === null) return []
  const object = value as Record<string, unknown>
  const inside = Object.entries(schema.properties).flatMap(([name, own]) =>
    name in object ? objectsIn(object[name], own, `${at}${name}.`) : [],
  )
  return [{ at, object, schema }, ...inside]
}

import { invariant } from '../../primitives/errors.ts'
import type { JsonText, JsonTextObject } from './json-text.ts'

/**
 * Forms of object that a venue repeats: the same fields in the same order, without white space. A scan that meets one compares
 * each name with the expected one and makes the object at once, which costs a tenth of adding field after field. Any other
 * object is read without forms: they change the speed of reading and never its result.
 * Measured by bench/parse.bench.ts; the plain twin in test/pipelines/text/json-forms.test.ts is the scan without forms.
 */

/** Makes an object of one form from its values, which begin at `at`: `(v, i) => ({ price: v[i], size: v[i + 1] })`. */
export type MakeObject = (values: readonly JsonText[], at: number) => JsonTextObject

/** One field in a tree of forms that begin alike. */
export type FormStep = {
  readonly field: string
  /** Names of the form's fields up to this one. */
  readonly fields: readonly string[]
  /** Text before its value: `{"field":` or `,"field":`. */
  readonly text: string
  /** Code of the name's first character, which rules out most other steps. */
  readonly initial: number
  /** Fields that may follow. */
  readonly next: FormStep[]
  /** Set if a form may end here. */
  make: MakeObject | null
}

const FIELDS_MAX = 64
const MARKS: readonly string[] = Array.from({ length: FIELDS_MAX }, (_, ordinal) => String(ordinal))

/** Returns the first steps of these forms. */
export function formsOf(...forms: readonly MakeObject[]): readonly FormStep[] {
  const first: FormStep[] = []
  for (const make of forms) {
    let steps = first
    let last: FormStep | undefined
    for (const field of fieldsOf(make)) {
      last = stepOf(steps, last?.fields ?? [], field)
      steps = last.next
    }
    if (last !== undefined) last.make = make
  }
  return first
}

function fieldsOf(make: MakeObject): string[] {
  const fields = Object.entries(make(MARKS, 0))
  fields.forEach(([field, value], ordinal) => {
    invariant(value === MARKS[ordinal] && /^[A-Za-z_]\w*$/.test(field), `${field} is the value at its ordinal`)
  })
  return fields.map(([field]) => field)
}

function stepOf(steps: FormStep[], before: readonly string[], field: string): FormStep {
  const known = steps.find((step) => step.field === field)
  if (known !== undefined) return known
  const text = `${before.length === 0 ? '{' : ','}"${field}":`
  const step = { field, fields: [...before, field], text, initial: field.charCodeAt(0), next: [], make: null }
  steps.push(step)
  return step
}

/** Returns the object of a text that has one form from its first character to its last; null for any other text. */
export type WholeForm = (text: string) => JsonTextObject | null

/** A text without escapes and control characters, a number without exponent. */
const [TEXT, NUMBER] = ['"([^"\\\\\\x00-\\x1f]*)"', '(-?(?:0|[1-9]\\d*)(?:\\.\\d+)?)']

/**
 * Compiles a form of whole texts with a fixed shape of objects and lists to one pattern, which takes a third of the time of a
 * scan and gives the same object.
 * @param make    makes the object from its values, which begin at 1, in their order, and from constant words
 * @param numbers the fields that hold numbers; the others hold texts
 */
export function wholeForm(make: MakeObject, numbers: readonly string[]): WholeForm {
  const pattern = new RegExp(`^${objectPattern(make(MARKS, 1), { numbers, ordinal: 0 })}$`)
  return (text) => {
    const values = pattern.exec(text)
    return values === null ? null : make(values, 1)
  }
}

/** Fields that hold numbers, and the ordinal of the last value. */
type PatternState = { readonly numbers: readonly string[]; ordinal: number }

function objectPattern(object: JsonTextObject, state: PatternState): string {
  const fields = Object.entries(object).map(([field, value]) => {
    invariant(/^[A-Za-z_]\w*$/.test(field), `${field} is a plain name`)
    return `"${field}":${valuePattern(field, value, state)}`
  })
  return `\\{${fields.join(',')}\\}`
}

function valuePattern(field: string, value: JsonText | undefined, state: PatternState): string {
  if (Array.isArray(value)) return `\\[${value.map((one) => valuePattern(field, one, state)).join(',')}\\]`
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'object') return objectPattern(value as JsonTextObject, state)
  if (typeof value === 'string' && /^[a-z_]+$/.test(value)) return `"${value}"`
  state.ordinal += 1
  invariant(value === MARKS[state.ordinal], `${field} is the value at its ordinal`)
  return state.numbers.includes(field) ? NUMBER : TEXT
}

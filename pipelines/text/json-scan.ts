import { Quarantined } from '../venues/quarantine.ts'
import type { FormStep } from './json-forms.ts'
import { knownName, rememberName } from './json-names.ts'
import { endOfNumber } from './json-number.ts'
import type { JsonText, JsonTextObject } from './json-text.ts'

/**
 * Depth of nested lists and objects; a venue's have fewer than ten. Deeper text is rejected, so that no reader exhausts the
 * stack.
 */
export const JSON_DEPTH_MAX = 256

/** A control character: below the space. */
const CONTROL = /[^ -\uffff]/
const [SPACE, QUOTE, COMMA, MINUS, ZERO, NINE, COLON] = [32, 34, 44, 45, 48, 57, 58]
const [LIST, BACKSLASH, LIST_END, OBJECT, OBJECT_END] = [91, 92, 93, 123, 125]

const NO_FORMS: readonly FormStep[] = []

/**
 * Parses JSON and returns every number as its source text, so that 0.45530000000000004 or a 78-digit token id arrives as
 * written and no double has touched it. A number and a string of the same text are equal afterwards: venues mix both for one
 * field. Texts may be slices that keep the whole document in memory while they live.
 * @param forms of the expected objects; they make reading faster and never change the result
 * @throws Quarantined BAD_JSON, also for lists and objects nested deeper than JSON_DEPTH_MAX
 */
export function parseJsonText(text: string, forms: readonly FormStep[] = NO_FORMS): JsonText {
  return new JsonScan(text, forms).read()
}

/**
 * One pass over a JSON text (RFC 8259) that keeps numbers as written, which JSON.parse cannot. It accepts and rejects the same
 * texts as JSON.parse, up to JSON_DEPTH_MAX. Texts of venues have few escapes and no control characters, so the whole text is
 * checked for both once, and a string then ends at the next quote.
 * Measured by bench/parse.bench.ts; its plain twin in test/pipelines/text/json-text.test.ts is JSON.parse.
 */
class JsonScan {
  readonly #text: string
  readonly #forms: readonly FormStep[]
  readonly #has_escapes: boolean
  readonly #has_controls: boolean
  readonly #is_plain: boolean
  /** Values of incomplete forms, those of the innermost last. */
  readonly #values: JsonText[] = []
  #count = 0
  #at = 0

  constructor(text: string, forms: readonly FormStep[]) {
    this.#text = text
    this.#forms = forms
    this.#has_escapes = text.includes('\\')
    this.#has_controls = CONTROL.test(text)
    this.#is_plain = !this.#has_escapes && !this.#has_controls
  }

  /** Reads the value of the whole text. @throws Quarantined BAD_JSON */
  read(): JsonText {
    const value = this.#value(0)
    if (!Number.isNaN(this.#next())) refuse()
    return value
  }

  #value(depth: number): JsonText {
    const code = this.#next()
    if (code === QUOTE) return this.#string()
    if (code === OBJECT) return this.#object(depth + 1)
    if (code === LIST) return this.#list(depth + 1)
    if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number()
    return this.#word()
  }

  /** Returns the next character that is not white space; NaN at the end. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at)
    while (code === SPACE || code === 10 || code === 13 || code === 9) {
      this.#at += 1
      code = this.#text.charCodeAt(this.#at)
    }
    return code
  }

  /** Passes a character if it is next. */
  #passes(expected: number): boolean {
    if (this.#next() !== expected) return false
    this.#at += 1
    return true
  }

  #object(depth: number): JsonTextObject {
    if (depth > JSON_DEPTH_MAX) refuse()
    const step = this.#step(this.#forms)
    if (step !== null) return this.#formed(step, depth)
    this.#at += 1
    const object: Record<string, JsonText> = {}
    if (this.#passes(OBJECT_END)) return object
    this.#member(object, depth)
    return this.#rest(object, depth)
  }

  /** Passes the next step if one matches here. Comparing a slice is fastest. */
  #step(steps: readonly FormStep[]): FormStep | null {
    const initial = this.#text.charCodeAt(this.#at + 2)
    for (let i = 0; i < steps.length; i += 1) {
      const step = steps[i]!
      if (step.initial !== initial) continue
      const to = this.#at + step.text.length
      if (this.#text.slice(this.#at, to) !== step.text) continue
      this.#at = to
      return step
    }
    return null
  }

  /** Reads an object that begins like a form; if it ends otherwise its fields are added one by one. */
  #formed(first: FormStep, depth: number): JsonTextObject {
    const base = this.#count
    let step = first
    for (;;) {
      this.#keep(this.#fieldValue(depth))
      const next = this.#step(step.next)
      if (next === null) break
      step = next
    }
    this.#count = base
    if (step.make !== null && this.#text.charCodeAt(this.#at) === OBJECT_END) {
      this.#at += 1
      return step.make(this.#values, base)
    }
    const object: Record<string, JsonText> = {}
    for (const [n, field] of step.fields.entries()) object[field] = this.#values[base + n]!
    return this.#rest(object, depth)
  }

  /** Reads the value of a field: mostly a text or a number, with no white space before it. */
  #fieldValue(depth: number): JsonText {
    const code = this.#text.charCodeAt(this.#at)
    if (code === QUOTE) return this.#string()
    return code >= ZERO && code <= NINE ? this.#number() : this.#value(depth)
  }

  /** Reads the rest of an object after a field. */
  #rest(object: Record<string, JsonText>, depth: number): JsonTextObject {
    while (this.#passes(COMMA)) this.#member(object, depth)
    if (!this.#passes(OBJECT_END)) refuse()
    return object
  }

  #member(object: Record<string, JsonText>, depth: number): void {
    if (this.#next() !== QUOTE) refuse()
    const field = this.#field()
    if (!this.#passes(COLON)) refuse()
    const value = this.#value(depth)
    if (field === '__proto__') own(object, field, value)
    else object[field] = value
  }

  /** Reads a name: a known one is neither cut out nor hashed again. */
  #field(): string {
    const from = this.#at + 1
    const to = this.#text.indexOf('"', from)
    const known = knownName(this.#text, from, to)
    if (known !== null) {
      this.#at = to + 1
      return known
    }
    const field = this.#string()
    if (!this.#has_escapes) rememberName(this.#text, from, to, field)
    return field
  }

  #list(depth: number): JsonText[] {
    if (depth > JSON_DEPTH_MAX) refuse()
    this.#at += 1
    if (this.#passes(LIST_END)) return []
    const list = this.#first(depth)
    while (this.#passes(COMMA)) list.push(this.#value(depth))
    if (!this.#passes(LIST_END)) refuse()
    return list
  }

  /** Reads the first value of a list, or the first two: a list literal with its values allocates no spare room. */
  #first(depth: number): JsonText[] {
    const value = this.#value(depth)
    return this.#passes(COMMA) ? [value, this.#value(depth)] : [value]
  }

  #keep(value: JsonText): void {
    this.#values[this.#count] = value
    this.#count += 1
  }

  #string(): string {
    const from = this.#at + 1
    let to = this.#text.indexOf('"', from)
    if (this.#is_plain && to >= 0) {
      this.#at = to + 1
      return this.#text.slice(from, to)
    }
    if (this.#has_escapes) while (to >= 0 && this.#isEscaped(to)) to = this.#text.indexOf('"', to + 1)
    if (to < 0) refuse()
    this.#at = to + 1
    const content = this.#text.slice(from, to)
    if (this.#has_controls && CONTROL.test(content)) refuse()
    return this.#has_escapes && content.includes('\\') ? unescaped(content) : content
  }

  /** Returns whether a quote follows an odd number of backslashes. */
  #isEscaped(quote: number): boolean {
    let before = quote
    while (this.#text.charCodeAt(before - 1) === BACKSLASH) before -= 1
    return (quote - before) % 2 === 1
  }

  #number(): string {
    const from = this.#at
    const to = endOfNumber(this.#text, from)
    if (to < 0) refuse()
    this.#at = to
    return this.#text.slice(from, to)
  }

  #word(): boolean | null {
    const word = WORDS[this.#text.charCodeAt(this.#at)]
    if (word === undefined || this.#text.slice(this.#at, this.#at + word.text.length) !== word.text) return refuse()
    this.#at += word.text.length
    return word.value
  }
}

/** Words by the code of their first character. */
const WORDS: Readonly<Record<number, { readonly text: string; readonly value: boolean | null }>> = {
  116: { text: 'true', value: true },
  102: { text: 'false', value: false },
  110: { text: 'null', value: null },
}

/** Decodes a string with escapes by the platform's rules. */
function unescaped(content: string): string {
  try {
    return JSON.parse(`"${content}"`) as string
  } catch {
    return refuse()
  }
}

/** Sets a field of any name like JSON.parse: an assignment to `__proto__` would change the object's prototype. */
function own(object: object, field: string, value: JsonText): void {
  Object.defineProperty(object, field, { value, writable: true, enumerable: true, configurable: true })
}

function refuse(): never {
  throw new Quarantined('BAD_JSON')
}

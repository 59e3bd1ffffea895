import type { JsonText, JsonTextObject } from './json-text.ts'
import { Quarantined } from './quarantine.ts'

/** Lists and objects in each other; a venue's have fewer than ten. Deeper text is refused, so that no reader runs out of stack. */
export const JSON_DEPTH_MAX = 256

/** A control character: below the space. */
const CONTROL = /[^ -\uffff]/
const [SPACE, QUOTE, PLUS, COMMA, MINUS, POINT, ZERO, NINE, COLON] = [32, 34, 43, 44, 45, 46, 48, 57, 58]
const [UPPER_E, LOWER_E, LIST, BACKSLASH, LIST_END, OBJECT, OBJECT_END] = [69, 101, 91, 92, 93, 123, 125]

/**
 * One pass over a JSON text (RFC 8259) that gives numbers as they are written, which JSON.parse cannot. It takes what
 * JSON.parse takes, and refuses what that refuses, up to JSON_DEPTH_MAX. Texts of venues have few escapes and no control
 * characters, so both are looked for once in the whole text, and a string then ends at the next quote.
 */
export class JsonScan {
  readonly #text: string
  readonly #has_escapes: boolean
  readonly #has_controls: boolean
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#has_escapes = text.includes('\\')
    this.#has_controls = CONTROL.test(text)
  }

  /** The value that the whole text is. @throws Quarantined BAD_JSON */
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
    if (code === MINUS || isDigit(code)) return this.#number()
    return this.#word()
  }

  /** The next character that is no white space; NaN at the end. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at)
    while (code === SPACE || code === 10 || code === 13 || code === 9) {
      this.#at += 1
      code = this.#text.charCodeAt(this.#at)
    }
    return code
  }

  /** Passes a character that must come next. */
  #pass(expected: number): void {
    if (this.#next() !== expected) refuse()
    this.#at += 1
  }

  #object(depth: number): JsonTextObject {
    if (depth > JSON_DEPTH_MAX) refuse()
    const object: Record<string, JsonText> = {}
    this.#at += 1
    if (this.#next() === OBJECT_END) {
      this.#at += 1
      return object
    }
    for (;;) {
      if (this.#next() !== QUOTE) refuse()
      const field = this.#field()
      this.#pass(COLON)
      const value = this.#value(depth)
      if (field === '__proto__') own(object, field, value)
      else object[field] = value
      if (this.#next() !== COMMA) break
      this.#at += 1
    }
    this.#pass(OBJECT_END)
    return object
  }

  /** A name: names come again and again, so that one which is known is neither cut out nor hashed anew. */
  #field(): string {
    const from = this.#at + 1
    const to = this.#text.indexOf('"', from)
    const slot = this.#slot(from, to)
    const known = FIELDS[slot]!
    if (known.length === to - from && this.#text.startsWith(known, from)) {
      this.#at = to + 1
      return known
    }
    const field = this.#string()
    if (known === NO_FIELD && field.length <= FIELD_LENGTH_MAX && !this.#has_escapes) FIELDS[slot] = internalized(field)
    return field
  }

  /** A number made of three characters of a name and its length. */
  #slot(from: number, to: number): number {
    const [first, middle] = [this.#text.charCodeAt(from), this.#text.charCodeAt((from + to) >>> 1)]
    const last = this.#text.charCodeAt(to - 1)
    return (((first * 31 + middle) * 31 + last) * 31 + to - from) & SLOT_MASK
  }

  #list(depth: number): JsonText[] {
    if (depth > JSON_DEPTH_MAX) refuse()
    const list: JsonText[] = []
    this.#at += 1
    if (this.#next() === LIST_END) {
      this.#at += 1
      return list
    }
    for (;;) {
      list.push(this.#value(depth))
      if (this.#next() !== COMMA) break
      this.#at += 1
    }
    this.#pass(LIST_END)
    return list
  }

  #string(): string {
    const from = this.#at + 1
    let to = this.#text.indexOf('"', from)
    if (this.#has_escapes) while (to >= 0 && this.#isEscaped(to)) to = this.#text.indexOf('"', to + 1)
    if (to < 0) refuse()
    this.#at = to + 1
    const content = this.#text.slice(from, to)
    if (this.#has_controls && CONTROL.test(content)) refuse()
    return this.#has_escapes && content.includes('\\') ? unescaped(content) : content
  }

  /** True for a quote behind an odd number of backslashes. */
  #isEscaped(quote: number): boolean {
    let before = quote
    while (this.#text.charCodeAt(before - 1) === BACKSLASH) before -= 1
    return (quote - before) % 2 === 1
  }

  #number(): string {
    const from = this.#at
    if (this.#code() === MINUS) this.#at += 1
    if (this.#code() === ZERO) this.#at += 1
    else this.#digits()
    if (this.#code() === POINT) {
      this.#at += 1
      this.#digits()
    }
    if (this.#code() === LOWER_E || this.#code() === UPPER_E) {
      this.#at += 1
      if (this.#code() === PLUS || this.#code() === MINUS) this.#at += 1
      this.#digits()
    }
    return this.#text.slice(from, this.#at)
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at)
  }

  #digits(): void {
    const from = this.#at
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at += 1
    if (this.#at === from) refuse()
  }

  #word(): boolean | null {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    return refuse()
  }
}

/** Names of fields by their slot; the first of a slot stays, so that two of one slot do not take turns. */
const SLOT_MASK = 4095
const FIELD_LENGTH_MAX = 64
/** No name of a field holds a quote that is not escaped. */
const NO_FIELD = '"'
const FIELDS: string[] = Array.from({ length: SLOT_MASK + 1 }, () => NO_FIELD)

/** The same text as a property's name, which is no slice of a document. */
function internalized(field: string): string {
  return Object.keys({ [field]: null })[0]!
}

const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** A string with escapes, of which the platform knows the rules. */
function unescaped(content: string): string {
  try {
    return JSON.parse(`"${content}"`) as string
  } catch {
    return refuse()
  }
}

/** A field of any name, as JSON.parse makes it: an assignment to `__proto__` would change what the object is. */
function own(object: object, field: string, value: JsonText): void {
  Object.defineProperty(object, field, { value, writable: true, enumerable: true, configurable: true })
}

function refuse(): never {
  throw new Quarantined('BAD_JSON')
}

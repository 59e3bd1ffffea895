/** Fault of a text that is not JSON, or that two parsers may read differently. The message follows the name of the text. */
export class JsonFault extends Error {
  /** Texts that are accepted instead. */
  readonly allowed: string
  /** Whether the text is JSON, in which an object has a key twice. */
  readonly is_doubled: boolean

  constructor(found: string, allowed: string, is_doubled: boolean) {
    super(found)
    this.allowed = allowed
    this.is_doubled = is_doubled
  }
}

/**
 * Parses a JSON text in which each object has each key once. Of a doubled key, JSON.parse keeps the last value and other parsers the
 * first, so a signature or a hash would cover two documents.
 * @throws {JsonFault}
 */
export function parseStrictText(text: string): unknown {
  const value = parsed(text)
  // Most texts have the form of JSON.stringify, in which no key is doubled; only others are scanned.
  const twice = isPlainForm(value, text) ? null : repeatedKey(text)
  if (twice === null) return value
  throw new JsonFault(`has the key ${JSON.stringify(shortened(twice))} twice`, 'each key once in an object', true)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new JsonFault(`is not JSON: ${shortened((error as Error).message)}`, 'JSON as defined in RFC 8259', false)
  }
}

function isPlainForm(value: unknown, text: string): boolean {
  try {
    return JSON.stringify(value) === text
  } catch {
    // JSON.stringify recurses, so a value nested very deep exhausts the stack; the scan does not recurse.
    return false
  }
}

const SHOWN_MAX = 200

/** Shortens a text for a message, never within a character. */
function shortened(text: string): string {
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX).replace(/[\ud800-\udbff]$/, '')}...`
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Returns the first doubled key of a valid JSON text; null: none. A string before a colon is a key. */
function repeatedKey(text: string): string | null {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === OPEN_OBJECT) open.push(new Set())
    else if (code === CLOSE_OBJECT) open.pop()
    if (code !== QUOTE) continue
    const end = endOfString(text, at)
    if (isBeforeColon(text, end + 1)) {
      const raw = text.slice(at + 1, end)
      const key = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
      const keys = open.at(-1)!
      if (keys.has(key)) return key
      keys.add(key)
    }
    at = end
  }
  return null
}

/** Returns the place of the quote that ends the JSON string whose opening quote is at `from`. */
export function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return text.length
}

function isBeforeColon(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COLON) return true
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false
  }
  return false
}

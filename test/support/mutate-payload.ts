import { pick } from './random.ts'

/**
 * A payload with one to three faults: in its text (tokens, numbers, brackets lost, doubled or replaced) or, where it or one
 * of its lines is JSON or it is XML, in its tree (keys dropped or renamed, types swapped, values of a venue's bad day).
 * Numbers that no fault touches keep their source text.
 * @param random gives numbers in [0, 1); the same numbers give the same payload
 */
export function mutatePayload(text: string, random: () => number): string {
  const faults = 1 + Math.floor(random() * 3)
  let mutated = text
  for (let fault = 0; fault < faults; fault += 1) {
    mutated = (random() < 0.6 ? mutateDocument(mutated, random) : null) ?? mutateText(mutated, random)
  }
  return mutated
}

/** Values that stand where something else should: JSON texts. */
const ODD_VALUES = [
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '[[]]',
  '""',
  '" "',
  '"N/A"',
  '"NaN"',
  '"Infinity"',
  '"0"',
  '"-0.0"',
  '"1e400"',
  '"0x1f"',
  '"\\u0000"',
  '"\\ud800"',
  '"__proto__"',
  '"0001-01-01T00:00:00Z"',
  '"2099-12-31T23:59:59Z"',
  '"9999-99-99T99:99:99Z"',
  '"1970-01-01"',
  '0',
  '-0',
  '-1',
  '1.0000000001',
  '-0.0000000001',
  '0.5',
  '100',
  '1e-7',
  '5E-1',
  '1e308',
  '1e999',
  '-1e999',
  '0.30000000000000004',
  '123456789012345678901234567890.123456789012345678901234567890',
  '9007199254740993',
  '253402300800000',
  '-62135596800000',
  '946684799999',
] as const

const TOKEN = /"(?:[^"\\]|\\.)*"|<[^<>]*>|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z_]+|[{}[\],:]/g
const ELEMENT = /<([\w:]+)(?: [^<>]*)?>[^<>]*<\/\1>/g
const ATTRIBUTE = / [\w:]+="[^"<>]*"/g
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function mutateText(text: string, random: () => number): string {
  return pick([cutOff, loseBytes, replaceNumber, replaceToken, loseToken, doubleToken], random)(text, random)
}

function cutOff(text: string, random: () => number): string {
  return text.slice(0, Math.floor(random() * text.length))
}

function loseBytes(text: string, random: () => number): string {
  const start = Math.floor(random() * text.length)
  return text.slice(0, start) + text.slice(start + 1 + Math.floor(random() * 20))
}

function replaceNumber(text: string, random: () => number): string {
  return replaceOne(text, NUMBER, random, () => unquoted(pick(ODD_VALUES, random)))
}

function replaceToken(text: string, random: () => number): string {
  return replaceOne(text, TOKEN, random, (token) =>
    random() < 0.5 ? pick(ODD_VALUES, random) : (someMatch(text, TOKEN, random)?.[0] ?? token),
  )
}

const loseToken = (text: string, random: () => number) => replaceOne(text, TOKEN, random, () => '')
const doubleToken = (text: string, random: () => number) => replaceOne(text, TOKEN, random, (token) => token + token)

function replaceOne(
  text: string,
  pattern: RegExp,
  random: () => number,
  replacement: (token: string) => string,
): string {
  const found = someMatch(text, pattern, random)
  if (found === null) return text
  return text.slice(0, found.index) + replacement(found[0]) + text.slice(found.index + found[0].length)
}

/** The first match behind a place anywhere in the text; it may begin inside a string, which is one more fault. */
function someMatch(text: string, pattern: RegExp, random: () => number): RegExpExecArray | null {
  pattern.lastIndex = Math.floor(random() * text.length)
  return pattern.exec(text)
}

const unquoted = (json: string) => json.replace(/^"|"$/g, '')

/** A tree whose numbers are strings that begin with U+E000, so that their digits survive. */
type Tree = string | boolean | null | Tree[] | { [field: string]: Tree }
type Place = { readonly parent: Tree[] | { [field: string]: Tree }; readonly key: string }

/** The text with a fault in the tree of the whole or of one of its lines; null where neither is JSON nor the whole XML. */
function mutateDocument(text: string, random: () => number): string | null {
  const whole = parseTree(text)
  if (whole !== null) return printTree(mutateTree(whole, random))
  if (/^\uFEFF?\s*</.test(text)) return mutateElements(text, random)
  const lines = text.split('\n')
  const place = Math.floor(random() * lines.length)
  const tree = parseTree(lines[place]!)
  return tree === null ? null : lines.with(place, printTree(mutateTree(tree, random))).join('\n')
}

/** XML with another value in an element or attribute, or with an element of text left out or repeated. */
function mutateElements(text: string, random: () => number): string {
  const odd = unquoted(pick(ODD_VALUES, random))
  const faults: readonly (() => string)[] = [
    () => replaceOne(text, ELEMENT, random, (element) => element.replace(/>[^<]*</, () => `>${odd}<`)),
    () => replaceOne(text, ATTRIBUTE, random, (attribute) => attribute.replace(/".*"/, () => `"${odd}"`)),
    () => replaceOne(text, ELEMENT, random, () => ''),
    () => replaceOne(text, ELEMENT, random, (element) => element + element),
  ]
  return pick(faults, random)()
}

function mutateTree(tree: Tree, random: () => number): Tree {
  const places = placesOf(tree)
  const odd = () => parseTree(pick(ODD_VALUES, random)) ?? null
  if (places.length === 0) return odd()
  const { parent, key } = pick(places, random)
  const fields = parent as Record<string, Tree>
  const value = fields[key]!
  const faults: readonly (() => void)[] = [
    () => remove(parent, key),
    () => Object.assign(fields, { [key]: odd() }),
    () => Object.assign(fields, { [key]: odd() }),
    () => Object.assign(fields, { [key]: swapType(value) }),
    () => Object.assign(fields, { [key]: structuredClone(ownField(pick(places, random).parent, key) ?? odd()) }),
    () => rename(parent, key, random),
    () => repeat(parent, key),
  ]
  pick(faults, random)()
  return tree
}

function placesOf(tree: Tree, places: Place[] = []): Place[] {
  if (typeof tree !== 'object' || tree === null) return places
  for (const [key, value] of Object.entries(tree)) {
    places.push({ parent: tree, key })
    placesOf(value, places)
  }
  return places
}

/** A field of its own: a key such as `constructor` names something of every object. */
function ownField(parent: Place['parent'], key: string): Tree | undefined {
  return Object.hasOwn(parent, key) ? (parent as Record<string, Tree>)[key] : undefined
}

function remove(parent: Place['parent'], key: string): void {
  if (Array.isArray(parent)) parent.splice(+key, 1)
  else delete parent[key]
}

function rename(parent: Place['parent'], key: string, random: () => number): void {
  if (Array.isArray(parent)) parent.reverse()
  else {
    const value = parent[key]!
    delete parent[key]
    parent[pick(Object.keys(parent), random) ?? `${key}_`] = value
  }
}

function repeat(parent: Place['parent'], key: string): void {
  if (Array.isArray(parent)) parent.push(structuredClone(parent[+key]!))
  else parent[key] = [structuredClone(parent[key]!)]
}

function swapType(value: Tree): Tree {
  if (typeof value === 'string') return value.startsWith(DIGITS) ? value.slice(1) : `${DIGITS}1`
  return value === null ? `${DIGITS}0` : { value }
}

const DIGITS = '\ue000'
const MARKED_NUMBER = /"\ue000([-+.eE0-9]*)"/g
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function parseTree(text: string): Tree | null {
  try {
    return JSON.parse(
      text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${DIGITS}${token}"`)),
    )
  } catch {
    return null
  }
}

function printTree(tree: Tree): string {
  return JSON.stringify(tree).replace(MARKED_NUMBER, '$1')
}

import { describe, expect, test } from 'vitest'
import { lineAt, type Node, visitNodes } from './support/house/parsed-source.ts'
import { houseFolder, type SourceFile, sourceFiles } from './support/source-files.ts'

/** Types that `npm run docs` makes from the contract for who has no other file of ours. */
const MADE_BY_DOCS = 'client/contract/'

/** Folders whose text is product code; the simulator keeps its own words, so that no reader agrees with it by sharing them. */
const OUTSIDE = ['', 'test', 'bench', 'tools', 'datasets', 'docs', 'simulator']

/** Sets of words that may be written again, with the reason. */
const EXCEPTIONS: readonly { readonly path: RegExp; readonly words: RegExp; readonly reason: string }[] = [
  {
    path: /^client\/trading\//,
    words: /limit_price|PATCH|epoch_changed/,
    reason: 'types of the package name no schema; test/client/contract.test.ts compares them',
  },
  { path: /^warehouse\/tables\//, words: /_id|_at/, reason: 'columns of one table, whatever other tables have' },
  { path: /^trading\/store\/load-facts\.ts$/, words: /nonce|idempotency_key/, reason: 'in the order of its query' },
  { path: /^pipelines\/index\/exact\//, words: /last_trade/, reason: 'the exact engine checks the plain one' },
  {
    path: /^vocabulary\/index-level\.ts$/,
    words: /corrected, degraded/,
    reason: 'in the order of the contract, and worst first',
  },
  {
    path: /^report\/state-runs\.ts$/,
    words: /unchanged/,
    reason: 'one order, best first, across several vocabularies',
  },
]

/** A list of words in the code: sorted, with its file and line, and whether it is a field of a record. */
type Written = {
  readonly words: readonly string[]
  readonly path: string
  readonly line: number
  readonly in_record: boolean
}

describe('vocabularies', () => {
  const product = sourceFiles(['.ts', '.mjs']).filter(
    ({ path }) => !OUTSIDE.includes(houseFolder(path)) && !path.startsWith(MADE_BY_DOCS),
  )
  const all = product.flatMap(wordLists)
  const written = all.filter((found) => exceptionOf(found) === undefined)

  test('a list of three or more words is written once: others import it, or derive from it', () => {
    expect(written.length).toBeGreaterThan(300)
    expect(writtenTwice(written)).toEqual([])
  })

  test('no list contains an enum of the vocabulary: it takes the words from there', () => {
    expect(written.flatMap((found) => enumsWithin(found, all))).toEqual([])
  })

  test.each(EXCEPTIONS)('the exception of $path is needed: $reason', (exception) => {
    const others = all.filter((found) => [undefined, exception].includes(exceptionOf(found)))
    expect([...writtenTwice(others), ...others.flatMap((found) => enumsWithin(found, all))]).not.toEqual([])
  })

  test('a second copy is found: as an array, a union or a split text, in any order, in the same file too', () => {
    const first = { path: 'vocabulary/x.ts', text: "export const A = ['one', 'two', 'three'] as const" }
    const second = { path: 'b/y.ts', text: "type B =\n  | 'three'\n  | 'two'\n  | 'one'" }
    const picked = { path: 'b/z.ts', text: "type Part = Pick<Whole, 'three' | 'two' | 'one'>" }
    const split = { path: 'b/w.ts', text: "const C = 'one two three'.split(' ')" }
    const longer = { path: 'b/v.ts', text: "const D = new Set(['one', 'two', 'three', 'four'])" }
    expect(writtenTwice([first, second, picked].flatMap(wordLists))).toEqual([
      'one, three, two: b/y.ts:2, vocabulary/x.ts:1',
    ])
    expect(writtenTwice([first, split].flatMap(wordLists))).toHaveLength(1)
    expect(writtenTwice(wordLists({ ...first, text: `${first.text}\n${split.text}` }))).toHaveLength(1)
    const lists = [first, longer].flatMap(wordLists)
    expect(lists.flatMap((found) => enumsWithin(found, lists))).toEqual([
      'b/v.ts:1 contains one, three, two of vocabulary/x.ts:1',
    ])
  })
})

/** Types that take keys out of another: the compiler itself compares these with the type. */
const PICKING = ['Pick', 'Omit', 'Extract', 'Exclude']

function wordLists(file: SourceFile): Written[] {
  const found: Written[] = []
  visitNodes(file, (node, around) => {
    const words = [...new Set(wordsOf(node, around))].sort()
    if (words.length < 3) return
    const in_record = around.at(-1)?.type === 'Property'
    found.push({ words, path: file.path, line: lineAt(file.text, node.start), in_record })
  })
  return found
}

function wordsOf(node: Node, around: readonly Node[]): readonly string[] {
  if (node.type === 'ArrayExpression') return texts(node.elements)
  if (node.type === 'TSUnionType')
    return around.some(picks) ? [] : texts((node.types as Node[]).map(({ literal }) => literal))
  const { callee, arguments: given } = node as unknown as { callee?: Node; arguments?: Node[] }
  if (node.type !== 'CallExpression' || (callee!.property as Node | undefined)?.name !== 'split') return []
  const [separator] = texts(given)
  return separator === undefined ? [] : texts([callee!.object]).flatMap((text) => text.split(separator))
}

/** Texts of a list of literal texts. */
function texts(nodes: unknown): string[] {
  const values = (nodes as (Node | null | undefined)[]).map((node) => (node?.type === 'Literal' ? node.value : null))
  return values.every((value) => typeof value === 'string') ? values : []
}

function picks({ type, typeName }: Node): boolean {
  return type === 'TSTypeReference' && PICKING.includes(String((typeName as Node).name))
}

function exceptionOf({ path, words }: Written) {
  return EXCEPTIONS.find((exception) => exception.path.test(path) && exception.words.test(words.join(', ')))
}

/** Lists that occur more than once, with each occurrence; the records of one table may repeat a list among themselves. */
function writtenTwice(written: readonly Written[]): string[] {
  const by_words = new Map<string, Written[]>()
  for (const found of written) {
    const same = by_words.get(found.words.join(', ')) ?? []
    by_words.set(found.words.join(', '), [...same, found])
  }
  return [...by_words].flatMap(([words, found]) => {
    const places = new Set(found.map(({ path, line, in_record }) => (in_record ? path : `${path}:${line}`)))
    return places.size < 2 ? [] : [`${words}: ${[...places].sort().join(', ')}`]
  })
}

/** Enums of the vocabulary that a longer list has as its part; names of columns may be part of any list of columns. */
function enumsWithin({ words, path, line }: Written, all: readonly Written[]): string[] {
  if (path.startsWith('vocabulary/')) return []
  return all
    .filter((part) => part.path.startsWith('vocabulary/') && !part.words.some((word) => /_at$|bid|volume/.test(word)))
    .filter((part) => part.words.length < words.length && part.words.every((word) => words.includes(word)))
    .map((part) => `${path}:${line} contains ${part.words.join(', ')} of ${part.path}:${part.line}`)
}

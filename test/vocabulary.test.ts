import { describe, expect, test } from 'vitest'
import { houseFolder, type SourceFile, sourceFiles } from './support/source-files.ts'

/** Folders whose text is product code; the simulator keeps its own words, so that no reader agrees with it by sharing them. */
const OUTSIDE = ['', 'test', 'bench', 'tools', 'datasets', 'docs', 'simulator']

/** Sets of words that may be written again, with the reason. */
const EXCEPTIONS: readonly { readonly path: RegExp; readonly words: RegExp; readonly reason: string }[] = [
  { path: /^warehouse\/tables\//, words: /_id|_at/, reason: 'columns of one table, whatever other tables have' },
  { path: /^trading\/store\/load-facts\.ts$/, words: /nonce|idempotency_key/, reason: 'in the order of its query' },
  { path: /^console\/parts\/chart-data\.ts$/, words: /valid/, reason: 'ranked: the worst state comes first' },
  { path: /^pipelines\/index\/exact\//, words: /last_trade/, reason: 'the exact engine checks the plain one' },
]

/** A set of words in the code: sorted, with its file and line. */
type Written = { readonly words: string; readonly path: string; readonly line: number }

describe('vocabularies', () => {
  const product = sourceFiles(['.ts', '.mjs']).filter(({ path }) => !OUTSIDE.includes(houseFolder(path)))

  test('a set of three or more words is written once: others import it, or derive from it', () => {
    const written = product.flatMap(wordSets).filter((found) => !isException(found))
    expect(written.length).toBeGreaterThan(300)
    expect(writtenTwice(written)).toEqual([])
  })

  test('a second copy is found, as an array or as a union, in any order', () => {
    const first = { path: 'a/x.ts', text: "export const A = ['one', 'two', 'three'] as const" }
    const second = { path: 'b/y.ts', text: "type B =\n  | 'three'\n  | 'two'\n  | 'one'" }
    const third = { path: 'b/z.ts', text: "type Part = Pick<Whole, 'three' | 'two' | 'one'>" }
    expect(writtenTwice([first, second, third].flatMap(wordSets))).toEqual(['one, three, two: a/x.ts:1, b/y.ts:2'])
  })
})

const WORD = `'(?:[^'\\\\\\n]|\\\\.)*'`
const ARRAY = new RegExp(`\\[\\s*${WORD}(?:\\s*,\\s*${WORD})+\\s*,?\\s*\\]`, 'g')
const UNION = new RegExp(`${WORD}(?:\\s*\\|\\s*${WORD})+`, 'g')
/** The compiler itself compares keys that are picked out of a type with the type. */
const PICKING = /\b(Pick|Omit|Extract|Exclude)<[^;{}]*$/

function wordSets({ path, text }: SourceFile): Written[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm, (comment) => comment.replace(/[^\n]/g, ' '))
  return [ARRAY, UNION].flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const words = new Set([...found.matchAll(new RegExp(WORD, 'g'))].map(([word]) => word.slice(1, -1)))
      const before = code.slice(0, index)
      if (words.size < 3 || PICKING.test(before.slice(-200))) return []
      return [{ words: [...words].sort().join(', '), path, line: before.split('\n').length }]
    }),
  )
}

function isException({ path, words }: Written): boolean {
  return EXCEPTIONS.some((exception) => exception.path.test(path) && exception.words.test(words))
}

/** Sets that occur in more than one file, with each occurrence. */
function writtenTwice(written: readonly Written[]): string[] {
  const by_words = new Map<string, Written[]>()
  for (const found of written) by_words.set(found.words, [...(by_words.get(found.words) ?? []), found])
  return [...by_words].flatMap(([words, found]) =>
    new Set(found.map(({ path }) => path)).size < 2
      ? []
      : [`${words}: ${found.map(({ path, line }) => `${path}:${line}`).join(', ')}`],
  )
}

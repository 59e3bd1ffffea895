import { describe, expect, test } from 'vitest'
import { proseLines, sentencesOf } from '../support/house/prose.ts'
import { sourceFiles } from '../support/source-files.ts'

/** Limits of CONTRIBUTING.md, "Language". */
const WORDS_MAX = 25
const COLUMNS_MAX = 120
/** British spellings of words whose American one the fields have. */
const BRITISH =
  /\w*(?:colour|behaviour|neighbour|labell(?:ed|ing)|licence|(?:author|normal|serial|recogn|summar|synchron|initial)is[ei])\w*/gi
/** Texts that are pinned by their hash, and the page that `npm run docs` makes. */
const EXEMPT = /^docs\/(methodology\/(index|rating|severity)-\d+|cli)\.md$/

const pages = sourceFiles(['.md']).filter(
  ({ path }) => /^(README|CONTRIBUTING)\.md$|^(docs|deploy)\//.test(path) && !EXEMPT.test(path),
)

describe.each(pages)('$path', ({ path, text }) => {
  test(`a sentence has at most ${WORDS_MAX} words`, () => {
    const long = sentencesOf(text).filter(({ words }) => words > WORDS_MAX)
    expect(long.map(({ line, words, text: sentence }) => `${path}:${line}: ${words} words: ${sentence}`)).toEqual([])
  })

  test(`a line has at most ${COLUMNS_MAX} columns`, () => {
    const long = proseLines(text).filter((line) => line.text.length > COLUMNS_MAX)
    expect(long.map(({ line, text: shown }) => `${path}:${line}: ${shown.length} columns: ${shown}`)).toEqual([])
  })

  test('spelling is American', () => {
    expect(proseLines(text).flatMap((line) => [...(line.text.match(BRITISH) ?? [])])).toEqual([])
  })
})

test('every page of the project that people read is checked', () => {
  const paths = pages.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/start/quant.md']))
  expect(paths).not.toContain('docs/cli.md')
  expect(paths).not.toContain('docs/methodology/index-2.md')
})

describe('sentences of a page', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
  const counts = (page: string) => sentencesOf(page).map((sentence) => sentence.words)

  test.each([
    ['lines of a paragraph are joined', `A ${words(12)}\n${words(13)}.`, [26]],
    [
      'sentences end at a stop before a capital, a digit, code or a link',
      'A b. C (d.) 4 e? `f` g! [H](i) j.',
      [2, 2, 2, 2, 2],
    ],
    [
      'no sentence ends within a name, a number or an abbreviation',
      'Read a.b.ts, 1.5 s, e.g. of x.y, and i.e. Z.',
      [10],
    ],
    ['inline code is one word, whatever is in it', 'Run `a b. C d` now.', [3]],
    ['targets of links and pictures are no words', '![A b](c/d.png)\n\nSee [the page](a/b.md).', [3]],
    ['each list item stands alone, with its further lines', `- a b\n  c\n- d\n1. e f`, [3, 1, 2]],
    [
      'no code, table, heading, comment or link target',
      '# A b\n\n```sh\nc d\n```\n\n| e f |\n\n<!-- g h -->\n\n    i j\n      - k\n\n[l]: m n',
      [],
    ],
    [
      'no part that is generated, no contents',
      '<!-- generated: x -->\na b\n<!-- end: x -->\nc\n\nContents: [d](#d) · [e f](#e-f)',
      [1],
    ],
    ['a fence inside a list hides its code', '- a\n  ```ts\n  b c d\n  ```\n  e f', [1, 2]],
  ])('%s', (_name, page, expected) => expect(counts(page)).toEqual(expected))

  test('a long sentence is named with the line of its paragraph', () => {
    const [, second] = sentencesOf(`First.\n\nA ${words(30)}.\n`)
    expect(second).toMatchObject({ line: 3, words: 31 })
  })

  test('lines in code and tables may be long', () => {
    const long = 'x '.repeat(80)
    const page = `${long}\n\n\`\`\`\n${long}\n\`\`\`\n\n| ${long} |\n- ${long}\n`
    expect(
      proseLines(page)
        .filter(({ text }) => text.length > COLUMNS_MAX)
        .map(({ line }) => line),
    ).toEqual([1, 8])
  })
})

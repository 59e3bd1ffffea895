import { describe, expect, test } from 'vitest'
import { houseFolder, type SourceFile, sourceFiles } from './support/source-files.ts'

/** One house rule that reading the code can check: what is not written, where, and what to write instead. */
type Rule = {
  readonly never: string
  readonly pattern: RegExp
  readonly instead: string
  readonly applies: (path: string) => boolean
}

const CODE = [
  'primitives',
  'vocabulary',
  'protocol',
  'pipelines',
  'api',
  'connectors',
  'simulator',
  'warehouse',
  'trading',
  'operations',
  'workflows',
  'report',
  'service',
  'cli',
]
const inFolders =
  (folders: readonly string[], except: readonly string[] = []) =>
  (path: string): boolean =>
    folders.includes(houseFolder(path)) && !except.includes(path)

const RULES: readonly Rule[] = [
  {
    never: 'process.env',
    pattern: /\bprocess\.env\b/,
    instead: 'a setting of service/configuration.ts, passed as an argument',
    applies: inFolders(CODE, ['service/configuration.ts']),
  },
  {
    never: 'a clock in pure code',
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bprocess\.hrtime|\bTemporal\.Now\b/,
    instead: 'an instant given as an argument',
    applies: inFolders(['primitives', 'pipelines', 'simulator']),
  },
  {
    never: 'Date in pure code',
    pattern: /\bnew Date\(|\bDate\.(UTC|parse)\(/,
    instead: 'the functions of primitives/instants.ts',
    applies: inFolders(['primitives', 'pipelines', 'connectors', 'simulator'], ['primitives/instants.ts']),
  },
  {
    never: 'randomness in pure code',
    pattern: /\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/,
    instead: 'an id derived from content (primitives/ids.ts) or a seed given as an argument',
    applies: inFolders(['primitives', 'pipelines', 'connectors', 'simulator']),
  },
  {
    never: 'floating point made from text or decimals',
    pattern: /\bparseFloat\(|\.toNumber\(\)|\bMath\.(exp|log|pow|sqrt)\(/,
    instead: 'Decimal (primitives/decimal.ts) or scaled integers (primitives/scaled.ts)',
    applies: inFolders(['primitives', 'pipelines', 'connectors', 'simulator', 'warehouse', 'operations']),
  },
  {
    never: 'a bare Error',
    pattern: /\bthrow new (Error|TypeError|RangeError)\(/,
    instead: 'ServiceError with a code of primitives/errors.ts, or invariant() for a bug',
    applies: inFolders(CODE),
  },
  {
    never: 'console output',
    pattern: /\bconsole\.\w+\(/,
    instead: 'the Output of service/output.ts',
    applies: inFolders(CODE),
  },
  {
    never: 'any, enum, namespace or a silenced compiler',
    pattern:
      /(?::|<|\bas) any\b|^\s*(export )?(const )?enum |^\s*(export )?namespace |@ts-(ignore|nocheck|expect-error)/m,
    instead: 'unknown and a check, a union of literals, a module, a right type',
    applies: inFolders([...CODE, 'test', 'bench', 'tools']),
  },
  {
    never: 'a test that is skipped, focused or repeated until it passes',
    pattern: /\b(test|it|describe)\.(only|todo|fails|skip|skipIf)\b|\bretry:\s*\d/,
    instead: 'a test that passes',
    applies: inFolders(['test']),
  },
]

const code = sourceFiles(['.ts', '.mjs']).filter((file) => file.path !== 'test/tidy.test.ts')

describe.each(RULES)('never $never', ({ pattern, instead, applies }) => {
  test(`write ${instead}`, () => {
    expect(code.filter((file) => applies(file.path)).flatMap((file) => placesOf(file, pattern))).toEqual([])
  })
})

test('SQL of the warehouse neither divides nor averages: DuckDB would answer in floating point', () => {
  const files = sourceFiles(['.sql'])
  expect(files.flatMap((file) => placesOf(file, /\/|\bavg\s*\(|::\s*(double|float|real)\b/i))).toEqual([])
})

test('every SQL file starts with a comment that says its purpose, and what it returns or is a template for', () => {
  const files = sourceFiles(['.sql'])
  expect(
    files.filter(({ text }) => !/^-- \S/.test(text) || !/^-- +(returns|template)/m.test(text)).map(({ path }) => path),
  ).toEqual([])
})

test('nothing is left to do in the text', () => {
  const files = sourceFiles(['.ts', '.mjs', '.sql', '.md', '.yaml', '.yml']).filter(
    (file) => file.path !== 'test/tidy.test.ts',
  )
  expect(files.flatMap((file) => placesOf(file, /\b(TODO|FIXME|XXX|HACK)\b/, file.text))).toEqual([])
})

test('the text speaks of the project alone: no absolute path of one machine', () => {
  const files = sourceFiles(['.ts', '.mjs', '.sql', '.md', '.yaml', '.yml', '.json', 'run']).filter(
    (file) => file.path !== 'test/tidy.test.ts' && file.path !== 'package-lock.json',
  )
  expect(files.flatMap((file) => placesOf(file, /(?<![\w.])\/(work|home|Users|root)\/\w/, file.text))).toEqual([])
})

const FUNCTION_LINES_MAX = 70

test(`no function has more than ${FUNCTION_LINES_MAX} lines of its own, functions inside it apart`, () => {
  const house = code.filter((file) => [...CODE, 'tools', 'bench'].includes(houseFolder(file.path)))
  const long = house.flatMap((file) => longFunctions(file))
  expect(long).toEqual([])
})

test('a doc block begins with a noun phrase or a verb', () => {
  const odd = /^\s*\/\*\*(?:\s*\n\s*\*)?\s*(?:What|Who|Whom|Whose|Of|So|As|Where|How)\b.*$/gm
  const house = code.filter((file) => houseFolder(file.path) !== 'test')
  expect(
    house.flatMap((file) => [...file.text.matchAll(odd)].map(([block]) => `${file.path}: ${block.trim()}`)),
  ).toEqual([])
})

test('every exported function says what it does', () => {
  const house = code.filter((file) => CODE.includes(houseFolder(file.path)))
  expect(house.flatMap((file) => undocumentedExports(file))).toEqual([])
})

/** `path:line: text` of every line that matches, by itself outside comments. */
function placesOf(file: SourceFile, pattern: RegExp, text: string = withoutComments(file)): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, position) => (pattern.test(line) ? [`${file.path}:${position + 1}: ${line.trim()}`] : []))
}

/** Comments become blank lines, so that line numbers stay. */
function withoutComments({ path, text }: SourceFile): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, '')
  if (path.endsWith('.sql')) return text.replace(/--.*/g, '')
  if (!/\.(ts|mjs)$/.test(path)) return text
  return text.replace(/(?<![^\s])\/\*[\s\S]*?\*\//g, blank).replace(/(?<=^|\s)\/\/ .*/g, blank)
}

type FunctionSpan = { readonly start: number; readonly end: number }

function longFunctions(file: SourceFile): string[] {
  const spans = functionsOf(file.text)
  return spans.flatMap((span) => {
    const inside = spans.filter(({ start, end }) => start > span.start && end < span.end)
    const direct = inside.filter((one) => !inside.some(({ start, end }) => start < one.start && one.end < end))
    const own = direct.reduce((lines, one) => lines - linesOf(one), linesOf(span))
    return own > FUNCTION_LINES_MAX ? [`${file.path}:${span.start + 1}: ${own} lines`] : []
  })
}

function linesOf({ start, end }: FunctionSpan): number {
  return end - start + 1
}

const HEADER =
  /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\b.*[{(]|(?:const|let) \w+.*(?:=> \{|= (?:async )?\()|\*?\w+\(.*[{(])$/

/** Functions by their indentation, which the formatter guarantees: from the header to the `}` below it that opens nothing. */
function functionsOf(text: string): FunctionSpan[] {
  const lines = text.split('\n')
  return lines.flatMap((line, start) => {
    const indent = HEADER.exec(line)?.[1]
    if (indent === undefined || /^\s*(if|for|while|switch|return|await)\b/.test(line)) return []
    const end = lines.findIndex(
      (close, place) => place > start && close.startsWith(`${indent}}`) && !close.endsWith('{'),
    )
    return end < 0 ? [] : [{ start, end }]
  })
}

function undocumentedExports({ path, text }: SourceFile): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, position) => {
    const exported = /^export (?:default )?(?:async )?function\*? (\w+)/.exec(line)
    if (exported === null || /\*\/\s*$/.test(lines[position - 1] ?? '')) return []
    return [`${path}:${position + 1}: ${exported[1]}`]
  })
}

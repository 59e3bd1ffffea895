import { describe, expect, test } from 'vitest'
import { commentsThatBeginOddly } from './support/house/comment-starts.ts'
import { PRODUCT_FOLDERS, PURE_FOLDERS } from './support/house/folders.ts'
import { madeWhenLoaded } from './support/house/made-when-loaded.ts'
import { lineAt, type Node, visitNodes } from './support/house/parsed-source.ts'
import { houseFolder, type SourceFile, sourceFiles } from './support/source-files.ts'

/** One house rule that reading the code can check: what is not written, where, and what to write instead. */
type Rule = {
  readonly never: string
  readonly pattern: RegExp
  readonly instead: string
  readonly applies: (path: string) => boolean
}

const CODE = PRODUCT_FOLDERS
/** Folders that read no clock and hold no randomness: see PURE_FOLDERS. */
const inPure = (path: string): boolean =>
  [...PURE_FOLDERS, 'protocol/', 'simulator/'].some((folder) => path.startsWith(folder))

/** The one clock, which only shells call. */
const WALL_CLOCK = 'primitives/wall-clock.ts'

/** Files that calculate in floating point: no price, quantity, weight, level or money. */
const FLOATING: readonly string[] = []

const inFolders =
  (folders: readonly string[], except: readonly string[] = []) =>
  (path: string): boolean =>
    folders.includes(houseFolder(path)) && !except.includes(path)

const RULES: readonly Rule[] = [
  {
    never: 'process.env',
    pattern: /\bprocess\b\W{1,4}env\b|\benv\b.*\}\s*=\s*process\b|\bfrom '(node:)?process'/,
    instead: 'a setting of service/configuration.ts, passed as an argument',
    // The launcher's variable is no setting: a process tells those that it starts what it runs.
    applies: inFolders(CODE, ['service/configuration.ts', 'launch/compiled-entry.mjs']),
  },
  {
    never: 'a clock in pure code',
    pattern:
      /\bDate\.now\b|\bnew Date\(\)|\bperformance\.(now|timeOrigin)|\bprocess\.(hrtime|uptime)|\bTemporal\.Now\b|\bset(Timeout|Interval|Immediate)\(|\bwallClock\b/,
    instead: 'an instant given as an argument',
    applies: (path) => inPure(path) && path !== WALL_CLOCK,
  },
  {
    never: 'a second wall clock',
    pattern: /\bDate\.now\(\) \* 1_?000\b/,
    instead: 'wallClock of primitives/wall-clock.ts; workflows have a clock of their own',
    applies: inFolders(CODE, [WALL_CLOCK, 'workflows/review.ts', 'workflows/backfill-course.ts']),
  },
  {
    never: 'Date in pure code',
    pattern: /\bnew Date\(|\bDate\.(UTC|parse)\(/,
    instead: 'the functions of primitives/instants.ts',
    applies: inFolders(['primitives', 'pipelines', 'connectors', 'simulator'], ['primitives/instants.ts']),
  },
  {
    never: 'randomness in pure code',
    pattern: /\bMath\.random\b|\brandom(UUID|Bytes|Int|FillSync|Fill)\b|\bgetRandomValues\b/,
    instead: 'an id derived from content (primitives/ids.ts) or a seed given as an argument',
    applies: (path) => inPure(path) || houseFolder(path) === 'connectors',
  },
  {
    never: 'floating point made from text or decimals',
    pattern: /\bparseFloat\(|\.toNumber\(\)|\bMath\.(exp|log|pow|sqrt)\(/,
    instead: 'Decimal (primitives/decimal.ts) or scaled integers (primitives/scaled.ts)',
    applies: (path) =>
      inFolders(CODE)(path) && !['console', 'report', 'launch'].includes(houseFolder(path)) && !FLOATING.includes(path),
  },
  {
    never: 'a bare Error',
    pattern: /\bthrow new (Error|TypeError|RangeError)\(/,
    instead: 'ServiceError with a code of primitives/error-codes.ts, or invariant() for a bug',
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
    pattern: /\b(test|it|describe)\.(only|todo|fails|skip|skipIf)\b|\bretry:\s*\d|\bskip\(/,
    instead: 'a test that passes',
    applies: inFolders(['test']),
  },
  {
    never: 'a snapshot of current behavior',
    pattern: /\btoMatch(\w*)Snapshot\(|\btoThrowErrorMatching\w*Snapshot\(/,
    instead: 'the expected value, with the rule it follows from',
    applies: inFolders(['test']),
  },
  {
    never:
      "an instant of the system's clock, in milliseconds, beside those of a warehouse or a service, in microseconds",
    pattern: /\bnew Date\(\)|\bDate\.now\(\) \* 1_?000\b/,
    instead: 'now() of the warehouse, an instant of an answer, or wallClock of primitives/wall-clock.ts',
    applies: inFolders(['test']),
  },
  {
    never: "fast-check's texts of any character, which keep a map of a million characters in the process",
    pattern: /\bunit: 'binary'/,
    instead: 'anyText of test/support/any-text.ts',
    applies: inFolders(['test']),
  },
]

/** Endings of the files that people read. */
const TEXTS = ['.ts', '.mjs', '.sql', '.md', '.yaml', '.yml', '.py', '.css', '.svg', '.sh', '.go', '.ipynb']

const code = sourceFiles(['.ts', '.mjs']).filter((file) => file.path !== 'test/tidy.test.ts')

describe.each(RULES)('never $never', ({ pattern, instead, applies }) => {
  test(`write ${instead}`, () => {
    expect(code.filter((file) => applies(file.path)).flatMap((file) => placesOf(file, pattern))).toEqual([])
  })
})

test('what a module that test files share is for is made by a function, for each file anew', () => {
  expect(code.flatMap(madeWhenLoaded)).toEqual([])
  const planted = { path: 'test/support/x.ts', text: 'const a = tempFolder()\nexport const b = () => tempFolder()\n' }
  expect(madeWhenLoaded(planted)).toEqual(['test/support/x.ts:1: tempFolder'])
})

/** Changes of a process that files share, each with what ends it. */
const ENDED_BY = {
  useFakeTimers: 'useRealTimers',
  stubEnv: 'unstubAllEnvs',
  stubGlobal: 'unstubAllGlobals',
} as const

test.each(Object.entries(ENDED_BY))('a file that uses vi.%s ends it by vi.%s', (begins, ends) => {
  const files = code.filter(({ path, text }) => houseFolder(path) === 'test' && text.includes(`vi.${begins}(`))
  expect(files.filter(({ text }) => !text.includes(`vi.${ends}(`)).map(({ path }) => path)).toEqual([])
})

test('SQL of the warehouse neither divides nor averages: DuckDB would answer in floating point', () => {
  const files = sourceFiles(['.sql'])
  expect(files.flatMap((file) => placesOf(file, /\/|\bavg\s*\(|::\s*(double|float|real)\b/i))).toEqual([])
})

test('no text of SQL in the code divides or averages either', () => {
  const found = code
    .filter(({ path, text }) => inFolders(CODE)(path) && /['"`]\s*(select|with|insert|update|delete)\s/i.test(text))
    .flatMap((file) => {
      const places: string[] = []
      visitNodes(file, (node) => {
        const sql = sqlOf(node)
        if (/\bavg\s*\(|[\w)]\s*\/\s*[\w(]|::\s*(double|float|real)\b/i.test(sql))
          places.push(`${file.path}:${lineAt(file.text, node.start)}: ${sql.trim()}`)
      })
      return places
    })
  expect(found).toEqual([])
})

/** Folders of SQL that is read as a whole. */
const WHOLE_FOLDERS = /^trading\/(migrations|invariants)\/|^trading\/schema\.sql$/

test('every SQL file is named by the code', () => {
  const named = new Set(
    code.flatMap(({ text }) => [...text.matchAll(/(\w+)\.sql\b|'(\w+)'/g)].map(([, file, name]) => file ?? name)),
  )
  const files = sourceFiles(['.sql']).filter(({ path }) => !WHOLE_FOLDERS.test(path))
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, -'.sql'.length)
  expect(files.map(({ path }) => path).filter((path) => !named.has(nameOf(path)))).toEqual([])
})

test('every SQL file starts with a comment that says its purpose, and what it returns or is a template for', () => {
  const files = sourceFiles(['.sql'])
  expect(
    files.filter(({ text }) => !/^-- \S/.test(text) || !/^-- +(returns|template)/m.test(text)).map(({ path }) => path),
  ).toEqual([])
})

test('nothing is left to do in the text', () => {
  const files = sourceFiles([...TEXTS]).filter((file) => file.path !== 'test/tidy.test.ts')
  expect(files.flatMap((file) => placesOf(file, /\b(TODO|FIXME|XXX|HACK)\b/, file.text))).toEqual([])
})

test('the text speaks of the project alone: no absolute path of one machine', () => {
  const files = sourceFiles([...TEXTS, '.json', 'run']).filter(
    (file) => file.path !== 'test/tidy.test.ts' && file.path !== 'package-lock.json',
  )
  expect(files.flatMap((file) => placesOf(file, /(?<![\w.])\/(work|home|Users|root)\/\w/, file.text))).toEqual([])
})

const FUNCTION_LINES_MAX = 70
/** A story of a test may be told in one piece. */
const TEST_LINES_MAX = 100

test(`no function has more than ${FUNCTION_LINES_MAX} lines of its own, functions inside it apart`, () => {
  // A shorter file has no such function, and most are shorter: parsing them all takes seconds.
  const checked = code.filter(
    ({ path, text }) => houseFolder(path) !== '' && lineAt(text, text.length) > FUNCTION_LINES_MAX,
  )
  expect(checked.flatMap((file) => longFunctions(file))).toEqual([])
})

test('a function that is too long is found, however it is written', () => {
  const body = '  work()\n'.repeat(FUNCTION_LINES_MAX)
  const texts = [`function f() {\n${body}}`, `const f = () => {\n${body}}`, `use('f', async () => {\n${body}})`]
  const found = texts.map((text) => longFunctions({ path: 'console/x.ts', text }))
  expect(found).toEqual(texts.map(() => [`console/x.ts:1: ${FUNCTION_LINES_MAX + 2} lines`]))
  const parts = `function f() {\n  function g() {\n${body.slice(9 * 2)}  }\n${body.slice(9 * 2)}}`
  expect(longFunctions({ path: 'console/x.ts', text: parts })).toEqual([])
})

test('a comment begins with a noun phrase or a verb', () => {
  const house = code.filter((file) => houseFolder(file.path) !== 'test')
  expect(house.flatMap(commentsThatBeginOddly)).toEqual([])
})

test('every exported function says what it does', () => {
  const house = code.filter((file) => CODE.includes(houseFolder(file.path)))
  expect(house.flatMap((file) => undocumentedExports(file))).toEqual([])
})

/** `path:line: text` of every line that matches, by itself outside comments. */
function placesOf(file: SourceFile, pattern: RegExp, text: string = withoutComments(file)): string[] {
  // Most files have no such line; to search them whole takes a tenth of the time.
  if (!new RegExp(pattern, `${pattern.flags.replace('m', '')}m`).test(text)) return []
  const lines = text.split('\n')
  return lines.flatMap((line, position) => (pattern.test(line) ? [`${file.path}:${position + 1}: ${line.trim()}`] : []))
}

/** Texts without comments, which each rule asks for. */
const bare = new WeakMap<SourceFile, string>()

/** Comments become blank lines, so that line numbers stay. */
function withoutComments(file: SourceFile): string {
  const text = bare.get(file) ?? blankComments(file)
  bare.set(file, text)
  return text
}

function blankComments({ path, text }: SourceFile): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, '')
  if (path.endsWith('.sql')) return text.replace(/--.*/g, '')
  if (!/\.(ts|mjs)$/.test(path)) return text
  return text.replace(/(?<![^\s])\/\*[\s\S]*?\*\//g, blank).replace(/(?<=^|\s)\/\/ .*/g, blank)
}

type FunctionSpan = { readonly start: number; readonly end: number; readonly apart: boolean }

function longFunctions(file: SourceFile): string[] {
  const lines_max = file.path.startsWith('test/') ? TEST_LINES_MAX : FUNCTION_LINES_MAX
  if (file.text.split('\n').length <= lines_max) return []
  const spans = functionsOf(file)
  // Few are that long with all that is inside them.
  const long = spans.filter((span) => linesOf(span) > lines_max)
  return long.flatMap((span) => {
    const inside = spans.filter(({ start, end, apart }) => apart && start > span.start && end < span.end)
    const direct = inside.filter((one) => !inside.some(({ start, end }) => start < one.start && one.end < end))
    const own = direct.reduce((lines, one) => lines - linesOf(one), linesOf(span))
    return own > lines_max ? [`${file.path}:${span.start}: ${own} lines`] : []
  })
}

function linesOf({ start, end }: FunctionSpan): number {
  return end - start + 1
}

/** Functions by their lines; apart from the function around them are those with a name, and the tests of a group of tests. */
function functionsOf(file: SourceFile): FunctionSpan[] {
  const spans: FunctionSpan[] = []
  visitNodes(file, (node, around) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    const named = node.type === 'FunctionDeclaration' || !/^(CallExpression|NewExpression)$/.test(around.at(-1)!.type)
    const [start, end] = [lineAt(file.text, node.start), lineAt(file.text, node.end)]
    spans.push({ start, end, apart: named || file.path.startsWith('test/') })
  })
  return spans
}

/** Text of SQL in a string or a part of a template; '' for any other node. */
function sqlOf({ type, value }: Node): string {
  const text = type === 'TemplateElement' ? (value as { readonly cooked: string }).cooked : value
  const is_text = type === 'TemplateElement' || type === 'Literal'
  return is_text && typeof text === 'string' && /^\s*(select|with|insert|update|delete)\s/i.test(text) ? text : ''
}

function undocumentedExports({ path, text }: SourceFile): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, position) => {
    const exported = /^export (?:default )?(?:async )?function\*? (\w+)/.exec(line)
    if (exported === null || /\*\/\s*$/.test(lines[position - 1] ?? '')) return []
    return [`${path}:${position + 1}: ${exported[1]}`]
  })
}

import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { SourceFile } from '../source-files.ts'

/** A node of the syntax tree: its kind, its span in UTF-16 units, and the fields of its kind. */
export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** One import of a file: at load time, of types alone, or by `import()`; `names` are those it takes, '*' for all. */
export type Import = {
  readonly specifier: string
  readonly kind: 'load' | 'type' | 'late'
  readonly names: readonly string[]
}

const parsed = new Map<string, ReturnType<typeof parseSync>>()

function parse({ path, text }: SourceFile): ReturnType<typeof parseSync> {
  const key = `${path}\n${text}`
  const known = parsed.get(key)
  if (known !== undefined) return known
  const result = parseSync(path, text)
  parsed.set(key, result)
  return result
}

/** Every module that a file names in `import`, `export ... from`, `import()` or the type `import()`. */
export function importsOf(file: SourceFile): Import[] {
  const { module } = parse(file)
  const fixed = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    kind: kindOf(entries),
    names: entries.map(({ importName }) => importName.name ?? '*'),
  }))
  const passed_on = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      entry.moduleRequest
        ? [{ specifier: entry.moduleRequest.value, kind: kindOf([entry]), names: [entry.importName.name ?? '*'] }]
        : [],
    ),
  )
  const late = module.dynamicImports.map(({ moduleRequest }) => file.text.slice(moduleRequest.start, moduleRequest.end))
  const typed = [...file.text.matchAll(/\bimport\(\s*('[^'\n]+')/g)].map(([, quoted]) => quoted!)
  const quoted = [...new Set([...late, ...typed])].filter((text) => /^['"]/.test(text))
  return [
    ...fixed,
    ...passed_on,
    ...quoted.map((text) => ({ specifier: text.slice(1, -1), kind: 'late' as const, names: ['*'] })),
  ]
}

function kindOf(entries: readonly { readonly isType: boolean }[]): 'load' | 'type' {
  return entries.length > 0 && entries.every(({ isType }) => isType) ? 'type' : 'load'
}

/** Paths from the root of the files of ours that a file imports, of the kinds asked for. */
export function importedFiles(file: SourceFile, kinds: readonly Import['kind'][] = ['load', 'type', 'late']): string[] {
  return importsOf(file)
    .filter(({ specifier, kind }) => specifier.startsWith('.') && kinds.includes(kind))
    .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier))
}

/** Calls `visit` with every node of a file and the nodes around it, innermost last. */
export function visitNodes(file: SourceFile, visit: (node: Node, around: readonly Node[]) => void): void {
  const around: Node[] = []
  const walk = (node: Node): void => {
    visit(node, around)
    around.push(node)
    for (const key in node) eachNode(node[key], walk)
    around.pop()
  }
  walk(parse(file).program as unknown as Node)
}

function eachNode(value: unknown, walk: (node: Node) => void): void {
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) for (const item of value) eachNode(item, walk)
  else if (typeof (value as Node).type === 'string') walk(value as Node)
}

/** Comments of a file: text between the marks, and where it begins. */
export function commentsOf(file: SourceFile): readonly { type: 'Block' | 'Line'; value: string; start: number }[] {
  return parse(file).comments
}

/** Line number of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

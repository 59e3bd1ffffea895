import type { SourceFile } from '../source-files.ts'
import { lineAt, type Node, visitNodes } from './parsed-source.ts'

/** Functions that make or start something that is removed or ended after the tests of one file. */
const MAKES =
  /^(tempFolder|withDatabase|open(ed)?\w*Warehouses?|\w+Warehouse|mkdtemp(Sync)?|mkdir(Sync)?|writeFile(Sync)?|cp(Sync)?|start[A-Z]\w*|openBrowser|spawn\w*|fork|createServer|(before|after)(All|Each))$/

/** Scripts that run as processes of their own, and set-up files, which Vitest loads again for each test file. */
const OWN_PROCESS = /\/children\/|-child\.ts$|-main\.ts$|^test\/support\/run\/processor-time\.ts$/

/**
 * Returns `path:line: call` of each such call that a module shared by test files makes when it is loaded. Files of tests share
 * processes, so it is loaded once: the first file that imports it removes what the others still use.
 */
export function madeWhenLoaded(file: SourceFile): string[] {
  if (!/^test\/.*\.ts$/.test(file.path) || file.path.endsWith('.test.ts') || OWN_PROCESS.test(file.path)) return []
  const found: string[] = []
  visitNodes(file, (node, around) => {
    const name = calleeOf(node)
    if (name === null || !MAKES.test(name) || around.some(({ type }) => /Function/.test(type))) return
    found.push(`${file.path}:${lineAt(file.text, node.start)}: ${name}`)
  })
  return found
}

function calleeOf({ type, callee }: Node): string | null {
  if (type !== 'CallExpression') return null
  const { name, property } = callee as { readonly name?: string; readonly property?: { readonly name?: string } }
  return name ?? property?.name ?? null
}

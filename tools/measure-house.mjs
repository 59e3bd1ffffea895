// `npm run measure:house [FOLDER]`: the size and order of the code in numbers, one line each, of this checkout or another one.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const OUTSIDE = /^(test|bench|tools|datasets|docs)\//
const root = process.argv[2] ?? '.'
const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const texts = new Map(
  listed
    .filter((path) => /\.(ts|mjs|sql)$/.test(path) && existsSync(join(root, path)))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)
const product = [...texts].filter(([path]) => !OUTSIDE.test(path))

const naming = (word) => product.filter(([path, text]) => /\.(ts|sql)$/.test(path) && text.includes(word)).length
/** A word with which no doc block begins (CONTRIBUTING.md, "Language"). */
const ODD_START = /^\s*\/\*\*(?:\s*\n\s*\*)?\s*(What|Who|Whom|Whose|Of|So|As|Where|How)\b/gm

const rows = {
  'product files naming cancel_on_pause': naming('cancel_on_pause'),
  'product files naming maximum_notional': naming('maximum_notional'),
  'files linked in the walk of one quote': linkedFiles('docs/internals/one-quote.md'),
  'files linked in the walk of one order': linkedFiles('docs/internals/one-order.md'),
  'unused exports and types': unused('exports,types', []),
  'files reached by no entry of the product': unused('files', ['--production']),
  'import cycles, type imports included': cycles().length,
  'doc blocks that begin with What, Who, Of, So, As, Where or How': product.reduce(
    (sum, [, text]) => sum + [...text.matchAll(ODD_START)].length,
    0,
  ),
  'product lines': product.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0),
  'product files': product.length,
  'product files under 30 lines': product.filter(([, text]) => text.split('\n').length <= 30).length,
}
for (const [name, value] of Object.entries(rows)) console.log(`${String(value ?? '-').padStart(8)}  ${name}`)
for (const cycle of cycles()) console.log(`cycle: ${cycle.join(' ')}`)

function linkedFiles(page) {
  if (!existsSync(join(root, page))) return null
  const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\((\.\.\/[^)#]+\.(?:ts|sql))\)/g)
  return new Set([...links].map((match) => match[1])).size
}

/** Findings of knip of some kinds; null where the checkout has no configuration of it. */
function unused(include, more) {
  if (!existsSync(join(root, 'knip.config.ts'))) return null
  const knip = join(root, 'node_modules/.bin/knip')
  const { stdout } = spawnSync(knip, ['--no-progress', '--include', include, '--reporter', 'json', ...more], {
    cwd: root,
    encoding: 'utf8',
  })
  const { issues } = JSON.parse(stdout)
  return issues.reduce(
    (sum, issue) => sum + include.split(',').reduce((n, kind) => n + (issue[kind]?.length ?? 0), 0),
    0,
  )
}

/** Groups of product files that import each other, by Tarjan's algorithm. */
function cycles() {
  const imports = (path) =>
    [...texts.get(path).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
      .map((match) => posix.join(posix.dirname(path), match[1]))
      .filter((target) => texts.has(target))
  const order = new Map()
  const low = new Map()
  const stack = []
  const groups = []
  const visit = (path) => {
    order.set(path, order.size)
    low.set(path, order.get(path))
    stack.push(path)
    for (const target of imports(path)) {
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) low.set(path, Math.min(low.get(path), low.get(target)))
    }
    if (low.get(path) !== order.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1) groups.push(group)
  }
  for (const [path] of product) if (!order.has(path)) visit(path)
  return groups
}

// `npm run measure:house [FOLDER]`: the size and order of the code in numbers, one line each, of this checkout or another one.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commentsThatBeginOddly } from '../test/support/house/comment-starts.ts'
import { importCycles } from '../test/support/house/import-cycles.ts'
import { importedFiles } from '../test/support/house/parsed-source.ts'

const OUTSIDE = /^(test|bench|tools|datasets|docs)\//
const root = process.argv[2] ?? '.'
const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
const texts = new Map(
  listed
    .filter((path) => /\.(ts|mjs|sql)$/.test(path) && existsSync(join(root, path)))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)
const product = [...texts].filter(([path]) => !OUTSIDE.test(path))

const naming = (word: string): number =>
  product.filter(([path, text]) => /\.(ts|sql)$/.test(path) && new RegExp(`\\b${word}\\b`).test(text)).length
const code = product.filter(([path]) => !path.endsWith('.sql')).map(([path, text]) => ({ path, text }))
const cycles = importCycles(new Map(code.map((file) => [file.path, importedFiles(file)])))

const rows = {
  'product files naming cancel_on_pause': naming('cancel_on_pause'),
  'product files naming maximum_notional': naming('maximum_notional'),
  'files linked in the walk of one quote': linkedFiles('docs/internals/one-quote.md'),
  'files linked in the walk of one order': linkedFiles('docs/internals/one-order.md'),
  'unused exports and types': unused('exports,types', []),
  'files reached by no entry of the product': unused('files', ['--production']),
  'import cycles, type imports included': cycles.length,
  'comments that begin with What, Which, Who, Of, So or How': code.flatMap(commentsThatBeginOddly).length,
  'product lines': product.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0),
  'product files': product.length,
  'product files under 30 lines': product.filter(([, text]) => text.split('\n').length <= 30).length,
}
for (const [name, value] of Object.entries(rows)) console.log(`${String(value ?? '-').padStart(8)}  ${name}`)
for (const cycle of cycles) console.log(`cycle: ${cycle.join(' ')}`)

function linkedFiles(page: string): number | null {
  if (!existsSync(join(root, page))) return null
  const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\((\.\.\/[^)#]+\.(?:ts|sql))\)/g)
  return new Set([...links].map((match) => match[1])).size
}

/** Findings of knip of some kinds; null where the checkout has no configuration of it. */
function unused(include: string, more: readonly string[]): number | null {
  if (!existsSync(join(root, 'knip.config.ts'))) return null
  const knip = join(root, 'node_modules/.bin/knip')
  const { stdout } = spawnSync(knip, ['--no-progress', '--include', include, '--reporter', 'json', ...more], {
    cwd: root,
    encoding: 'utf8',
  })
  const { issues } = JSON.parse(stdout) as { issues: readonly Record<string, readonly unknown[]>[] }
  return issues.reduce(
    (sum, issue) => sum + include.split(',').reduce((n, kind) => n + (issue[kind]?.length ?? 0), 0),
    0,
  )
}

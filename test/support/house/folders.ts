import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../source-files.ts'

/** Text of docs/architecture.md, whose table of arrows the tests read. */
export const ARCHITECTURE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')

/** Arrows of the table in docs/architecture.md: which folder may import which; itself is always allowed. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = readArrows(ARCHITECTURE)

/** Folders of the product. */
export const PRODUCT_FOLDERS = Object.keys(MAY_IMPORT)

/** Folders that look at the product from outside; they may import all of it and nobody imports them. */
export const OUTSIDE_FOLDERS = ['test', 'bench', 'tools']

/** Paths whose decisions a replay repeats; `auth/`, `service/` and `store/` are the trading core's shell. */
export const PURE_FOLDERS = [
  'primitives/',
  'vocabulary/',
  'pipelines/',
  'trading/engine/',
  'trading/ledger/',
  'trading/market/',
  'trading/matching/',
  'trading/order/',
  'trading/projections/',
  'trading/public-market/',
  'trading/would-fill/',
]

/** Reads the arrows out of the rows `| folders | may import |` of a page. */
export function readArrows(page: string): Record<string, string[]> {
  const table = page.slice(page.indexOf('| folder | may import |'))
  const rows = [...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| (`.+`) \| (.+) \|$/gm)].flatMap(
    ([, folders, targets]) => [...folders!.matchAll(/`(\w+)\/`/g)].map(([, folder]) => [folder!, targets!] as const),
  )
  const all = rows.map(([folder]) => folder)
  return Object.fromEntries(rows.map(([folder, targets]) => [folder, targetsOf(targets, all)]))
}

function targetsOf(cell: string, all: readonly string[]): string[] {
  if (cell === 'nothing of ours') return []
  const except = /^all except (.+)$/.exec(cell)
  if (except !== null) return all.filter((folder) => !except[1]!.split(' and ').includes(folder))
  return cell.split(', ').map((target) => target.replace(' (types)', ''))
}

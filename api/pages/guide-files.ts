import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from '../../primitives/once.ts'

/** Root of the project: its documents are served as they are written. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Pages beside docs/ that guides lead to. */
const BESIDE = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'client/README.md',
  'client/verifier/README.md',
  'datasets/README.md',
  'datasets/vectors/README.md',
  'deploy/README.md',
]

/** Files that pages show or offer, by path in the project, with the address of those that have one of their own. */
const SERVED_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/api/openapi.json': '/openapi.json',
  'docs/api/asyncapi.json': '/asyncapi.json',
  'docs/README.md': '/docs',
  'docs/errors.md': '/docs/errors',
}
const FILE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.ipynb': 'application/json; charset=utf-8',
}
const FILE_FOLDERS = ['docs/api', 'docs/images', 'docs/schemas', 'docs/notebooks', 'datasets/vectors', 'datasets/log']

/** Returns the path in the project of every guide, sorted; those that an installation does not have are left out. */
export const guidePaths = once((): readonly string[] => {
  const of_docs = readdirSync(new URL('../../docs/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
  const beside = BESIDE.filter((path) => existsSync(posix.join(ROOT, path)))
  return [...of_docs, ...beside].filter((path) => !(path in SERVED_ELSEWHERE)).sort()
})

/** Returns the path of every file that guides show or offer. */
const filePaths = once((): ReadonlySet<string> => {
  const found = FILE_FOLDERS.flatMap((folder) =>
    readdirSync(posix.join(ROOT, folder)).map((name) => posix.join(folder, name)),
  )
  return new Set(found.filter((path) => posix.extname(path) in FILE_TYPES))
})

/** Returns the text of a document of the project. */
export function readDocument(path: string): string {
  return readFileSync(posix.join(ROOT, path), 'utf8')
}

/** Returns a file that guides show or offer; null: there is none of this name. @param name  path, without docs/ at its start */
export function readGuideFile(name: string): { readonly type: string; readonly content: Buffer } | null {
  const path = [`docs/${name}`, name].find((one) => filePaths().has(one))
  if (path === undefined) return null
  return { type: FILE_TYPES[posix.extname(path)]!, content: readFileSync(posix.join(ROOT, path)) }
}

/** Returns the name of a guide in addresses: its path without `docs/` and `.md`, such as start/quant. */
export function guideName(path: string): string {
  return path.replace(/^docs\//, '').replace(/\.md$/, '')
}

/** Returns the guide of a name; null: there is none. */
export function guidePathOf(name: string): string | null {
  return guidePaths().find((path) => guideName(path) === name) ?? null
}

/**
 * Returns where a link of a document leads on the site: a page or file of it, another host, or a section of the same page.
 * null: the project has the file and the site does not, such as a source file.
 * @param from  path of the document in the project
 */
export function siteTarget(from: string, link: string): string | null {
  if (link.startsWith('#')) return link
  if (/^https?:/.test(link)) return ownAddress(link)
  const [file = '', anchor] = link.split('#')
  const path = posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(file)))
  const section = anchor === undefined ? '' : `#${anchor}`
  const elsewhere = SERVED_ELSEWHERE[path]
  if (elsewhere !== undefined) return elsewhere
  if (guidePaths().includes(path)) return `/docs/guides/${guideName(path)}${section}`
  return filePaths().has(path) ? `/docs/files/${path.replace(/^docs\//, '')}` : null
}

/** Makes the address of a local service one of this service. */
function ownAddress(link: string): string {
  return link.replace(/^http:\/\/127\.0\.0\.1:8080(?=\/|$)/, '')
}

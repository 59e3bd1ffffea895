import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root of the checkout. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const NOT_OURS = new Set(['node_modules', '.git', '.tidemark', '.nightly', 'coverage', 'reports', 'dist'])
/** Its sets are the work of others; only its README is ours. */
const RECORDED = join(ROOT, 'datasets/recorded')

/** A file of the project: path from the root with forward slashes, and its text. */
export type SourceFile = { readonly path: string; readonly text: string }

/** Every file of the project whose name ends with one of `endings`, in path order. */
export function sourceFiles(endings: readonly string[], folder: string = ROOT): SourceFile[] {
  return listFiles(folder)
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path: relative(ROOT, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** First part of a path: the folder of the house that a file lives in; '' for a file in the root. */
export function houseFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return folder === RECORDED ? [] : listFiles(path)
    return entry.isFile() ? [path] : []
  })
}

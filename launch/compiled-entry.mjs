import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A checkout: the entries of processes and threads, and the source folders that they are compiled from. */
export const CHECKOUT = {
  root: fileURLToPath(new URL('..', import.meta.url)),
  /** Environment variable by which a process tells those that it starts which folder it began from. */
  told_by: 'TIDEMARK_COMPILED',
  /** Each entry is one script, so it has no top-level `await`. */
  are_scripts: true,
  /** Compiled together when the first is asked for. */
  entries: [
    'cli/main.ts',
    'operations/import/import-worker.ts',
    'operations/import/keeper-worker.ts',
    'trading/auth/recover-worker.ts',
    'warehouse/read/sql-process.ts',
    'warehouse/reader/history/query-process.ts',
  ],
  sources: [
    'api',
    'cli',
    'client',
    'connectors',
    'launch',
    'operations',
    'pipelines',
    'primitives',
    'protocol',
    'report',
    'service',
    'simulator',
    'trading',
    'vocabulary',
    'warehouse',
    'workflows',
  ],
}

/** Compiled versions kept: a process started from older files may still load more of them. */
const KEPT = 10
const KEPT_MS = 86_400_000

/**
 * Returns the compiled file of an entry, which starts in a third of the time of the TypeScript. All entries are compiled on the
 * first request after a source has changed; like make, it detects a change by size and time.
 * @param entry URL of a TypeScript file
 * @returns     URL of a file in node_modules/.cache; null: nothing can be written there, or this user cannot read it
 * @throws      an error of esbuild for a source with errors
 */
export async function compiledEntry(entry, checkout = CHECKOUT) {
  const { root } = checkout
  const folder = compiledFolder(checkout)
  if (!existsSync(folder) && !(await compile(checkout, folder))) return null
  const file = join(folder, relative(root, fileURLToPath(entry)).replace(/\.ts$/, '.mjs'))
  return canRead(file) ? pathToFileURL(file) : null
}

/** Returns whether this user reads a file: an earlier release kept its files to the user who installed it. */
function canRead(file) {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the folder of the compiled files, which may not be made yet. A process that another one started takes that one's folder: both
 * run the same version, and the thousands of sources are looked through once.
 */
export function compiledFolder(checkout = CHECKOUT) {
  const { root, told_by } = checkout
  const cache = join(root, 'node_modules/.cache/tidemark')
  const told = told_by === undefined ? undefined : process.env[told_by]
  if (told !== undefined && dirname(told) === cache && existsSync(told)) return told
  const folder = join(cache, sourcesKey(checkout))
  if (told_by !== undefined) process.env[told_by] = folder
  return folder
}

/**
 * Hash of the names, sizes and times of all sources. The sources of an installed package are not looked through: they stay as they
 * are, and its cache goes with it.
 */
function sourcesKey({ root, sources }) {
  const hash = createHash('sha256')
  const add = (path) => {
    const { mtimeMs, size } = statSync(path)
    hash.update(`${path} ${mtimeMs} ${size}\n`)
  }
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && entry.name !== 'dist') walk(path)
      else if (/\.(ts|mjs)$/.test(entry.name)) add(path)
    }
  }
  const is_installed = basename(dirname(root)) === 'node_modules'
  if (!is_installed) for (const folder of sources) walk(join(root, folder))
  add(join(root, 'package.json'))
  return hash.digest('hex').slice(0, 16)
}

/** Compiles into a folder; if another process does the same, the first folder wins. */
async function compile(checkout, folder) {
  const { root } = checkout
  const cache = dirname(folder)
  const made = roomIn(cache)
  if (made === null) return false
  const { writeCompiled } = await import('./write-compiled.mjs')
  try {
    await writeCompiled(checkout, made)
    openAsSources(root, made)
    renameSync(made, folder)
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  forgetOld(cache)
  return true
}

/** Lets whoever reads the sources read what was compiled: services run as other users than the one who installed. */
function openAsSources(root, made) {
  const folder_mode = (statSync(root).mode & 0o755) | 0o700
  const file_mode = (statSync(join(root, 'package.json')).mode & 0o644) | 0o600
  for (const entry of readdirSync(made, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? folder_mode : file_mode)
  }
  const cache = dirname(made)
  // Another user's folder above keeps its mode.
  const ours = [dirname(cache), cache, made].filter((folder) => statSync(folder).uid === statSync(made).uid)
  for (const folder of ours) chmodSync(folder, folder_mode)
}

function roomIn(cache) {
  try {
    mkdirSync(cache, { recursive: true })
    return mkdtempSync(join(cache, 'making-'))
  } catch {
    return null
  }
}

function forgetOld(cache) {
  const made = readdirSync(cache).map((name) => join(cache, name))
  const by_age = made.map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  const older = by_age.sort((a, b) => b.at - a.at).slice(KEPT)
  for (const { path, at } of older) if (Date.now() - at > KEPT_MS) rmSync(path, { recursive: true, force: true })
}

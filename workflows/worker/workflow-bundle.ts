import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPackageFile } from '../../primitives/installed-file.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ENTRIES = {
  plain: fileURLToPath(new URL('../workflow-code.ts', import.meta.url)),
  versioned: fileURLToPath(new URL('../versioned-code.ts', import.meta.url)),
}
/** Raised when the bundling changes. */
const FORMAT = 1

const BUILD_ID_LENGTH = 12

/** Returns the build id of this release's workflows: releases with the same workflows have the same one. */
export async function workflowBuild(): Promise<string> {
  return (await contentOf(ENTRIES.versioned)).slice(0, BUILD_ID_LENGTH)
}

/** Returns the file of the workflows' bundle, which is cached by the hash of its sources. */
export async function workflowBundle(
  cache: string,
  kind: keyof typeof ENTRIES = 'plain',
): Promise<{ readonly codePath: string }> {
  const entry = ENTRIES[kind]
  const hash = await contentOf(entry)
  const codePath = join(cache, 'workflows', `${hash}.js`)
  const known = await stat(codePath).catch(() => null)
  if (known !== null) return { codePath }
  const { bundleWorkflowCode } = await import('@temporalio/worker')
  const { code } = await bundleWorkflowCode({
    workflowsPath: entry,
    logger: SILENT,
    webpackConfigHook: (config) => {
      compileSourcesOf(ROOT, config.module?.rules ?? [])
      return config
    },
  })
  await mkdir(dirname(codePath), { recursive: true })
  await writeFile(`${codePath}.${process.pid}`, code)
  await rename(`${codePath}.${process.pid}`, codePath)
  return { codePath }
}

/**
 * Lets the rule for TypeScript compile the sources below a root also where the root itself is an installed package. The bundler leaves out
 * every file with node_modules in its path.
 */
function compileSourcesOf(root: string, rules: readonly unknown[]): void {
  const installed = (path: string) => isPackageFile(root, path)
  for (const rule of rules as readonly { test?: unknown; exclude?: unknown }[])
    if (String(rule.test) === String(/\.ts$/)) rule.exclude = installed
}

const silence = () => undefined
const SILENT = { log: silence, trace: silence, debug: silence, info: silence, warn: silence, error: silence }

/** Hashes everything the bundle depends on: the files that an entry imports, and the packages' versions. */
async function contentOf(entry: string): Promise<string> {
  const hash = createHash('sha256').update(`${FORMAT}\n`)
  const files = [...(await closureOf(entry))].sort()
  for (const file of files) hash.update(`${relative(ROOT, file)}\n`).update(await readFile(file))
  for (const name of PACKAGES) hash.update(`${name} ${versionOf(name)}\n`)
  return hash.digest('hex').slice(0, 32)
}

/** Packages in the bundle, and those that create it. */
const PACKAGES = ['@temporalio/worker', '@temporalio/workflow', '@temporalio/common', 'temporal-polyfill', 'decimal.js']

function versionOf(name: string): string {
  const require = createRequire(import.meta.url)
  const main = require.resolve(name)
  const inside = join('node_modules', name)
  const folder = main.slice(0, main.lastIndexOf(inside) + inside.length)
  return (require(join(folder, 'package.json')) as { version: string }).version
}

/** Returns a file and all of our files that it imports, type imports apart. */
async function closureOf(entry: string): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  const walk = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.add(file)
    const text = await readFile(file, 'utf8')
    for (const [, specifier] of text.matchAll(VALUE_IMPORT)) await walk(resolve(dirname(file), specifier!))
  }
  await walk(entry)
  return seen
}

const VALUE_IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)[^'"`;]*?from\s*['"](\.[^'"]+)['"]/g

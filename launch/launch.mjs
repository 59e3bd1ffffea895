import { compiledEntry } from './compiled-entry.mjs'
import { showSourceLines } from './source-lines.mjs'

/**
 * Starts a process or a thread at one of the entries of compiled-entry.mjs. Stack traces show source lines.
 * @param entry URL of a TypeScript file
 */
export async function launch(entry) {
  await begin(await compiledEntry(entry), entry)
}

/** @param compiled URL of the compiled entry; null: there is none, and the TypeScript runs */
export async function begin(compiled, entry) {
  if (compiled === null) {
    const { register } = await import('tsx/esm/api')
    register()
    process.setSourceMapsEnabled(true)
  } else showSourceLines()
  await import((compiled ?? entry).href)
}

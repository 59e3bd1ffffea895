import { compiledEntry } from './compiled-entry.mjs'

/**
 * Starts a process or a thread at one of the entries of compiled-entry.mjs. Stack traces show source lines.
 * @param entry URL of a TypeScript file
 */
export async function launch(entry) {
  const compiled = await compiledEntry(entry)
  if (compiled === null) {
    const { register } = await import('tsx/esm/api')
    register()
  }
  process.setSourceMapsEnabled(true)
  await import((compiled ?? entry).href)
}

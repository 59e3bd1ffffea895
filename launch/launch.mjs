import { compiledEntry } from './compiled-entry.mjs'

/**
 * Begins a process or a thread at one of the entries of compiled-entry.mjs. Errors are told by the lines of the sources.
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

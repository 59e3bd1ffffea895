import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** Imports and re-exports of a declaration file; those inside of types too. */
const SPECIFIER = /(from |import\()(['"])([^'"]+)\2/g

/**
 * Keeps the declarations that the entries reach, with imports that name compiled files; all others describe what no caller sees.
 * @param folder  declarations as the compiler wrote them
 * @param entries paths in it
 * @returns       specifiers of packages that the declarations name, which should be none
 */
export function keepReachedDeclarations(folder, entries) {
  const kept = new Map()
  const packages = new Set()
  const visit = (path) => {
    if (kept.has(path)) return
    const text = readFileSync(path, 'utf8')
    kept.set(
      path,
      text.replace(SPECIFIER, (whole, before, quote, specifier) => {
        if (!specifier.startsWith('.')) {
          packages.add(`${relative(folder, path)}: ${specifier}`)
          return whole
        }
        return `${before}${quote}${specifier.replace(/\.ts$/, '.js')}${quote}`
      }),
    )
    for (const [, , , specifier] of text.matchAll(SPECIFIER))
      if (specifier.startsWith('.')) visit(resolve(dirname(path), specifier.replace(/\.ts$/, '.d.ts')))
  }
  for (const entry of entries) visit(join(folder, entry))
  rmSync(folder, { recursive: true })
  for (const [path, text] of kept) {
    mkdirSync(dirname(path), { recursive: true })
    // Tabs: the compiler's four spaces are a fifth of the files.
    writeFileSync(
      path,
      text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
    )
  }
  return [...packages].sort()
}

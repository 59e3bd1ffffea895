// A lock file written while the registry refused a package lacks that package; the next `npm install` adds it, and the
// clean clone of a check no longer matches what was committed. So the lock must name every package it refers to.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Entry = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }
type Packages = Record<string, Entry>

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Packages }

/** Folders in which Node looks for a dependency of the package at `path`, innermost first. */
function foldersAbove(path: string): string[] {
  if (path === '') return ['']
  const end = path.lastIndexOf('/node_modules/')
  return [path, ...foldersAbove(end < 0 ? '' : path.slice(0, end))]
}

/** Dependencies, those of other platforms included, that the lock refers to and does not hold: "package -> dependency". */
function unlockedDependencies(locked: Packages): string[] {
  return Object.entries(locked).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !foldersAbove(path).some((folder) => `${folder && `${folder}/`}node_modules/${name}` in locked))
      .map((name) => `${path} -> ${name}`),
  )
}

describe('package-lock.json', () => {
  it('holds every package it refers to, those of other platforms included', () => {
    expect(unlockedDependencies(packages)).toEqual([])
  })

  it('would show a package of another platform that is left out', () => {
    const { 'node_modules/@duckdb/node-bindings-darwin-arm64': _, ...rest } = packages
    expect(unlockedDependencies(rest)).toEqual([
      'node_modules/@duckdb/node-bindings -> @duckdb/node-bindings-darwin-arm64',
    ])
  })
})

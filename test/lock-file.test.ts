// A lock file written while the registry refused a package lacks that package; the next `npm install` adds it, and the
// clean clone of a check no longer matches what was committed. So the lock must name every package it refers to, say
// the same as package.json, and hold no package that the oldest Node we promise would refuse.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { admits } from './support/house/node-range.ts'

type Needs = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }
type Entry = Needs & {
  devDependencies?: Record<string, string>
  engines?: { node?: string }
  optional?: boolean
  version?: string
}
type Packages = Record<string, Entry>

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Packages }
const OLDEST_NODE = packageJson.engines.node.replace('>=', '')

/** Folders in which Node looks for a dependency of the package at `path`, innermost first. */
function foldersAbove(path: string): string[] {
  if (path === '') return ['']
  const end = path.lastIndexOf('/node_modules/')
  return [path, ...foldersAbove(end < 0 ? '' : path.slice(0, end))]
}

/** Dependencies, those of other platforms included, that the lock refers to and does not hold: "package -> dependency". */
function unlockedDependencies(locked: Packages): string[] {
  return Object.entries(locked).flatMap(([path, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies, ...entry.devDependencies })
      .filter((name) => !foldersAbove(path).some((folder) => `${folder && `${folder}/`}node_modules/${name}` in locked))
      .map((name) => `${path} -> ${name}`),
  )
}

/** Packages of package.json that the lock holds in another version, or not at all. */
function otherVersions(locked: Packages): string[] {
  const { dependencies, optionalDependencies, devDependencies } = packageJson
  return Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies })
    .filter(([name, version]) => locked[`node_modules/${name}`]?.version !== version)
    .map(([name]) => name)
}

/** Overrides that a dependent of the archive would not get: npm reads those of its own root alone. */
function lostOverrides(overrides: Record<string, string>, locked: Packages): string[] {
  const asked = (name: string) => Object.values(locked).flatMap(({ dependencies }) => dependencies?.[name] ?? [])
  return Object.entries(overrides)
    .filter(([name, version]) => locked['']!.dependencies?.[name] !== version)
    .filter(([name, version]) => asked(name).some((range) => range !== version))
    .map(([name]) => name)
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

  it('asks for what package.json asks for', () => {
    const { dependencies, optionalDependencies, devDependencies, engines } = packages['']!
    expect({ dependencies, optionalDependencies, devDependencies, engines }).toEqual({
      dependencies: packageJson.dependencies,
      optionalDependencies: packageJson.optionalDependencies,
      devDependencies: packageJson.devDependencies,
      engines: packageJson.engines,
    })
    expect(otherVersions(packages)).toEqual([])
  })

  it('would show a version that differs from package.json', () => {
    expect(otherVersions({ ...packages, 'node_modules/pg': { version: '8.0.0' } })).toEqual(['pg'])
  })
})

describe('overrides', () => {
  it('are dependencies too, or what every dependent asks for anyway', () => {
    expect(lostOverrides(packageJson.overrides, packages)).toEqual([])
  })

  it('would show one that an installed archive has not', () => {
    expect(lostOverrides({ ...packageJson.overrides, avvio: '9.0.0' }, packages)).toEqual(['avvio'])
  })
})

describe('oldest Node', () => {
  it(`is admitted by every package that is installed everywhere: ${OLDEST_NODE}`, () => {
    const refusing = Object.entries(packages).filter(
      ([, { engines, optional }]) => !optional && engines?.node !== undefined && !admits(engines.node, OLDEST_NODE),
    )
    expect(refusing.map(([path, { engines }]) => `${path}: ${engines!.node}`)).toEqual([])
  })

  it('is the one that the documents name', () => {
    const named = ['README.md', 'CONTRIBUTING.md', '.ci/run'].flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/Node (?:>= )?(\d+\.\d+\.\d+)/g)].map(([, version]) => version),
    )
    expect(named.length).toBeGreaterThanOrEqual(3)
    expect(new Set(named)).toEqual(new Set([OLDEST_NODE]))
  })

  it.each([
    ['^20.19.0 || >=22.12.0', '20.18.1', false],
    ['^20.19.0 || >=22.12.0', '20.19.0', true],
    ['>=22', '20.19.0', false],
    ['>= 20.3.0', '20.19.0', true],
    ['6.* || 8.* || >= 10.*', '20.19.0', true],
    ['20 || >=22', '20.19.0', true],
    ['^18 || ^22.1', '20.19.0', false],
  ])('%s and %s: %s', (range, version, expected) => {
    expect(admits(range, version)).toBe(expected)
  })
})

import { ServiceError } from '../../primitives/errors.ts'
import type { Micros } from '../../primitives/instants.ts'
import { invalid } from './definition-error.ts'

/** A version as its order among the others needs it. */
type OrderedVersion = {
  /** Path of the version in the file, for messages. */
  readonly at: string
  readonly name: string
  /** null: it cannot be read, and is not compared. */
  readonly effective_from: Micros | null
  readonly written: string
}

/**
 * Returns every fault between the versions of an index: doubled names, starts before the base date, and equal starts.
 * @param base_date null: it is faulty itself, and is not compared
 */
export function versionFaults(versions: readonly OrderedVersion[], base_date: Micros | null): readonly ServiceError[] {
  const names = new Set<string>()
  const starts = new Map<Micros, string>()
  return versions.flatMap(({ at, name, effective_from, written }) => {
    const faults: ServiceError[] = []
    const field = `${at}.effective_from`
    if (names.has(name)) faults.push(invalid(`${at}.version`, name, 'each version name once'))
    names.add(name)
    if (effective_from === null) return faults
    if (base_date !== null && effective_from < base_date)
      faults.push(invalid(field, written, 'an instant at or after index.base_date'))
    const other = starts.get(effective_from)
    if (other !== undefined) faults.push(overlap(field, written, other))
    starts.set(effective_from, name)
    return faults
  })
}

function overlap(field: string, written: string, other: string): ServiceError {
  return new ServiceError(
    'VALIDATION_VERSION_OVERLAP',
    `${field} is ${written}; allowed: an instant that no other version (${other}) begins at`,
    { field },
  )
}

/** Returns the path of each version of a file: by its name, or by its position where several share one. */
export function versionPaths(versions: readonly { readonly version: string }[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { version } of versions) counts.set(version, (counts.get(version) ?? 0) + 1)
  return versions.map(({ version }, i) => (counts.get(version) === 1 ? `versions[${version}]` : `versions[#${i}]`))
}

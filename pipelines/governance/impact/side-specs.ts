import type { Micros } from '../../../primitives/instants.ts'
import type { IndexSpec, IndexVersion } from '../../index/version.ts'

/** Returns an index as if one version had been in force from an instant on. */
export function ruledBy(index: IndexSpec, version: IndexVersion, from: Micros): IndexSpec {
  return { ...index, base_date: from, versions: [{ ...version, effective_from: from, effective_to: null }] }
}

/** Returns an index as if its only version had been followed by another at an instant, linked as the methodology links them. */
export function followedBy(before: IndexSpec, next: IndexVersion, at: Micros): IndexSpec {
  const version = before.versions[0]!
  const versions = [
    { ...version, effective_to: at },
    { ...next, effective_from: at, effective_to: null },
  ]
  return { ...before, versions }
}

/** Returns the time before the look-back window in which marks and outlier windows fill: the longest age of a carried mark. */
export function warmUp(versions: readonly IndexVersion[]): Micros {
  return Math.max(...versions.map(({ methodology }) => methodology.parameters.max_carry))
}

import type { IndexSpec, IndexVersion } from '../../pipelines/index/version.ts'
import type { Micros } from '../../primitives/instants.ts'

/**
 * Exclusive end of the ticks of an index that are due: those whose own version's grace has passed. It never lies between the
 * start of a version and its first tick, because a series that ends there would have to open the version twice.
 * @param to of the ticks asked for, exclusive
 */
export function dueTo(spec: IndexSpec, now: Micros, to: Micros = Number.POSITIVE_INFINITY): Micros {
  let unopened: Micros | null = null
  for (const [place, version] of spec.versions.entries()) {
    const due = Math.min(to, now - version.methodology.parameters.grace + 1)
    const end = Math.min(version.effective_to ?? Number.POSITIVE_INFINITY, due)
    if (firstTick(version) >= end) {
      unopened ??= place === 0 ? spec.base_date : version.effective_from
      if (end === version.effective_to) continue
      return unopened
    }
    unopened = null
    if (end !== version.effective_to) return end
  }
  return unopened ?? Number.NEGATIVE_INFINITY
}

/** The first tick at or after a version's start; it may lie after its end. */
function firstTick({ effective_from, frequency }: IndexVersion): Micros {
  return Math.ceil(effective_from / frequency) * frequency
}

import type { Definition } from '../../pipelines/index/definition.ts'
import { isIndexEligible, termsOf, VENUE_TERMS } from '../../pipelines/venues/terms.ts'
import { ServiceError } from '../../primitives/errors.ts'

/**
 * Refuses a definition with a constituent of a source that may not enter an index: where prices may not be served, nobody
 * could reproduce the level, and where single trades may not, nobody could reproduce a fixing on them. A source without terms of
 * its own is let through.
 * @throws {ServiceError} INDEX_SOURCE_NOT_ELIGIBLE names the constituent and the source
 */
export function checkSources({ index, versions }: Pick<Definition, 'index' | 'versions'>): void {
  for (const { version } of versions) {
    for (const { constituent_id, legs } of version.constituents) {
      const unfit =
        version.fixing === null ? null : legs.find(({ venue_id }) => termsOf(venue_id)?.public_trades === false)
      if (unfit) throw noFixing(index.index_id, version.version, constituent_id, unfit.venue_id)
      const refused = legs.find(({ venue_id }) => !isIndexEligible(venue_id))
      if (refused === undefined) continue
      const { venue_id } = refused
      throw new ServiceError(
        'INDEX_SOURCE_NOT_ELIGIBLE',
        `venue_id of constituent ${constituent_id} in version ${version.version} of ${index.index_id} is ${JSON.stringify(venue_id)}; allowed: a source eligible for indexes (not ${refusedSources()})`,
        { field: 'venue_id', value: venue_id, constituent_id, version: version.version },
      )
    }
  }
}

function noFixing(index_id: string, version: string, constituent_id: string, venue_id: string): ServiceError {
  return new ServiceError(
    'INDEX_SOURCE_NOT_ELIGIBLE',
    `venue_id of constituent ${constituent_id} in version ${version} of ${index_id} is ${JSON.stringify(venue_id)}; allowed in a version with a fixing: a source whose single trades are public`,
    { field: 'venue_id', value: venue_id, constituent_id, version },
  )
}

function refusedSources(): string {
  const names = VENUE_TERMS.filter((terms) => !terms.index_eligible).map(({ venue_id }) => venue_id)
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

import type { Catalog, Reader } from '../../warehouse/reader/reader.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readsAnyVenue } from '../resources/index-resources.ts'

/** Reports whether an index reads invented markets: by its version in force or, before the first one is, by its newest. */
export function isSimulated(reader: Reader, catalog: Catalog, index: Row): boolean {
  const venue_ids = reader.simulatedVenues()
  if (venue_ids.size === 0) return false
  const in_force = catalog.version(String(index.active_version_id))
  const version = in_force ?? catalog.versions(String(index.index_id)).at(-1) ?? null
  return version !== null && readsAnyVenue(version, venue_ids)
}

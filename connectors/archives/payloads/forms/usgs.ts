import { USGS_ENDPOINTS } from '../../../../pipelines/venues/usgs/endpoints.ts'
import { isJsonObject } from '../json-document.ts'
import { rawField } from '../raw-field.ts'
import { latestOf, type Recogniser } from '../recogniser.ts'

const UPDATED = /"updated"\s*:\s*(\d{12,14})\b/g

/**
 * GeoJSON feeds of the US Geological Survey. Their receipt is the time they were generated: `metadata.generated`; of features
 * alone the latest time at which one of them was updated.
 */
export const USGS: Recogniser = {
  venue_id: 'usgs',
  endpoints: Object.values(USGS_ENDPOINTS),
  endpointOf: (value) => {
    if (isJsonObject(value) && Array.isArray(value.features)) return USGS_ENDPOINTS.summary
    return isFeature(Array.isArray(value) ? value[0] : value) ? USGS_ENDPOINTS.summary : null
  },
  isStream: () => false,
  clockOf: (text) => {
    if (!text.includes('"features"')) return latestOf(text, UPDATED, (millis) => Number(millis) * 1000)
    const generated = rawField(rawField(text, 'metadata') ?? '{}', 'generated') ?? ''
    return /^\d{12,14}$/.test(generated) ? Number(generated) * 1000 : null
  },
  untimed: () => null,
}

/** A feature that is an earthquake: GDACS writes GeoJSON too. */
function isFeature(value: unknown): boolean {
  return (
    isJsonObject(value) && isJsonObject(value.properties) && 'mag' in value.properties && 'updated' in value.properties
  )
}

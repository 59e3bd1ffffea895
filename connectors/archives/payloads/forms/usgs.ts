import { USGS_ENDPOINTS } from '../../../../pipelines/venues/usgs/endpoints.ts'
import { isJsonObject } from '../json-document.ts'
import { rawField } from '../raw-field.ts'
import type { Recogniser } from '../recogniser.ts'

/** GeoJSON feeds of the US Geological Survey. Their receipt is the time they were generated: `metadata.generated`. */
export const USGS: Recogniser = {
  venue_id: 'usgs',
  endpoints: Object.values(USGS_ENDPOINTS),
  endpointOf: (value) => (isJsonObject(value) && Array.isArray(value.features) ? USGS_ENDPOINTS.summary : null),
  isStream: () => false,
  clockOf: (text) => {
    const generated = rawField(rawField(text, 'metadata') ?? '{}', 'generated') ?? ''
    return /^\d{12,14}$/.test(generated) ? Number(generated) * 1000 : null
  },
  untimed: () => null,
}

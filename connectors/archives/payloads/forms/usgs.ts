import { USGS_ENDPOINTS } from '../../../../pipelines/venues/usgs/endpoints.ts'
import { rawField } from '../raw-field.ts'
import { latestOf, object, oneOrList, type Recogniser } from '../recogniser.ts'

const UPDATED = /"updated"\s*:\s*(\d{12,14})\b/g

/** A feature that is an earthquake: GDACS writes GeoJSON too. */
const isEarthquake = object(({ properties }) => object((stated) => 'mag' in stated && 'updated' in stated)(properties))

/**
 * GeoJSON feeds of the US Geological Survey. Their receipt is the time they were generated: `metadata.generated`; of features
 * alone the latest time at which one of them was updated.
 */
export const USGS: Recogniser = {
  venue_id: 'usgs',
  endpoints: Object.values(USGS_ENDPOINTS),
  shapes: [
    {
      endpoint: USGS_ENDPOINTS.summary,
      known_by: 'a list `features` of earthquakes (`mag`, `updated`)',
      is: object(({ features }) => Array.isArray(features) && (features.length === 0 || isEarthquake(features[0]))),
    },
    {
      endpoint: USGS_ENDPOINTS.summary,
      known_by: '`properties` with `mag` and `updated`; one feature or a list',
      is: oneOrList(isEarthquake),
    },
  ],
  receipt: '`metadata.generated`; of features alone the latest `updated`',
  isStream: () => false,
  clockOf: (text) => {
    if (!text.includes('"features"')) return latestOf(text, UPDATED, (millis) => Number(millis) * 1000)
    const generated = rawField(rawField(text, 'metadata') ?? '{}', 'generated') ?? ''
    return /^\d{12,14}$/.test(generated) ? Number(generated) * 1000 : null
  },
  untimed: () => null,
}

import { USGS_ENDPOINTS } from '../../../../pipelines/venues/usgs/endpoints.ts'
import { rawField } from '../raw-field.ts'
import { object, type Recogniser } from '../recogniser.ts'

/** GeoJSON feeds of the US Geological Survey. Their receipt is the time they were generated: `metadata.generated`. */
export const USGS: Recogniser = {
  venue_id: 'usgs',
  endpoints: Object.values(USGS_ENDPOINTS),
  shapes: [
    {
      endpoint: USGS_ENDPOINTS.summary,
      known_by: 'a list `features`',
      is: object(({ features }) => Array.isArray(features)),
    },
  ],
  receipt: '`metadata.generated`',
  isStream: () => false,
  clockOf: (text) => {
    const generated = rawField(rawField(text, 'metadata') ?? '{}', 'generated') ?? ''
    return /^\d{12,14}$/.test(generated) ? Number(generated) * 1000 : null
  },
  untimed: () => null,
}

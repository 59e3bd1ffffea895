import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import { USGS_ENDPOINTS } from '../../../../pipelines/venues/usgs/endpoints.ts'
import { isJsonObject, jsonDocument, jsonObject } from '../json-document.ts'
import type { DocumentForm } from '../payload-form.ts'
import { rawField } from '../raw-field.ts'

/** A saved GeoJSON feed of the US Geological Survey. Its receipt is the time it was generated: `metadata.generated`. */
export const USGS_RECORDING: DocumentForm = {
  kind: 'document',
  matches: (name) => name.endsWith('.geojson') || name.endsWith('.json'),
  read: (text) => {
    const { features, metadata } = jsonObject(jsonDocument(text))
    if (!Array.isArray(features) || !isJsonObject(metadata)) throw new Quarantined('UNKNOWN_SHAPE')
    const generated = rawField(rawField(text, 'metadata') ?? '{}', 'generated')
    const received_at = /^\d{12,14}$/.test(generated ?? '') ? Number(generated) * 1000 : null
    const request = typeof metadata.url === 'string' ? metadata.url : null
    return { venue_id: 'usgs', endpoint: USGS_ENDPOINTS.summary, request, received_at, text }
  },
}

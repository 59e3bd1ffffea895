import { instantField, requiredText } from '../../../../pipelines/text/json-fields.ts'
import { kalshiEndpointOf, kalshiRequestOf } from '../../../../pipelines/venues/kalshi/endpoints.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import { jsonDocument, jsonObject } from '../json-document.ts'
import type { DocumentForm } from '../payload-form.ts'
import { rawField } from '../raw-field.ts'

/**
 * A recorded answer of Kalshi: `{_metadata: {recorded_at, endpoint, ...}, response}`. The payload is the text of `response` as
 * written in the file, received at `recorded_at`. The request's path is built from the parameters in the metadata.
 */
export const KALSHI_RECORDING: DocumentForm = {
  kind: 'document',
  matches: (name) => name.endsWith('.json'),
  read: (text) => {
    const metadata = jsonObject(jsonObject(jsonDocument(text))._metadata)
    const endpoint = kalshiEndpointOf(requiredText(metadata, 'endpoint'))
    const response = rawField(text, 'response')
    if (endpoint === null || response === null) throw new Quarantined('UNKNOWN_SHAPE')
    return {
      venue_id: 'kalshi',
      endpoint,
      request: kalshiRequestOf(endpoint, metadata),
      received_at: instantField(metadata, 'recorded_at'),
      text: response,
    }
  },
}

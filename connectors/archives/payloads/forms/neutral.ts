import { readWord } from '../../../../pipelines/venues/fields.ts'
import { idField, instantField, optionalText } from '../../../../pipelines/venues/json-fields.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import { jsonDocument, jsonObject } from '../json-document.ts'
import type { LineForm, Recorded } from '../payload-form.ts'

/**
 * Our own form of recorded payloads, `*.payloads.jsonl`: one `{venue_id, endpoint, request, received_at, body}` a line, in
 * the order of receipt; `body` is the text that the venue sent, `request` what was asked for or null.
 * @param venues the venues whose payloads may stand in the file
 */
export function neutralForm(venues: readonly string[]): LineForm {
  return {
    kind: 'lines',
    matches: (name) => name.endsWith('.payloads.jsonl'),
    read: (line) => readNeutralLine(line, venues),
  }
}

function readNeutralLine(line: string, venues: readonly string[]): Recorded {
  const object = jsonObject(jsonDocument(line))
  const { body } = object
  if (body === undefined || body === null) throw new Quarantined('MISSING_FIELD')
  if (typeof body !== 'string') throw new Quarantined('BAD_TEXT')
  return {
    venue_id: readWord(idField(object, 'venue_id'), venues),
    endpoint: idField(object, 'endpoint'),
    request: optionalText(object, 'request'),
    received_at: instantField(object, 'received_at'),
    text: body,
  }
}

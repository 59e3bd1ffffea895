import { microsOf } from '../../../primitives/instants.ts'
import { optionalText } from '../../text/json-fields.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import type { EventDetails } from '../record.ts'
import { scheduleTime } from '../source-times.ts'

/** Reads the place and time of an event; a catalogue's `event` and a `marketDefinition` name the fields alike. */
export function eventDetails(event: JsonTextObject): EventDetails {
  const country = optionalText(event, 'countryCode')
  return {
    status: null,
    starts_at: scheduleTime(microsOf(event.openDate)),
    ends_at: null,
    regions: country === null ? null : [country],
    timezone: optionalText(event, 'timezone'),
  }
}

import { GDACS_ENDPOINTS } from '../../../../pipelines/venues/gdacs/endpoints.ts'
import { rfc822Micros } from '../../../../pipelines/venues/gdacs/rfc822-instant.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import type { Recorded } from '../payload-form.ts'
import type { Recogniser } from '../recogniser.ts'

/** Feeds of GDACS, which are XML. */
export const GDACS: Recogniser = {
  venue_id: 'gdacs',
  endpoints: Object.values(GDACS_ENDPOINTS),
  endpointOf: () => null,
  isStream: () => false,
  clockOf: () => null,
  readFeed: readGdacsFeed,
}

/** End of a complete feed; GDACS writes a comment with the time after it. */
const WHOLE = /<\/rss>\s*(?:<!--[^>]*-->\s*)*$/
const TAIL_LENGTH = 1000

/**
 * Reads a saved feed of GDACS, of any window. Its receipt is the `pubDate` of its channel, which is written when the feed is
 * requested. A file that ends before its last tag is rejected.
 * @throws Quarantined UNKNOWN_SHAPE
 */
function readGdacsFeed(text: string): Recorded {
  const channel = text.split('<item', 1)[0] ?? ''
  const published = /<pubDate>([^<]*)<\/pubDate>/.exec(channel)?.[1]
  if (!/<rss[\s>]/.test(channel) || !WHOLE.test(text.slice(-TAIL_LENGTH))) throw new Quarantined('UNKNOWN_SHAPE')
  const received_at = published === undefined ? null : rfc822Micros(published.trim())
  return { venue_id: 'gdacs', endpoint: GDACS_ENDPOINTS.rss, request: null, received_at, text }
}

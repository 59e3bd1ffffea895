import { GDACS_ENDPOINTS } from '../../../../pipelines/venues/gdacs/endpoints.ts'
import { rfc822Micros } from '../../../../pipelines/venues/gdacs/rfc822-instant.ts'
import { Quarantined } from '../../../../pipelines/venues/quarantine.ts'
import type { Recorded } from '../payload-form.ts'

/** End of a complete feed; GDACS writes a comment with the time after it. */
const WHOLE = /<\/rss>\s*(?:<!--[^>]*-->\s*)*$/
const TAIL_LENGTH = 1000

/** The one form of GDACS, as the tables of other venues state theirs. */
export const GDACS = {
  venue_id: 'gdacs',
  endpoints: Object.values(GDACS_ENDPOINTS),
  shapes: [
    { endpoint: GDACS_ENDPOINTS.rss, known_by: 'XML with `<rss>`, complete to its last tag; any window of the feed' },
  ],
  receipt: '`pubDate` of the channel',
} as const

/**
 * Reads a saved feed of GDACS, of any window. Its receipt is the `pubDate` of its channel, which is written when the feed is
 * requested. A file that ends before its last tag is rejected.
 * @throws Quarantined UNKNOWN_SHAPE
 */
export function readGdacsFeed(text: string): Recorded {
  const channel = text.split('<item', 1)[0] ?? ''
  const published = /<pubDate>([^<]*)<\/pubDate>/.exec(channel)?.[1]
  if (!/<rss[\s>]/.test(channel) || !WHOLE.test(text.slice(-TAIL_LENGTH))) throw new Quarantined('UNKNOWN_SHAPE')
  const received_at = published === undefined ? null : rfc822Micros(published.trim())
  return { venue_id: GDACS.venue_id, endpoint: GDACS_ENDPOINTS.rss, request: null, received_at, text }
}

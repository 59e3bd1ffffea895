import { GDACS_ENDPOINTS } from '../../../../pipelines/venues/gdacs/endpoints.ts'
import { rfc822Micros } from '../../../../pipelines/venues/gdacs/rfc822-instant.ts'
import type { Recogniser } from '../recogniser.ts'

/** End of a complete feed; GDACS writes a comment with the time after it. */
const WHOLE = /<\/rss>\s*(?:<!--[^>]*-->\s*)*$/
const TAIL_LENGTH = 1000

/** Feeds of GDACS, of any window. Their receipt is the `pubDate` of their channel, which is written when they are requested. */
export const GDACS: Recogniser = {
  venue_id: 'gdacs',
  endpoints: Object.values(GDACS_ENDPOINTS),
  shapes: [
    {
      endpoint: GDACS_ENDPOINTS.rss,
      known_by: 'XML with `<rss>`, complete to its last tag; any window of the feed',
      is: (value) => typeof value === 'string' && isWholeFeed(value),
    },
  ],
  receipt: '`pubDate` of the channel',
  isStream: () => false,
  clockOf: (text) => {
    const published = /<pubDate>([^<]*)<\/pubDate>/.exec(channelOf(text))?.[1]
    return published === undefined ? null : rfc822Micros(published.trim())
  },
}

/** Whether a text is a complete feed: it ends with the closing tag. */
function isWholeFeed(text: string): boolean {
  return /<rss[\s>]/.test(channelOf(text)) && WHOLE.test(text.slice(-TAIL_LENGTH))
}

/** The text before the first item. */
function channelOf(text: string): string {
  return text.split('<item', 1)[0] ?? ''
}

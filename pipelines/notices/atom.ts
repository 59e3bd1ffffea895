import type { Instant } from '../../primitives/instants.ts'
import { plainLines } from '../../primitives/plain-text.ts'
import type { Notice } from './notice.ts'

type FeedNotice = Pick<Notice, 'notice_id' | 'kind' | 'title' | 'text'> & { readonly published_at: Instant }

/** Update of a feed without entries. */
const NEVER = '1970-01-01T00:00:00Z'

/** Returns an Atom feed (RFC 4287). @param notices newest first */
export function atomOf(notices: readonly FeedNotice[]): string {
  const updated = notices[0]?.published_at ?? NEVER
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    '<id>urn:tidemark:governance:notices</id>',
    '<title>Tidemark notices</title>',
    `<updated>${updated}</updated>`,
    '<author><name>Tidemark</name></author>',
    '<link rel="self" type="application/atom+xml" href="/v1/governance/notices.atom"/>',
    ...notices.map(entryText),
    '</feed>',
    '',
  ].join('\n')
}

function entryText({ notice_id, kind, title, text, published_at }: FeedNotice): string {
  return [
    '<entry>',
    `<id>urn:tidemark:notice:${xml(notice_id)}</id>`,
    `<title>${xml(title)}</title>`,
    `<updated>${published_at}</updated>`,
    `<published>${published_at}</published>`,
    `<category term="${xml(kind)}"/>`,
    `<link rel="alternate" type="application/json" href="/v1/governance/notices/${xml(notice_id)}"/>`,
    `<summary>${xml(text)}</summary>`,
    '</entry>',
  ].join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Characters that XML 1.0 does not allow at all, after control characters are gone: halves of pairs, and two non-characters. */
const NO_XML = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Returns a text as XML, in an element or an attribute. */
function xml(text: string): string {
  return plainLines(text)
    .replace(NO_XML, '?')
    .replace(/[&<>"']/g, (one) => ENTITIES[one]!)
}

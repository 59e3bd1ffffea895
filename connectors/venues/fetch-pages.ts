import type { JsonText } from '../../pipelines/text/json-text.ts'
import { parseRecord } from '../../pipelines/venues/quarantine.ts'
import type { PayloadItem } from '../archives/payloads/payload-item.ts'
import { VenueAnswerError } from '../http/venue-errors.ts'
import type { VenueHttpClient } from '../http/venue-http-client.ts'
import { fetchDocument } from './fetch-document.ts'

/** A list that is read page by page. */
export type Pages = {
  readonly endpoint: string
  /** Path and query of the first page. */
  readonly first: string
  /** Reads the parameters of the next page; null = this is the last. Throws `Quarantined` if the page has another form. */
  readonly next: (document: JsonText, request: string) => Readonly<Record<string, string>> | null
  readonly on_page?: (document: JsonText) => void
}

/** Pages of one list; ends a venue whose paging is circular. */
const PAGES_MAX = 10_000

/**
 * Requests every page of a list; nothing if the venue has no such list.
 * @throws {ServiceError} VENUE_ANSWER_REFUSED if a page cannot be read, because the next one is then unknown
 */
export async function* fetchPages(
  client: VenueHttpClient,
  pages: Pages,
  signal?: AbortSignal,
): AsyncGenerator<PayloadItem> {
  const { endpoint, first, next, on_page } = pages
  let request = first
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const fetched = yield* fetchDocument(client, endpoint, request, signal)
    if (fetched.kind === 'none') return
    const taken = parseRecord(() => {
      if (fetched.kind === 'unreadable') return { changes: undefined }
      on_page?.(fetched.document)
      return { changes: next(fetched.document, request) }
    })
    const changes = 'record' in taken ? taken.record.changes : undefined
    if (changes === undefined) throw unreadable(client, request, 'sends a page that cannot be read')
    if (changes === null) return
    request = withParameters(request, changes)
  }
  throw unreadable(client, first, `has more than ${PAGES_MAX} pages`)
}

function unreadable({ venue_id }: VenueHttpClient, path: string, why: string): VenueAnswerError {
  return new VenueAnswerError({ venue_id, path }, why)
}

/** Returns the page size of each list: the venue's limit, or a smaller requested one. */
export function pageSizes<Lists extends string>(
  of_venue: Readonly<Record<Lists, number>>,
  page_max: number = Number.POSITIVE_INFINITY,
): Readonly<Record<Lists, number>> {
  const sizes = Object.entries<number>(of_venue).map(([list, size]) => [list, Math.min(size, page_max)])
  return Object.fromEntries(sizes) as Readonly<Record<Lists, number>>
}

/** Returns the request with other values of some parameters. */
export function withParameters(request: string, changes: Readonly<Record<string, string>>): string {
  const [path, query = ''] = request.split('?')
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) parameters.set(name, value)
  return `${path}?${parameters}`
}

/** Returns the parameters of the next page by offset, for a list whose last page is short. @param count of the page's items */
export function nextOffset(request: string, count: number): Readonly<Record<string, string>> | null {
  const parameters = new URLSearchParams(request.split('?')[1])
  const limit = Number(parameters.get('limit'))
  return count < limit ? null : { offset: String(Number(parameters.get('offset')) + limit) }
}

import { setTimeout as sleep } from 'node:timers/promises'

export type Item = Readonly<Record<string, unknown>>
export type Body = { readonly data: unknown; readonly page?: { readonly next_cursor: string | null } }

/** A response without the fields that may differ when the same request is sent again, and the cursor of its next page. */
export type TimelessAnswer = {
  readonly status: number
  readonly etag: string | null
  readonly body: Body & Item
  readonly next_cursor: string | null
}

/** Codes of a busy server. They state nothing about the data, so the request is sent again, within a bound. */
const BUSY = ['SERVICE_UNAVAILABLE', 'QUERY_TIMEOUT', 'VALIDATION_AS_OF_UNAVAILABLE']
const TRIES_MAX = 20
const WAIT_MS = 1_000

/** Sends a GET request until the server is not busy. */
export async function timelessAnswer(url: string): Promise<TimelessAnswer> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url)
    const body = (await response.json()) as Body & Item
    const { code } = (body.error ?? {}) as { readonly code?: string }
    if (BUSY.includes(code ?? '') && tries < TRIES_MAX) {
      await sleep(WAIT_MS)
      continue
    }
    const next_cursor = body.page?.next_cursor ?? null
    return { status: response.status, etag: response.headers.get('etag'), body: timeless(body), next_cursor }
  }
}

/** Removes the fields of the request, its instant, and cursors, which each process encrypts with its own key. */
function timeless(body: Body & Item): Body & Item {
  const { request_id: _request, published_at: _instant, ...meta } = (body.meta ?? {}) as Item
  const { next_cursor: _cursor, ...page } = (body.page ?? {}) as Item
  const { request_id: _failed, ...error } = (body.error ?? {}) as Item
  return { ...body, meta, page, error } as unknown as Body & Item
}

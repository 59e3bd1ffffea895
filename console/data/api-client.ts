import type { Static } from 'typebox'
import type { Meta, Page } from '../../protocol/envelope.ts'
import { errorOfAnswer, rateWaitOf, unreachable } from './api-error.ts'
import type { Turns } from './turns.ts'

export type Answer<T> = { readonly data: T; readonly meta: Static<typeof Meta>; readonly page?: Static<typeof Page> }
export type Query = Readonly<Record<string, string | number | boolean>>

/** Reads of the public API as of one instant. */
export type Api = {
  /** null: now. Every request carries it. */
  readonly as_of: string | null
  /** @throws {ApiError} */
  readonly get: <T>(path: string, query: Query, signal: AbortSignal) => Promise<Answer<T>>
}

export type ApiPorts = {
  readonly fetch: (url: string, options: { signal: AbortSignal }) => Promise<Response>
  /** Turns of all reads that share a limit: a refused one is repeated after its wait, once for all. */
  readonly turns: Turns
  /** Receives the meta of every answer. */
  readonly onMeta?: (meta: Static<typeof Meta>) => void
}

/** Creates the API as of an instant. The browser caches answers and ETags; nothing is cached here. */
export function apiAt(as_of: string | null, ports: ApiPorts): Api {
  return {
    as_of,
    async get<T>(path: string, query: Query, signal: AbortSignal) {
      const url = urlOf(path, as_of === null ? query : { ...query, as_of })
      const answer = await ports.turns.take(() => getOnce<T>(url, signal, ports), rateWaitOf)
      ports.onMeta?.(answer.meta)
      return answer
    },
  }
}

/** Reads a collection page by page, up to `records_max` records. */
export async function getAll<T>(
  api: Api,
  path: string,
  query: Query,
  signal: AbortSignal,
  records_max = 5000,
): Promise<readonly T[]> {
  const records: T[] = []
  let cursor: string | null = null
  do {
    const answer: Answer<readonly T[]> = await api.get(path, cursor === null ? query : { ...query, cursor }, signal)
    records.push(...answer.data)
    cursor = answer.page?.next_cursor ?? null
  } while (cursor !== null && records.length < records_max)
  return records
}

/** Returns the address of a read, also used in links. */
export function urlOf(path: string, query: Query): string {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return `/v1${path}${text === '' ? '' : `?${text}`}`
}

async function getOnce<T>(url: string, signal: AbortSignal, { fetch }: ApiPorts): Promise<Answer<T>> {
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    throw signal.aborted ? cause : unreachable()
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw errorOfAnswer(response.status, body)
  if (body === null) throw unreachable()
  return body as Answer<T>
}

import { RECEIPTS } from '../limits.ts'
import type { Endpoint } from './endpoint.ts'

/** Greatest `limit` of a list, and the smaller one with each parameter that adds to its records. */
export type PageLimit = { readonly max: number; readonly with: Readonly<Record<string, number>> }

/** Returns the page limit of an endpoint; null: it has no `limit`. The checks of requests have the same constants. */
export function pageLimitOf({ query, expanded }: Pick<Endpoint, 'query' | 'expanded'>): PageLimit | null {
  const max = (query.limit?.schema as { readonly maximum?: number } | undefined)?.maximum
  if (max === undefined) return null
  const smaller = {
    ...('expand' in query && expanded !== undefined && { expand: expanded.page_max }),
    ...('receipt' in query && { receipt: RECEIPTS.records_max }),
  }
  return { max, with: smaller }
}

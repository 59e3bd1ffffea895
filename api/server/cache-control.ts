import type { CacheClass } from '../../protocol/endpoints/endpoint.ts'
import type { ParameterValues } from './read-parameters.ts'

export const NOT_KEPT = 'no-store'
const A_SECOND = 'public, max-age=1'
export const FIVE_MINUTES = 'public, max-age=300'
const AN_HOUR = 'public, max-age=3600'

const BY_CLASS: Readonly<Record<CacheClass, string>> = {
  immutable: 'public, max-age=31536000, immutable',
  version: FIVE_MINUTES,
  record: AN_HOUR,
  current: A_SECOND,
  none: NOT_KEPT,
}

/**
 * Returns the Cache-Control of a response. One as of an instant is final and cached for an hour, because a venue's terms may still
 * change what is public. Records embedded by `expand` are current, and so are pages with a cursor, which expires with its secret.
 */
export function cacheControl(cache: CacheClass, values: ParameterValues, has_next: boolean): string {
  if (cache === 'none') return NOT_KEPT
  if (has_next) return A_SECOND
  if (values.as_of !== undefined) return AN_HOUR
  if (cache === 'immutable' && values.expand !== undefined) return A_SECOND
  return BY_CLASS[cache]
}

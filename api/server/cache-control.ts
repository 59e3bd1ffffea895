import type { CacheClass } from '../../protocol/endpoints/endpoint.ts'
import type { ParameterValues } from './read-parameters.ts'

export const NOT_KEPT = 'no-store'
const A_SECOND = 'public, max-age=1'
const FIVE_MINUTES = 'public, max-age=300'
const AN_HOUR = 'public, max-age=3600'

const BY_CLASS: Readonly<Record<CacheClass, string>> = {
  immutable: 'public, max-age=31536000, immutable',
  version: FIVE_MINUTES,
  record: AN_HOUR,
  current: A_SECOND,
  none: NOT_KEPT,
}

/**
 * How long an answer may be kept. An answer as of an instant is final: an hour, for records of terms may still be withdrawn.
 * What is embedded by `expand` is of now, and a cursor lives only as long as the secret that signed it: both are current.
 */
export function cacheControl(cache: CacheClass, values: ParameterValues, has_next: boolean): string {
  if (cache === 'none') return NOT_KEPT
  if (has_next) return A_SECOND
  if (values.as_of !== undefined) return AN_HOUR
  if (cache === 'immutable' && values.expand !== undefined) return A_SECOND
  return BY_CLASS[cache]
}

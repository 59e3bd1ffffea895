import { hash } from 'node:crypto'
import { ServiceError } from './errors.ts'
import { idForm, idPattern } from './id-form.ts'

/** Opaque ids with a type prefix. Clients must not interpret the prefix; we use it to catch a wrong kind early. */
export type IndexId = `idx_${string}`
export type IndexVersionId = `idv_${string}`
export type ConstituentId = `con_${string}`
export type MethodologyId = `mth_${string}`
export type MarketId = `mkt_${string}`
export type OutcomeId = `out_${string}`
export type EventId = `evt_${string}`
export type ResolutionId = `res_${string}`
export type TradeId = `trd_${string}`
export type RecordId = `obs_${string}`
export type MetricId = `mtc_${string}`
export type EligibilityId = `elg_${string}`

const SEPARATOR = '\u001f'

/**
 * Derives an id from content: the same parts give the same id everywhere, so a repeated import or a retried
 * activity cannot store a record twice. 128 bits of SHA-256 as lower-case hex. Parts must not contain U+001F.
 */
export function deriveId<P extends string>(prefix: P, ...parts: readonly (string | number | null)[]): `${P}_${string}` {
  let text = ''
  for (let n = 0; n < parts.length; n += 1) text += n === 0 ? (parts[n] ?? '') : `${SEPARATOR}${parts[n] ?? ''}`
  return `${prefix}_${sha256Hex(text).slice(0, 32)}`
}

/** Returns the lower-case hex SHA-256 of text (UTF-8) or bytes. */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex')
}

/**
 * Checks the shape of an id given by a user: {@link idForm}.
 * @throws {ServiceError} VALIDATION_ID_INVALID names `field` and the value
 */
export function parseId<P extends string>(prefix: P, value: unknown, field: string): `${P}_${string}` {
  if (typeof value === 'string' && new RegExp(idPattern(prefix)).test(value)) return value as `${P}_${string}`
  throw new ServiceError('VALIDATION_ID_INVALID', `${field} is ${JSON.stringify(value)}; allowed: ${idForm(prefix)}`, {
    field,
    value: String(value),
  })
}

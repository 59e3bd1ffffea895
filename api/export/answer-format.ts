import { ServiceError } from '../../primitives/errors.ts'
import { weightsOf } from '../server/content-coding.ts'

/** Media types of answers; histories are also offered as tables. */
export const MEDIA_TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  plain: 'text/plain',
} as const
export type AnswerFormat = keyof typeof MEDIA_TYPES

/** Forms beside JSON that an endpoint offers. */
export const OFFERED = {
  none: ['json'],
  tables: ['json', 'csv', 'parquet'],
  plain: ['json', 'plain'],
} as const satisfies Record<string, readonly AnswerFormat[]>

/**
 * Returns the format of an answer that a client accepts most, JSON among equals (RFC 9110, 12.5.1).
 * @param offered  formats of the endpoint
 * @throws {ServiceError} VALIDATION_ACCEPT_UNSUPPORTED
 */
export function answerFormat(accept: string | undefined, offered: readonly AnswerFormat[]): AnswerFormat {
  if (accept === undefined || accept === '*/*') return 'json'
  const weights = weightsOf(accept)
  let best: AnswerFormat | null = null
  for (const format of offered) {
    const weight = weightOf(format, weights)
    if (weight > 0 && (best === null || weight > weightOf(best, weights))) best = format
  }
  if (best !== null) return best
  const allowed = offered.map((format) => MEDIA_TYPES[format]).join(', ')
  const message = `Accept is ${JSON.stringify(accept.slice(0, ECHOED))}; allowed: ${allowed}`
  throw new ServiceError('VALIDATION_ACCEPT_UNSUPPORTED', message, { field: 'Accept', value: accept.slice(0, ECHOED) })
}

const ECHOED = 100

/** Returns the weight of the most specific range that covers a format. */
function weightOf(format: AnswerFormat, weights: ReadonlyMap<string, number>): number {
  const type = MEDIA_TYPES[format]
  return weights.get(type) ?? weights.get(`${type.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
}

import fc from 'fast-check'
import { ENDPOINTS, endpointOf, type OperationId } from '../../protocol/endpoints/endpoints.ts'
import { anyText } from './any-text.ts'

const OPERATIONS = Object.keys(ENDPOINTS) as OperationId[]
const NAMES = [...new Set(OPERATIONS.flatMap((id) => Object.keys(endpointOf(id).query)))]
const VALUES = [
  '1',
  '1000',
  '1001',
  'true',
  'raw',
  'latest_per_interval',
  'PT1M',
  'P1D',
  'YES',
  'mark',
  'out_a',
  'mkt_a',
  'valid',
]
const INSTANTS = [
  '2026-01-01T00:00:00Z',
  '2026-01-02T00:00:00Z',
  '2199-01-01T00:00:00Z',
  '1699-01-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
]

const name = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: fc.string() })
const value = fc.oneof(fc.constantFrom(...VALUES), fc.constantFrom(...INSTANTS), anyText())
const written = fc
  .tuple(name, value, fc.boolean())
  .map(([key, text, encoded]) =>
    encoded ? `${encodeURIComponent(key)}=${encodeURIComponent(text)}` : `${key}=${text}`,
  )

/** Query strings with names and values that endpoints know, and with others. */
export const queryStrings = fc.array(written, { maxLength: 6 }).map((pairs) => pairs.join('&'))

/** Percent-encodes what no request line can have. */
export function sendableTarget(target: string): string {
  return target.replaceAll(/[^\x21-\x7e]/gu, (character) =>
    /[\ud800-\udfff]/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character),
  )
}

import { ServiceError } from './errors.ts'
import { type Instant, type Micros, toMicros } from './instants.ts'

/**
 * Parses [from, to) given by a user.
 * @throws {ServiceError} VALIDATION_INSTANT_INVALID, or VALIDATION_RANGE_INVALID unless from < to
 */
export function parseRange(from: Instant, to: Instant): { from: Micros; to: Micros } {
  const range = { from: toMicros(from, 'from'), to: toMicros(to, 'to') }
  if (range.from >= range.to) {
    throw new ServiceError('VALIDATION_RANGE_INVALID', `to is ${to}; allowed: an instant after from (${from})`, {
      from,
      to,
    })
  }
  return range
}

/** Yields the multiples of `step` (from the Unix epoch, UTC) inside [from, to), ascending. `step` > 0. */
export function* ticksIn(range: { from: Micros; to: Micros }, step: Micros): Generator<Micros> {
  // + 0 turns a negative zero into zero.
  for (let tick = Math.ceil(range.from / step) * step + 0; tick < range.to; tick += step) yield tick
}

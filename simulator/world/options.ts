import { ServiceError } from '../../primitives/errors.ts'
import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

/** Venues that the simulator imitates. */
export const VENUES = ['polymarket', 'kalshi', 'manifold'] as const
export type VenueId = (typeof VENUES)[number]

/** Options that determine a world: equal options give an equal world on every machine. */
export type WorldOptions = {
  /** Any text. */
  readonly seed: string
  /** First instant. */
  readonly start: Micros
  /** Whole days from `start`, at least 1. */
  readonly days: number
  /** Markets per venue, at least 1. */
  readonly markets: number
  /** Interval between visits of traders to each market, in microseconds: whole seconds that divide a day. */
  readonly interval: Micros
  /** First number of its events, default 0: worlds in one warehouse must not share numbers. */
  readonly first_number?: number
  /** full: two of three events have complete rules; short, the default: none does. */
  readonly rules?: 'short' | 'full'
}

/** Length of a venue's past; more than a recorder requests, so it does not change a recording. */
export type VenuePast = {
  /** Time its tape lists a trade, and its history an hour; default 90 minutes and 30 hours. */
  readonly remembers?: Micros
  /** Age beyond which only Kalshi's historical endpoints serve data; default: 90 days before the world's start. */
  readonly historical_after?: Micros
}

const LIMITS = { days: 3_660, markets: 5_000 } as const

/**
 * Returns checked options.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID names the option
 */
export function checkOptions(options: WorldOptions): WorldOptions {
  const { days, markets, interval, start, seed } = options
  requireThat(Number.isInteger(days) && days >= 1 && days <= LIMITS.days, 'days', days, `1 to ${LIMITS.days}`)
  requireThat(
    Number.isInteger(markets) && markets >= 1 && markets <= LIMITS.markets,
    'markets',
    markets,
    `1 to ${LIMITS.markets}`,
  )
  const seconds = interval / MICROS_PER_SECOND
  const divides = Number.isInteger(seconds) && seconds >= 1 && MICROS_PER_DAY % interval === 0
  requireThat(divides, 'interval', `PT${seconds}S`, 'a duration of whole seconds that divides a day, such as PT10S')
  requireThat(start % MICROS_PER_SECOND === 0, 'start', start, 'an instant of whole seconds')
  requireThat(seed !== '', 'seed', JSON.stringify(seed), 'a text of at least one character')
  return options
}

/** Returns the end of a world, exclusive. */
export function endOf({ start, days }: WorldOptions): Micros {
  return start + days * MICROS_PER_DAY
}

function requireThat(condition: boolean, field: string, value: string | number, allowed: string): void {
  if (condition) return
  const facts = { field, value: String(value) }
  throw new ServiceError('VALIDATION_USAGE_INVALID', `${field} is ${value}; allowed: ${allowed}`, facts)
}

import { parseArgs } from 'node:util'
import { ServiceError } from '../../primitives/errors.ts'

/** What a run of the load may be told. */
export type LoadOptions = {
  readonly seconds: number
  /** Sent before, at the same rate, and not measured: programs that have just started are compiled while they run. */
  readonly warm_up_seconds: number
  /** Orders a second, sent whether or not the ones before were answered. */
  readonly rate: number
  readonly seed: string
  /** Markets that are traded. */
  readonly markets: number
  /** Sockets that follow the account that each is of, and the trades of one market each. */
  readonly private_streams: number
  readonly public_streams: number
  /** Settle what is traded, by a process beside engine and API. */
  readonly settle: boolean
  /** End engine, API and database half-way by signal 9, and start them again. */
  readonly kill: boolean
}

const SANDBOX_MARKETS = '4'
/** Every trade goes to all who follow its market: over few markets that alone would be measured. */
const FOLLOWED_MARKETS = '100'

/**
 * Of `npm run load -- --seconds 30 --rate 500 --private-streams 1000 --public-streams 1000 --settle`.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function loadOptions(argv: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string', default: '300' },
      'warm-up-seconds': { type: 'string', default: '15' },
      rate: { type: 'string', default: '1000' },
      seed: { type: 'string', default: 'tide' },
      markets: { type: 'string' },
      'private-streams': { type: 'string', default: '0' },
      'public-streams': { type: 'string', default: '0' },
      settle: { type: 'boolean', default: false },
      kill: { type: 'boolean', default: false },
    },
  })
  const { seed, settle, kill } = values
  const public_streams = whole('public-streams', values['public-streams'], 0)
  const options = {
    seconds: whole('seconds', values.seconds),
    warm_up_seconds: whole('warm-up-seconds', values['warm-up-seconds'], 0),
    rate: whole('rate', values.rate),
    seed,
    markets: whole('markets', values.markets ?? (public_streams > 0 ? FOLLOWED_MARKETS : SANDBOX_MARKETS)),
    private_streams: whole('private-streams', values['private-streams'], 0),
    public_streams,
    settle,
    kill,
  }
  if (kill && options.private_streams + options.public_streams > 0) {
    const message = 'kill is given with streams; allowed: one of them, because the sockets end with the API process'
    throw new ServiceError('VALIDATION_USAGE_INVALID', message)
  }
  return options
}

function whole(field: string, text: string, least: 0 | 1 = 1): number {
  const value = /^\d{1,6}$/.test(text) ? Number.parseInt(text, 10) : -1
  if (value >= least) return value
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${field} is ${text}; allowed: a whole number from ${least} to 999999`,
  )
}

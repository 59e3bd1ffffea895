import { parseArgs } from 'node:util'
import { ServiceError } from '../../primitives/errors.ts'

/** What a run of the load may be told. */
export type LoadOptions = {
  readonly seconds: number
  /** Orders a second, sent whether or not the ones before were answered. */
  readonly rate: number
  readonly seed: string
  /** End engine, API and database half-way by signal 9, and start them again. */
  readonly kill: boolean
}

/** Of `npm run load -- --seconds 30 --rate 500`. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export function loadOptions(argv: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string', default: '300' },
      rate: { type: 'string', default: '1000' },
      seed: { type: 'string', default: 'tide' },
      kill: { type: 'boolean', default: false },
    },
  })
  const { seed, kill } = values
  return { seconds: whole('seconds', values.seconds), rate: whole('rate', values.rate), seed, kill }
}

function whole(field: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number.parseInt(text, 10)
  throw new ServiceError('VALIDATION_USAGE_INVALID', `${field} is ${text}; allowed: a whole number from 1 to 999999`)
}

import { InvalidArgumentError, Option } from 'commander'
import { IMPORT_CLOCKS } from '../vocabulary/ingest.ts'

/** Options that several commands share, so that they read the same everywhere. */

export const clockOption = () =>
  new Option('--clock <clock>', 'wall: stamped now; recorded: stamped as the archive says')
    .choices(IMPORT_CLOCKS)
    .default('wall')

export const fromOption = () => new Option('--from <instant>', 'first instant, inclusive (RFC 3339, UTC)')
export const toOption = () => new Option('--to <instant>', 'last instant, exclusive (RFC 3339, UTC)')
export const atOption = () => new Option('--at <instant>', 'look at what was received by this instant (default: now)')
export const asOfOption = () => new Option('--as-of <instant>', 'answer as it was known at this instant (default: now)')
export const temporalOption = () =>
  new Option('--temporal', 'have a worker do it, through Temporal: it survives the end of any process')

/** A whole number that is not negative, given by an option. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Allowed: a whole number from 0 to 999999999.')
  return +text
}

/** A port given by an option. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || +text > 65_535) throw new InvalidArgumentError('Allowed: 0 to 65535.')
  return +text
}

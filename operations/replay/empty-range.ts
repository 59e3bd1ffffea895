import type { IndexVersion } from '../../pipelines/index/version.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatDuration, formatMicros, type Micros } from '../../primitives/instants.ts'

type Target = { readonly name: string; readonly versions: readonly IndexVersion[] }
type Range = { readonly from: Micros; readonly to: Micros }

/** Returns the sentence that a target has no tick in a range, with when it begins and how often it has one. */
export function emptyRangeText({ name, versions }: Target, range: Range, as_of: Micros): string {
  const [first] = versions
  const ruling = versions.findLast(({ effective_from }) => effective_from < range.to) ?? first
  const known = range.to > as_of ? `, as known at ${formatMicros(as_of)}` : ''
  const begins = first === undefined ? 'has no version' : `begins at ${formatMicros(first.effective_from)}`
  const often = ruling === undefined ? '' : `, with a tick every ${formatDuration(ruling.frequency)}`
  return `no tick from ${formatMicros(range.from)} to ${formatMicros(range.to)}${known}: ${name} ${begins}${often}`
}

/** Returns the error that a target has no tick in a range. @param hint what else may answer the question, after a semicolon */
export function emptyRangeError(target: Target, range: Range, as_of: Micros, hint = ''): ServiceError {
  const message = `range has ${emptyRangeText(target, range, as_of)}; allowed: a range with a tick of each side${hint}`
  return new ServiceError('VALIDATION_RANGE_INVALID', message, {
    from: formatMicros(range.from),
    to: formatMicros(range.to),
  })
}

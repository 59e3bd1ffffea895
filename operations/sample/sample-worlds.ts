import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invariant } from '../../primitives/errors.ts'
import { formatMicros, type Instant, MICROS_PER_DAY, toMicros } from '../../primitives/instants.ts'

/** One simulated recording, as datasets/sample/metadata.json describes it: these options determine every payload. */
export type SampleWorld = {
  /** Folder of its files, below that of the sample. */
  readonly folder: string
  readonly venues: readonly string[]
  readonly seed: string
  readonly start: Instant
  readonly days: number
  /** Markets per venue. */
  readonly markets: number
  /** Interval between two visits of traders to a market: ISO 8601. */
  readonly interval: string
}

const SAMPLE = fileURLToPath(new URL('../../datasets/sample/', import.meta.url))

/** Returns the recordings of the sample; the first is the week of all venues, which the indexes use. */
export function sampleWorlds(): readonly SampleWorld[] {
  return (JSON.parse(readFileSync(join(SAMPLE, 'metadata.json'), 'utf8')) as { worlds: SampleWorld[] }).worlds
}

/** Returns the definition files of the sample's indexes, in the order of their file names. */
export function sampleDefinitions(): readonly string[] {
  const names = readdirSync(join(SAMPLE, 'definitions')).filter((name) => name.endsWith('.yaml'))
  return names.sort().map((name) => join(SAMPLE, 'definitions', name))
}

/** Returns the range of the sample week, half-open. */
export function sampleRange(): { readonly from: Instant; readonly to: Instant } {
  const [week] = sampleWorlds()
  invariant(week !== undefined, 'the sample has a week')
  return { from: week.start, to: formatMicros(toMicros(week.start) + week.days * MICROS_PER_DAY) }
}

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { createSimulatedVenue } from '../simulated-venue.ts'
import { emptyTally, tally } from '../truth/trade-tally.ts'
import type { VenueTruth } from '../truth/truth.ts'
import { endOf, type VenueId, type WorldOptions } from '../world/options.ts'
import { planWorld, type WorldPlan } from '../world/plan.ts'
import { createDayFiles } from './day-files.ts'
import { recordVenue } from './record-venue.ts'

export type SimulateRequest = {
  readonly options: WorldOptions
  readonly venues: readonly VenueId[]
  /** Folder for the files; created if missing, and must be empty. */
  readonly dir: string
  readonly signal?: AbortSignal | undefined
  readonly on_progress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined
}

/** Summary of the written files. */
export type SimulateReport = {
  readonly seed: string
  readonly from: string
  readonly to: string
  readonly interval_seconds: number
  readonly events: number
  readonly markets: number
  readonly venues: readonly {
    readonly venue_id: VenueId
    readonly payloads: number
    readonly bytes: number
    readonly trades: number
  }[]
  readonly files: readonly string[]
}

const TRUTH_FILE = 'truth.json'
const STEPS_BETWEEN_LOOKS = 1_000

/**
 * Writes a simulated world as recorders of its venues would have kept it: one file per venue and UTC day, and `truth.json` with
 * the true events. Equal options give equal payloads; memory does not grow with the days. If aborted, it leaves nothing.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID if an option is out of range or the folder is not empty
 */
export async function simulateFiles(request: SimulateRequest): Promise<SimulateReport> {
  const { options, venues, dir } = request
  const plan = planWorld(options)
  await makeEmptyFolder(dir)
  const written: VenueFiles[] = []
  try {
    for (const [ordinal, venue_id] of venues.entries()) written.push(await writeVenue(plan, venue_id, ordinal, request))
    await writeFile(join(dir, TRUTH_FILE), truthText(plan, written), { flag: 'wx' })
  } catch (error) {
    await removeFiles(dir, [...written.flatMap(({ files }) => files.map(({ name }) => name)), TRUTH_FILE])
    throw error
  }
  return reportOf(plan, written)
}

type VenueFiles = {
  readonly venue_id: VenueId
  readonly files: readonly { readonly name: string; readonly payloads: number; readonly bytes: number }[]
  readonly truth: VenueTruth
}

async function writeVenue(
  plan: WorldPlan,
  venue_id: VenueId,
  ordinal: number,
  request: SimulateRequest,
): Promise<VenueFiles> {
  const { signal, on_progress, venues, options } = request
  const { world, wire, truth } = createSimulatedVenue(plan, venue_id)
  const trades = emptyTally()
  const files = createDayFiles(request.dir, venue_id)
  const length = endOf(options) - options.start
  const look = (at: Micros) => {
    signal?.throwIfAborted()
    on_progress?.({ done: ordinal * length + at - options.start, total: venues.length * length })
  }
  try {
    let count = 0
    for (const payload of recordVenue(world, wire, (batch) => tally(trades, batch))) {
      const wait = files.add(payload)
      if (wait !== null) await wait
      count += 1
      if (count % STEPS_BETWEEN_LOOKS === 0) look(payload.received_at)
    }
    await files.close()
  } catch (error) {
    await files.discard()
    throw error
  }
  return { venue_id, files: files.files, truth: truth(trades) }
}

async function makeEmptyFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true }).catch((error: unknown) => {
    throw refused(dir, 'cannot be created', error)
  })
  const found = await readdir(dir).catch((error: unknown) => {
    throw refused(dir, 'cannot be read', error)
  })
  if (found.length > 0) throw refused(dir, `holds ${found.length === 1 ? 'a file' : `${found.length} files`} already`)
}

function refused(dir: string, what: string, cause?: unknown): ServiceError {
  const message = `out is ${dir}, which ${what}; allowed: an empty folder, or a new one`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'out', value: dir }, cause)
}

async function removeFiles(dir: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => rm(join(dir, name), { force: true })))
}

function truthText({ options, events, markets, shocks }: WorldPlan, written: readonly VenueFiles[]): string {
  const world = {
    seed: options.seed,
    from: formatMicros(options.start),
    to: formatMicros(endOf(options)),
    interval_seconds: options.interval / 1_000_000,
    events: events.length,
    markets: markets.length,
    shocks: shocks.map(({ at, pushes }) => ({ at: formatMicros(at), pushes })),
    venues: written.map(({ truth }) => truth),
  }
  return `${JSON.stringify(world, null, 2)}\n`
}

function reportOf({ options, events, markets }: WorldPlan, written: readonly VenueFiles[]): SimulateReport {
  return {
    seed: options.seed,
    from: formatMicros(options.start),
    to: formatMicros(endOf(options)),
    interval_seconds: options.interval / 1_000_000,
    events: events.length,
    markets: markets.length,
    venues: written.map(({ venue_id, files, truth }) => ({
      venue_id,
      payloads: files.reduce((sum, { payloads }) => sum + payloads, 0),
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      trades: truth.trades.made,
    })),
    files: [...written.flatMap(({ files }) => files.map(({ name }) => name)), TRUTH_FILE],
  }
}

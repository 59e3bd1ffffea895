import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import {
  durationMicros,
  formatMicros,
  type Instant,
  MICROS_PER_DAY,
  MICROS_PER_SECOND,
  type Micros,
  toMicros,
} from '../../primitives/instants.ts'
import { refuseLaterFormat } from '../../primitives/later-format.ts'
import type { WorldOptions } from '../../simulator/world/options.ts'

/** Live simulated world, stored in `<home>/live/world.json` between starts. */
export type LiveWorld = {
  readonly format: 1
  /** Number of the world in its home; each world is a version of the live indexes. */
  readonly generation: number
  readonly seed: string
  readonly start: Instant
  readonly days: number
  /** Markets per venue. */
  readonly markets: number
  /** Interval between trader visits to each market: ISO 8601. */
  readonly interval: string
  /** Base date of the indexes: the first instant of the first world's version. null: not decided yet. */
  readonly base_date: Instant | null
  /** Start of this world's version of the indexes. null: not decided yet. */
  readonly effective_from: Instant | null
  /** Methodology version of this world's indexes; absent: the first one. A world keeps the one that it began with. */
  readonly methodology?: typeof LIVE_METHODOLOGY
}

/** Methodology version of the indexes of new worlds. */
const LIVE_METHODOLOGY = '1.1.0'

const SIZE = { days: 14, markets: 9, interval: 'PT20S' } as const
const MINUTE: Micros = 60 * MICROS_PER_SECOND
const HOUR: Micros = 60 * MINUTE
/** Past of a new world. */
const PAST: Micros = HOUR
/** Time before its end at which a world is replaced, so it never ends while it is served. */
const END_MARGIN: Micros = HOUR
/** Event numbers reserved for each world, so that worlds of a home share none. */
const NUMBERS_PER_WORLD = 100

/** Returns the known world, or the next one if there is none or it is over. */
export function chooseWorld(known: LiveWorld | null, now: Micros): LiveWorld {
  if (known !== null && now < leaveAt(known)) return known
  const generation = (known?.generation ?? 0) + 1
  return {
    format: 1,
    generation,
    seed: `live-${generation}`,
    start: formatMicros(Math.floor((now - PAST) / MINUTE) * MINUTE),
    ...SIZE,
    base_date: known?.base_date ?? null,
    effective_from: null,
    methodology: LIVE_METHODOLOGY,
  }
}

/** Returns when the service switches to the next world. */
export function leaveAt({ start, days }: LiveWorld): Micros {
  return toMicros(start) + days * MICROS_PER_DAY - END_MARGIN
}

/** Returns the simulator options of a world. */
export function worldOptions({ generation, seed, start, days, markets, interval }: LiveWorld): WorldOptions {
  return {
    seed,
    start: toMicros(start),
    days,
    markets,
    interval: durationMicros(interval, 'interval'),
    first_number: generation * NUMBERS_PER_WORLD,
    rules: 'full',
  }
}

/**
 * Reads the world of an earlier start; null if there is none.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE if the file is damaged
 */
export async function readWorld(home: string): Promise<LiveWorld | null> {
  const file = worldFile(home)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    const world = JSON.parse(text) as LiveWorld
    if (world.format === 1 && Number.isInteger(world.generation) && toMicros(world.start) > 0) return world
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isServiceError(error)) throw error
  }
  refuseLaterFormat(text, `world file ${file}`, 1, 'VALIDATION_INPUT_UNREADABLE')
  throw new ServiceError(
    'VALIDATION_INPUT_UNREADABLE',
    `world file ${file} is damaged; allowed: the file of an earlier start, or none (--fresh starts again)`,
    { file },
  )
}

/** Writes the world file atomically. */
export async function writeWorld(home: string, world: LiveWorld): Promise<void> {
  const file = worldFile(home)
  await mkdir(liveFolder(home), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(world, null, 2)}\n`)
  await rename(`${file}.new`, file)
}

/** Returns the folder of the live world's state. */
export function liveFolder(home: string): string {
  return join(home, 'live')
}

function worldFile(home: string): string {
  return join(liveFolder(home), 'world.json')
}

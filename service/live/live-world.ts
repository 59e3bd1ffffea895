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
import type { WorldOptions } from '../../simulator/world/options.ts'

/** The simulated world that goes on with the clock, as `<home>/live/world.json` keeps it between two starts. */
export type LiveWorld = {
  readonly format: 1
  /** Counts the worlds of one home: each is a version of the live indexes. */
  readonly generation: number
  readonly seed: string
  readonly start: Instant
  readonly days: number
  /** Markets a venue. */
  readonly markets: number
  /** How often traders come to each market: ISO 8601. */
  readonly interval: string
  /** Of the indexes: the first instant of the first world's version. null = not decided yet. */
  readonly base_date: Instant | null
  /** Of this world's version of the indexes. null = not decided yet. */
  readonly effective_from: Instant | null
}

const SIZE = { days: 14, markets: 9, interval: 'PT20S' } as const
const MINUTE: Micros = 60 * MICROS_PER_SECOND
const HOUR: Micros = 60 * MINUTE
/** A new world has been trading for so long. */
const PAST: Micros = HOUR
/** A world is left so long before its end, so that it never ends under a running service's eyes. */
const END_MARGIN: Micros = HOUR
/** Events of one world at most, so that no two worlds of a home share numbers. */
const NUMBERS_PER_WORLD = 100

/** The world to go on with: the known one, or the next where there is none or its time is over. */
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
  }
}

/** When the service goes on with another world. */
export function leaveAt({ start, days }: LiveWorld): Micros {
  return toMicros(start) + days * MICROS_PER_DAY - END_MARGIN
}

/** What the simulator makes the world from. */
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
 * The world that an earlier start kept; null where there was none.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE where the file is damaged
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
  throw new ServiceError(
    'VALIDATION_INPUT_UNREADABLE',
    `world ${file} is damaged; allowed: what an earlier start wrote, or no such file (--fresh starts again)`,
    { file },
  )
}

/** Replaces the file at once: a start that is ended leaves the old or the new one. */
export async function writeWorld(home: string, world: LiveWorld): Promise<void> {
  const file = worldFile(home)
  await mkdir(liveFolder(home), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(world, null, 2)}\n`)
  await rename(`${file}.new`, file)
}

/** Folder of what the live world keeps between two starts. */
export function liveFolder(home: string): string {
  return join(home, 'live')
}

function worldFile(home: string): string {
  return join(liveFolder(home), 'world.json')
}

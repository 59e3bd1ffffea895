import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type SampleWorld, sampleWorlds } from './sample-worlds.ts'

/** Writes the payloads of one world into a folder that is empty or new, and `truth.json` there last of all. */
export type WriteWorld = (world: SampleWorld, dir: string, signal?: AbortSignal) => Promise<void>

/** Written last: a folder that has it is complete. */
const TRUTH_FILE = 'truth.json'

/** Writes the recordings of the sample, each into its folder below `dir`; one that is complete is left as it is. */
export async function writeSampleWorlds(request: {
  readonly dir: string
  readonly write_world: WriteWorld
  readonly signal?: AbortSignal | undefined
}): Promise<void> {
  const { dir, write_world, signal } = request
  for (const world of sampleWorlds()) {
    const folder = join(dir, world.folder)
    if (existsSync(join(folder, TRUTH_FILE))) continue
    await rm(folder, { recursive: true, force: true })
    await write_world(world, folder, signal)
  }
}

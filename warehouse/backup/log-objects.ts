import { join } from 'node:path'
import { encodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { TILE_WIDTH, type TileAddress, tilePath, widthIn } from '../../pipelines/transparency/tiles.ts'
import { BUNDLE_CHECKPOINTS, fullBundles, openCheckpoints, SIZE_BYTES } from '../transparency/checkpoint-files.ts'
import { logCorrupt } from '../transparency/log-corrupt.ts'
import { type LogDisk, openLogDisk, readTile } from '../transparency/log-disk.ts'
import {
  CHECKPOINT,
  checkpointBundlePath,
  checkpointPath,
  LOG_FOLDER,
  SIZES,
  STATE,
  VKEY,
} from '../transparency/log-layout.ts'
import { type LogState, readLogState, stateBytes } from '../transparency/log-state.ts'

/** Log of published records at one head. */
export type LogHead = { readonly state: LogState; readonly disk: LogDisk; readonly vkey: Buffer }

/**
 * Reads the head of a log; null: there is none, or one without a checkpoint.
 * @param place folder that has the log's (`logPlace`)
 * @throws {ServiceError} LOG_CORRUPT
 */
export async function readLogHead(place: string): Promise<LogHead | null> {
  const disk = openLogDisk(join(place, LOG_FOLDER))
  const state = await readLogState(disk)
  const vkey = await disk.read(VKEY)
  return state === null || vkey === null || state.checkpoint === '' ? null : { state, disk, vkey }
}

/**
 * Yields the files of the log at a head, by paths below its folder. A log that grew meanwhile has wider tiles, which begin with the same
 * bytes: they are cut to the width that the head has, so that nothing of a later head is kept.
 * @throws {ServiceError} LOG_CORRUPT
 */
export async function* logObjects({ state, disk, vkey }: LogHead): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  for (const address of tilesOf(state.size)) yield { path: tilePath(address), bytes: await readTile(disk, address) }
  yield* checkpointFiles(disk, state.seals)
  yield { path: SIZES, bytes: await disk.readAt(SIZES, 0, state.seals * SIZE_BYTES) }
  yield { path: VKEY, bytes: vkey }
  yield { path: STATE, bytes: stateBytes(state) }
  yield { path: CHECKPOINT, bytes: Buffer.from(state.checkpoint) }
}

/** Yields the checkpoints of a head: bundles where they are full, whether the log has packed them or not, and single files. */
async function* checkpointFiles(disk: LogDisk, seals: number): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  const read = openCheckpoints(disk)
  const checkpointAt = async (ordinal: number) => {
    const bytes = await read(ordinal)
    if (bytes === null) throw logCorrupt(checkpointPath(ordinal), 'it is missing')
    return bytes
  }
  const bundles = fullBundles(seals)
  for (let index = 0; index < bundles; index += 1) {
    const texts: Buffer[] = []
    for (let n = 0; n < BUNDLE_CHECKPOINTS; n += 1) texts.push(await checkpointAt(index * BUNDLE_CHECKPOINTS + n))
    yield { path: checkpointBundlePath(index), bytes: encodeBundle(texts) }
  }
  for (let ordinal = bundles * BUNDLE_CHECKPOINTS; ordinal < seals; ordinal += 1)
    yield { path: checkpointPath(ordinal), bytes: await checkpointAt(ordinal) }
}

/** Yields the addresses of all tiles and bundles of a tree. */
function* tilesOf(size: number): Generator<TileAddress> {
  const levels: (number | 'entries')[] = ['entries']
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH))
    levels.push(level)
  for (const level of levels) {
    for (let index = 0; ; index += 1) {
      const width = widthIn(size, { level, index })
      if (width === 0) break
      yield { level, index, width }
    }
  }
}

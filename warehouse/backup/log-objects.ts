import { join } from 'node:path'
import { TILE_WIDTH, type TileAddress, tilePath, widthIn } from '../../pipelines/transparency/tiles.ts'
import { logCorrupt } from '../transparency/log-corrupt.ts'
import { type LogDisk, openLogDisk, readTile } from '../transparency/log-disk.ts'
import { SIZE_BYTES } from '../transparency/log-head.ts'
import { CHECKPOINT, checkpointPath, LOG_FOLDER, SIZES, STATE, VKEY } from '../transparency/log-layout.ts'
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
  for (let ordinal = 0; ordinal < state.seals; ordinal++) {
    const path = checkpointPath(ordinal)
    const bytes = await disk.read(path)
    if (bytes === null) throw logCorrupt(path, 'it is missing')
    yield { path, bytes }
  }
  yield { path: SIZES, bytes: await disk.readAt(SIZES, 0, state.seals * SIZE_BYTES) }
  yield { path: VKEY, bytes: vkey }
  yield { path: STATE, bytes: stateBytes(state) }
  yield { path: CHECKPOINT, bytes: Buffer.from(state.checkpoint) }
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

import { join } from 'node:path'
import { parseCheckpoint } from '../../pipelines/transparency/checkpoint.ts'
import { decodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { type LogEntry, parseEntry } from '../../pipelines/transparency/log-entry.ts'
import type { EntryProof } from '../../pipelines/transparency/record-proof.ts'
import { type Seal, sealedThrough, sealOf } from '../../pipelines/transparency/seal.ts'
import { parseNote } from '../../pipelines/transparency/signed-note.ts'
import { rangeHash, tilesOfRanges } from '../../pipelines/transparency/tile-hashes.ts'
import { TILE_WIDTH, type TileAddress, tilePath, widthIn } from '../../pipelines/transparency/tiles.ts'
import { hashText, type TreeHash } from '../../pipelines/transparency/tree-hash.ts'
import { consistencyRanges, inclusionRanges, type LeafRange } from '../../pipelines/transparency/tree-ranges.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'
import { openCheckpoints, SIZE_BYTES } from './checkpoint-files.ts'
import { logCorrupt } from './log-corrupt.ts'
import { openLogDisk, readTile } from './log-disk.ts'
import { CHECKPOINT, checkpointPath, LOG_FOLDER, SIZES, VKEY } from './log-layout.ts'
import { openLookUp } from './look-up.ts'

/** Signed checkpoint with its number of entries. */
type SignedCheckpoint = { readonly size: number; readonly text: string }

/** Log of a warehouse as readers see it: what its latest checkpoint covers, and nothing after it. */
export type LogReader = {
  /** Returns the latest checkpoint; null: the warehouse has no log yet. */
  checkpoint(): Promise<SignedCheckpoint | null>
  /** Returns the verifier key of the log; null: there is no log yet. */
  vkey(): Promise<string | null>
  /** Returns the bytes of a tile or bundle; null: the latest checkpoint does not cover it. */
  tile(address: TileAddress): Promise<Uint8Array | null>
  /** Returns the bytes of an entry that the latest checkpoint covers. */
  entry(index: number): Promise<Uint8Array>
  /** Returns the entries about a record with their indexes, first to last. */
  find(kind: string, record_id: string): Promise<readonly FoundEntry[]>
  /** Returns the smallest checkpoint that covers an entry. */
  covering(index: number): Promise<SignedCheckpoint>
  /**
   * Returns the first seal that has every record of some kinds through an instant, with its checkpoint; null: none does yet.
   * @param kinds  none: every kind of the seal
   */
  sealing(kinds: readonly string[], at: Micros): Promise<SealedCheckpoint | null>
  /** Returns the proof of an entry in a checkpoint. */
  prove(index: number, checkpoint: SignedCheckpoint): Promise<EntryProof>
  /** Returns the consistency proof from an old size to a size. */
  consistency(old_size: number, size: number): Promise<readonly TreeHash[]>
}

/** Checkpoint whose last entry is a seal. */
export type SealedCheckpoint = SignedCheckpoint & { readonly seal: Seal }

export type FoundEntry = { readonly index: number; readonly entry: LogEntry }

/** Opens a log for reading. It may be created later. @param place folder that has the log's (`logPlace`) */
export function openLogReader(place: string): LogReader {
  const disk = openLogDisk(join(place, LOG_FOLDER))
  const look_up = openLookUp(disk)
  const earlier = openCheckpoints(disk)
  const latest = async () => signedCheckpoint(await disk.read(CHECKPOINT))
  const checkpointAt = async (ordinal: number) => signedCheckpoint(await earlier(ordinal))
  const sizeOf = async (): Promise<number> => (await latest())?.size ?? 0
  const hashesOf = async (ranges: readonly LeafRange[], size: number): Promise<readonly TreeHash[]> => {
    const tiles = new Map<string, Uint8Array>()
    for (const address of tilesOfRanges(ranges, size)) tiles.set(tilePath(address), await readTile(disk, address))
    return ranges.map((range) => rangeHash(range, size, tiles))
  }
  const entry = async (index: number): Promise<Uint8Array> => {
    const at = Math.floor(index / TILE_WIDTH)
    const width = widthIn(await sizeOf(), { level: 'entries', index: at })
    const entries = decodeBundle(await readTile(disk, { level: 'entries', index: at, width }))
    const found = entries?.[index - at * TILE_WIDTH]
    if (found === undefined)
      throw logCorrupt(tilePath({ level: 'entries', index: at, width }), `it has no entry ${index}`)
    return found
  }
  const sizeAt = (place: number) => disk.readAt(SIZES, place * SIZE_BYTES, SIZE_BYTES)
  const sealAt = async (ordinal: number): Promise<SealedCheckpoint> => {
    const found = await checkpointAt(ordinal)
    if (found === null) throw logCorrupt(checkpointPath(ordinal), 'it is missing')
    return { ...found, seal: sealOf(parseEntry(await entry(found.size - 1))) }
  }
  return {
    checkpoint: latest,
    vkey: async () => (await disk.read(VKEY))?.toString().trim() ?? null,
    entry,
    async tile(address) {
      const width = widthIn(await sizeOf(), address)
      return address.width > width ? null : readTile(disk, address)
    },
    async find(kind, record_id) {
      const indexes = await look_up.find(kind, record_id, await sizeOf())
      const found = await Promise.all(indexes.map(async (index) => ({ index, entry: parseEntry(await entry(index)) })))
      return found.filter((one) => one.entry.kind === kind && one.entry.record_id === record_id)
    },
    async covering(index) {
      const newest = await latest()
      const found = await checkpointAt(await firstAbove(sizeAt, index))
      // A list that ends before the latest checkpoint, or goes on after it, was cut off by a crash or not published.
      return found === null || newest === null || found.size > newest.size || found.size <= index ? newest! : found
    },
    async sealing(kinds, at) {
      const size = await sizeOf()
      if (size === 0) return null
      let [low, high] = [0, await firstAbove(sizeAt, size - 1)]
      const reaches = async (ordinal: number) => reachesWith((await sealAt(ordinal)).seal, kinds, at)
      if (!(await reaches(high))) return null
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        if (await reaches(middle)) high = middle
        else low = middle + 1
      }
      return sealAt(low)
    },
    async prove(index, { size, text }) {
      const hashes = await hashesOf(inclusionRanges(index, size), size)
      const bytes = await entry(index)
      return { entry: Buffer.from(bytes).toString('base64'), index, hashes: hashes.map(hashText), checkpoint: text }
    },
    consistency: (old_size, size) => hashesOf(consistencyRanges(old_size, size), size),
  }
}

function signedCheckpoint(bytes: Buffer | null): SignedCheckpoint | null {
  if (bytes === null) return null
  const text = bytes.toString()
  return { text, size: parseCheckpoint(parseNote(text).text).size }
}

/** Reports whether a seal has every record of some kinds through an instant. */
function reachesWith(seal: Seal, kinds: readonly string[], at: Micros): boolean {
  if (kinds.length === 0) return toMicros(seal.sealed_through) >= at
  return kinds.every((kind) => (sealedThrough(seal, kind) ?? -1) >= at)
}

/** Returns the place of the first size above an index in an ascending list; its end if there is none. */
async function firstAbove(sizeAt: (place: number) => Promise<Buffer>, index: number): Promise<number> {
  const isAbove = async (place: number): Promise<boolean> => {
    const bytes = await sizeAt(place)
    return bytes.length < SIZE_BYTES || Number(bytes.readBigUInt64BE()) > index
  }
  let [low, high] = [0, 1]
  while (!(await isAbove(high - 1))) [low, high] = [high, high * 2]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isAbove(middle)) high = middle
    else low = middle + 1
  }
  return low
}

import { hash } from 'node:crypto'
import { decodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { parseEntry } from '../../pipelines/transparency/log-entry.ts'
import { TILE_WIDTH } from '../../pipelines/transparency/tiles.ts'
import { logCorrupt } from './log-corrupt.ts'
import { type LogDisk, readTile } from './log-disk.ts'
import { SEGMENT_ENTRIES, segmentPath } from './log-layout.ts'

/** Bytes of a row of a segment: eight of the name's hash, eight of the index. */
const ROW_BYTES = 16
const KEY_BYTES = 8

/** Rows of a segment are read in blocks of this many bytes. */
const BLOCK_BYTES = 4096

/** Index of the entries of a log by the names of their records. It derives from the entries, so a lost part is made again. */
export type LookUp = {
  /** Returns the indexes below a size of the entries about a record, ascending. */
  find(kind: string, record_id: string, size: number): Promise<readonly number[]>
}

/** Name of an entry. */
type EntryName = { readonly kind: string; readonly record_id: string }

/** Returns the first eight bytes of the hash of a name. */
function keyOf({ kind, record_id }: EntryName): Buffer {
  return hash('sha256', Buffer.from(`${kind}\u0000${record_id}`), 'buffer').subarray(0, KEY_BYTES)
}

/** Returns the bytes of a segment: its rows in the order of their keys. @param first  index of the first entry */
function segmentBytes(names: readonly EntryName[], first: number): Uint8Array {
  const rows = names.map((name, n) => {
    const row = Buffer.alloc(ROW_BYTES)
    row.set(keyOf(name))
    row.writeBigUInt64BE(BigInt(first + n), KEY_BYTES)
    return row
  })
  return Buffer.concat(rows.sort(Buffer.compare))
}

/** Returns the names of the entries [first, end) of a log. @throws {ServiceError} LOG_CORRUPT */
async function readNames(disk: LogDisk, first: number, end: number): Promise<readonly EntryName[]> {
  const names: EntryName[] = []
  for (let index = Math.floor(first / TILE_WIDTH); index * TILE_WIDTH < end; index += 1) {
    const width = Math.min(TILE_WIDTH, end - index * TILE_WIDTH)
    const bytes = await readTile(disk, { level: 'entries', index, width })
    const entries = decodeBundle(bytes)
    if (entries === null) throw logCorrupt(`bundle ${index}`, 'it does not end with an entry')
    names.push(...entries.slice(Math.max(0, first - index * TILE_WIDTH)).map(parseEntry))
  }
  return names
}

/** Writes the segments that a growth from a size to another completes. */
export async function writeSegments(disk: LogDisk, from: number, to: number): Promise<void> {
  for (let n = Math.floor(from / SEGMENT_ENTRIES); (n + 1) * SEGMENT_ENTRIES <= to; n += 1) {
    const first = n * SEGMENT_ENTRIES
    await disk.write(segmentPath(n), segmentBytes(await readNames(disk, first, first + SEGMENT_ENTRIES), first))
  }
}

/** Opens the look-up of a log: full segments are searched on disk, the entries after them in memory. */
export function openLookUp(disk: LogDisk): LookUp {
  let tail = new Map<string, number[]>()
  let [from, to] = [0, 0]
  const extend = async (size: number): Promise<void> => {
    const start = Math.floor(size / SEGMENT_ENTRIES) * SEGMENT_ENTRIES
    if (start !== from) {
      tail = new Map()
      ;[from, to] = [start, start]
    }
    const names = await readNames(disk, to, size)
    names.forEach((name, n) => {
      const key = keyOf(name).toString('hex')
      tail.set(key, [...(tail.get(key) ?? []), to + n])
    })
    to = size
  }
  let turn: Promise<void> = Promise.resolve()
  return {
    async find(kind, record_id, size) {
      const mine = turn.then(() => (size > to ? extend(size) : undefined))
      turn = mine.catch(() => undefined)
      await mine
      const key = keyOf({ kind, record_id })
      const stored = await Promise.all(
        Array.from({ length: Math.floor(from / SEGMENT_ENTRIES) }, (_, n) => findInSegment(disk, n, key)),
      )
      return [...stored.flat(), ...(tail.get(key.toString('hex')) ?? [])].filter((index) => index < size)
    },
  }
}

/** Rows of a block. */
const BLOCK_ROWS = BLOCK_BYTES / ROW_BYTES

/** Finds a key in a sorted segment. Keys are hashes, so the place of one is guessed from its value. */
async function findInSegment(disk: LogDisk, n: number, key: Buffer): Promise<readonly number[]> {
  const path = segmentPath(n)
  const rowsAt = async (first: number, rows: number): Promise<Buffer> => {
    const block = await disk.readAt(path, first * ROW_BYTES, rows * ROW_BYTES)
    if (block.length === 0) throw logCorrupt(path, 'it is missing or cut off')
    return block
  }
  let [low, high] = [0, SEGMENT_ENTRIES]
  let guess = Math.floor((key.readUInt32BE() / 2 ** 32) * SEGMENT_ENTRIES)
  for (;;) {
    const first = Math.max(low, Math.min(guess - BLOCK_ROWS / 2, high - BLOCK_ROWS))
    const block = await rowsAt(first, BLOCK_ROWS)
    const rows = block.length / ROW_BYTES
    const [before, after] = [compareAt(block, 0, key), compareAt(block, rows - 1, key)]
    if (before > 0 && first > low) high = first
    else if (after < 0 && first + rows < high) low = first + rows
    else if (before !== 0 && after !== 0) return rowsWith(block, key)
    // Entries about one record are neighbours, and may go on in the next block.
    else return rowsWith(await rowsAt(Math.max(0, first - BLOCK_ROWS), 3 * BLOCK_ROWS), key)
    guess = Math.floor((low + high) / 2)
  }
}

/** Compares the key of a row with another: positive if the row comes after it. */
function compareAt(block: Buffer, row: number, key: Buffer): number {
  return -key.compare(block, row * ROW_BYTES, row * ROW_BYTES + KEY_BYTES)
}

function rowsWith(block: Buffer, key: Buffer): readonly number[] {
  const found: number[] = []
  for (let at = 0; at + ROW_BYTES <= block.length; at += ROW_BYTES) {
    if (key.compare(block, at, at + KEY_BYTES) === 0) found.push(Number(block.readBigUInt64BE(at + KEY_BYTES)))
  }
  return found
}

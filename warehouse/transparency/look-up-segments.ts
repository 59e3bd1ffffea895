import { hash } from 'node:crypto'
import { decodeBundle } from '../../pipelines/transparency/entry-bundle.ts'
import { parseEntry } from '../../pipelines/transparency/log-entry.ts'
import { TILE_WIDTH } from '../../pipelines/transparency/tiles.ts'
import { isServiceError } from '../../primitives/errors.ts'
import { logCorrupt } from './log-corrupt.ts'
import { type LogDisk, readTile } from './log-disk.ts'
import { SEGMENT_ENTRIES, segmentPath } from './log-layout.ts'

/** Bytes of a row of a segment: eight of the name's hash, eight of the index. */
const ROW_BYTES = 16
const KEY_BYTES = 8
/** Bytes of the rows of a segment; their SHA-256 comes after them. */
const ROWS_BYTES = SEGMENT_ENTRIES * ROW_BYTES

/** Rows of a segment that are read at once. */
const BLOCK_ROWS = 256

/** Name of an entry. */
type EntryName = { readonly kind: string; readonly record_id: string }

/** Returns the first eight bytes of the hash of a name. */
export function keyOf({ kind, record_id }: EntryName): Buffer {
  return hash('sha256', Buffer.from(`${kind}\u0000${record_id}`), 'buffer').subarray(0, KEY_BYTES)
}

/** Returns the names of the entries [first, end) of a log. @throws {ServiceError} LOG_CORRUPT */
export async function readNames(disk: LogDisk, first: number, end: number): Promise<readonly EntryName[]> {
  const names: EntryName[] = []
  for (let index = Math.floor(first / TILE_WIDTH); index * TILE_WIDTH < end; index += 1) {
    const width = Math.min(TILE_WIDTH, end - index * TILE_WIDTH)
    const bytes = await readTile(disk, { level: 'entries', index, width })
    const entries = decodeBundle(bytes)
    if (entries === null) throw logCorrupt(`bundle ${index}`, 'it does not end with an entry')
    names.push(...entries.slice(Math.max(0, first - index * TILE_WIDTH)).map(nameOf))
  }
  return names
}

/** Keeps of an entry its name alone: a refusal may have a long text. */
function nameOf(bytes: Uint8Array): EntryName {
  const { kind, record_id } = parseEntry(bytes)
  return { kind, record_id }
}

/** Writes the segments that a growth from a size to another completes. */
export async function writeSegments(disk: LogDisk, from: number, to: number): Promise<void> {
  for (let n = Math.floor(from / SEGMENT_ENTRIES); (n + 1) * SEGMENT_ENTRIES <= to; n += 1) {
    await disk.write(segmentPath(n), withHash(await rowsOfEntries(disk, n)))
  }
}

/** Makes the lost and damaged segments of a log of a size again, from its entries. */
export async function repairSegments(disk: LogDisk, size: number): Promise<void> {
  for (let n = 0; (n + 1) * SEGMENT_ENTRIES <= size; n += 1) {
    if (!isWhole(await disk.read(segmentPath(n)))) {
      await disk.replace(segmentPath(n), withHash(await rowsOfEntries(disk, n)))
    }
  }
}

/** Full segments of a look-up, searched on disk. One that is lost or damaged is made again in memory, until its writer mends it. */
type Segments = {
  /** Returns the indexes of the entries with a key in a segment, ascending. */
  find(n: number, key: Buffer): Promise<readonly number[]>
}

/** Returns some rows of a segment. */
type ReadRows = (first: number, count: number) => Promise<Buffer>

/** Opens the full segments of a look-up. */
export function openSegments(disk: LogDisk): Segments {
  const opened = new Map<number, Promise<ReadRows>>()
  const open = (n: number, again: boolean): Promise<ReadRows> => {
    const known = again ? undefined : opened.get(n)
    if (known !== undefined) return known
    const reading = openSegment(disk, n)
    opened.set(n, reading)
    reading.catch(() => opened.delete(n))
    return reading
  }
  return {
    async find(n, key) {
      try {
        return await findRows(await open(n, false), key)
      } catch (error) {
        // It was whole when it was opened, and was cut off since.
        if (!isServiceError(error, 'LOG_CORRUPT')) throw error
        return findRows(await open(n, true), key)
      }
    },
  }
}

async function openSegment(disk: LogDisk, n: number): Promise<ReadRows> {
  const path = segmentPath(n)
  if (!isWhole(await disk.read(path))) {
    const rows = await rowsOfEntries(disk, n)
    return async (first, count) => rows.subarray(first * ROW_BYTES, (first + count) * ROW_BYTES)
  }
  return async (first, count) => {
    const block = await disk.readAt(path, first * ROW_BYTES, count * ROW_BYTES)
    if (block.length < count * ROW_BYTES) throw logCorrupt(path, 'it is missing or cut off')
    return block
  }
}

function isWhole(bytes: Buffer | null): boolean {
  if (bytes === null || bytes.length <= ROWS_BYTES) return false
  return hash('sha256', bytes.subarray(0, ROWS_BYTES), 'buffer').equals(bytes.subarray(ROWS_BYTES))
}

function withHash(rows: Buffer): Uint8Array {
  return Buffer.concat([rows, hash('sha256', rows, 'buffer')])
}

/** Returns the rows of a segment in the order of their keys. */
async function rowsOfEntries(disk: LogDisk, n: number): Promise<Buffer> {
  const first = n * SEGMENT_ENTRIES
  const rows = (await readNames(disk, first, first + SEGMENT_ENTRIES)).map((name, place) => {
    const row = Buffer.alloc(ROW_BYTES)
    row.set(keyOf(name))
    row.writeBigUInt64BE(BigInt(first + place), KEY_BYTES)
    return row
  })
  return Buffer.concat(rows.sort(Buffer.compare))
}

/** Finds a key in sorted rows. Keys are hashes, so the place of one is guessed from its value. */
async function findRows(rowsAt: ReadRows, key: Buffer): Promise<readonly number[]> {
  let [low, high] = [0, SEGMENT_ENTRIES]
  let guess = Math.floor((key.readUInt32BE() / 2 ** 32) * SEGMENT_ENTRIES)
  for (;;) {
    const first = Math.max(low, Math.min(guess - BLOCK_ROWS / 2, high - BLOCK_ROWS))
    const rows = Math.min(BLOCK_ROWS, SEGMENT_ENTRIES - first)
    const block = await rowsAt(first, rows)
    const [before, after] = [compareAt(block, 0, key), compareAt(block, rows - 1, key)]
    if (before > 0 && first > low) high = first
    else if (after < 0 && first + rows < high) low = first + rows
    else if (before !== 0 && after !== 0) return rowsWith(block, key)
    // Entries about one record are neighbours, and may go on in the next block.
    else return rowsWith(await rowsAround(rowsAt, first), key)
    guess = Math.floor((low + high) / 2)
  }
}

function rowsAround(rowsAt: ReadRows, first: number): Promise<Buffer> {
  const from = Math.max(0, first - BLOCK_ROWS)
  return rowsAt(from, Math.min(3 * BLOCK_ROWS, SEGMENT_ENTRIES - from))
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

import { isSame, sha256 } from './bytes.ts'
import { completeSubtrees, HASH_BYTES, type LeafRange, nodeHash } from './merkle-tree.ts'
import { ProofFault } from './proof-fault.ts'

const WIDTH = 256

/** A tile of a tree of one size; `width` below 256 makes it a partial one. */
export type Tile = { readonly level: number; readonly index: number; readonly width: number }
/** Bytes of tiles by path. */
export type TileBytes = ReadonlyMap<string, Uint8Array>

/** Returns the path of a tile below /log/: `tile/0/x001/x234/067.p/12`. */
export function tilePath({ level, index, width }: Tile): string {
  return `tile/${level}/${numberPath(index)}${partOf(width)}`
}

/** Returns the path of the bundle that has the last entries of a log. */
export function lastBundlePath(size: number): string {
  const index = Math.floor((size - 1) / WIDTH)
  return `tile/entries/${numberPath(index)}${partOf(size - index * WIDTH)}`
}

/** Returns the entries of a bundle, each after its length as a big-endian uint16. @throws {ProofFault} */
export function entriesOf(bundle: Uint8Array): readonly Uint8Array[] {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bundle.length; ) {
    const end = at + 2 + bundle[at]! * 256 + (bundle[at + 1] ?? 0)
    if (end > bundle.length) throw new ProofFault('The bundle of entries ends within an entry.')
    entries.push(bundle.subarray(at + 2, end))
    at = end
  }
  return entries
}

/** Returns the tiles that hold the hashes of ranges, each once. */
export function tilesOf(ranges: readonly LeafRange[], size: number): readonly Tile[] {
  const tiles = ranges.flatMap(completeSubtrees).map((subtree) => placeOf(subtree, size).tile)
  return [...new Map(tiles.map((tile) => [tilePath(tile), tile])).values()]
}

/** Returns every tile of a tree. */
export function allTiles(size: number): readonly Tile[] {
  const tiles: Tile[] = []
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / WIDTH))
    for (let index = 0; index * WIDTH < hashes; index += 1)
      tiles.push({ level, index, width: Math.min(WIDTH, hashes - index * WIDTH) })
  return tiles
}

/** Returns the Merkle tree hash of a range, which is not empty. @throws {ProofFault} a tile has another length */
export async function rangeHash(range: LeafRange, size: number, tiles: TileBytes): Promise<Uint8Array> {
  const hashes = await Promise.all(
    completeSubtrees(range).map((subtree) => {
      const { tile, first, count } = placeOf(subtree, size)
      return subtreeRoot(hashesOf(tile, tiles).slice(first, first + count))
    }),
  )
  let hash = hashes.at(-1)!
  for (const left of hashes.slice(0, -1).reverse()) hash = await nodeHash(left, hash)
  return hash
}

/** Returns the root of a tree from its tiles. @throws {ProofFault} a tile has another length */
export function rootOf(size: number, tiles: TileBytes): Promise<Uint8Array> {
  return size === 0 ? sha256(new Uint8Array(0)) : rangeHash({ start: 0, end: size }, size, tiles)
}

/** Compares each full tile with the hash that the tile above has of it, for the tiles at hand. @throws {ProofFault} */
export async function compareLevels(held: readonly Tile[], size: number, tiles: TileBytes): Promise<void> {
  for (const tile of held.filter(({ width }) => width === WIDTH)) {
    const index = Math.floor(tile.index / WIDTH)
    const above = { level: tile.level + 1, index, width: widthIn(size, tile.level + 1, index) }
    if (!tiles.has(tilePath(above))) continue
    const expected = hashesOf(above, tiles)[tile.index - index * WIDTH]!
    if (!isSame(await subtreeRoot(hashesOf(tile, tiles)), expected))
      throw new ProofFault(`${tilePath(tile)} is not what ${tilePath(above)} has of it.`)
  }
}

/** Returns the leaf hashes of the last bundle. @throws {ProofFault} the tile that has them is absent */
export function lastLeaves(size: number, tiles: TileBytes): readonly Uint8Array[] {
  const index = Math.floor((size - 1) / WIDTH)
  return hashesOf({ level: 0, index, width: widthIn(size, 0, index) }, tiles)
}

function hashesOf(tile: Tile, tiles: TileBytes): readonly Uint8Array[] {
  const bytes = tiles.get(tilePath(tile))
  if (bytes?.length !== tile.width * HASH_BYTES)
    throw new ProofFault(`${tilePath(tile)} has ${bytes?.length ?? 0} bytes; ${tile.width * HASH_BYTES} are expected.`)
  return Array.from({ length: tile.width }, (_, n) => bytes.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES))
}

async function subtreeRoot(hashes: readonly Uint8Array[]): Promise<Uint8Array> {
  let row = hashes
  while (row.length > 1) {
    const below = row
    row = await Promise.all(
      Array.from({ length: below.length / 2 }, (_, n) => nodeHash(below[2 * n]!, below[2 * n + 1]!)),
    )
  }
  return row[0]!
}

/** Finds a complete subtree in the lowest tile whose hashes it consists of: at most 128 of them. */
function placeOf({ start, end }: LeafRange, size: number) {
  let [level, span] = [0, 1]
  while (span * WIDTH <= end - start) [level, span] = [level + 1, span * WIDTH]
  const at = start / span
  const index = Math.floor(at / WIDTH)
  const tile: Tile = { level, index, width: widthIn(size, level, index) }
  return { tile, first: at - index * WIDTH, count: (end - start) / span }
}

function widthIn(size: number, level: number, index: number): number {
  return Math.min(WIDTH, Math.floor(size / WIDTH ** level) - index * WIDTH)
}

function numberPath(index: number): string {
  const groups = String(index)
    .padStart(Math.ceil(String(index).length / 3) * 3, '0')
    .match(/\d{3}/g)!
  return groups.map((group, n) => (n === groups.length - 1 ? group : `x${group}`)).join('/')
}

function partOf(width: number): string {
  return width === WIDTH ? '' : `.p/${width}`
}

import { hashAt, TILE_HEIGHT, TILE_WIDTH, type TileAddress, tilePath, widthIn } from './tiles.ts'
import { EMPTY_ROOT, nodeHash, type TreeHash } from './tree-hash.ts'
import { completeSubtrees, type LeafRange } from './tree-ranges.ts'

/** Bytes of tiles by path. */
export type TileBytes = ReadonlyMap<string, Uint8Array>

/** Complete subtree inside one tile: hashes [first, first + count) of the tile. */
type Placed = { readonly tile: TileAddress; readonly first: number; readonly count: number }

/**
 * Returns the tiles that hold the hashes of ranges in a tree of a size, each once. A proof of any tree needs about one tile a level.
 */
export function tilesOfRanges(ranges: readonly LeafRange[], size: number): readonly TileAddress[] {
  const found = new Map<string, TileAddress>()
  for (const range of ranges) {
    for (const subtree of completeSubtrees(range)) {
      const { tile } = placeOf(subtree, size)
      found.set(tilePath(tile), tile)
    }
  }
  return [...found.values()]
}

/** Returns the tiles that the root of a size is computed from. */
export function tilesOfRoot(size: number): readonly TileAddress[] {
  return size === 0 ? [] : tilesOfRanges([{ start: 0, end: size }], size)
}

/** Returns the Merkle tree hash of a range of a tree of a size from its tiles. */
export function rangeHash(range: LeafRange, size: number, tiles: TileBytes): TreeHash {
  if (range.start === range.end) return EMPTY_ROOT
  const hashes = completeSubtrees(range).map((subtree) => {
    const { tile, first, count } = placeOf(subtree, size)
    return subtreeRoot(tiles.get(tilePath(tile))!, first, count)
  })
  return hashes.reduceRight((right, left) => nodeHash(left, right))
}

/** Returns the root of `count` consecutive hashes of a tile; a power of two. */
export function subtreeRoot(tile: Uint8Array, first: number, count: number): TreeHash {
  let row = Array.from({ length: count }, (_, n) => hashAt(tile, first + n))
  while (row.length > 1) row = Array.from({ length: row.length / 2 }, (_, n) => nodeHash(row[2 * n]!, row[2 * n + 1]!))
  return row[0]!
}

/** Finds the tile of a complete subtree: the lowest level whose hashes it consists of, at most 128 of them. */
function placeOf({ start, end }: LeafRange, size: number): Placed {
  let level = 0
  let span = 1
  while (span * TILE_WIDTH <= end - start) {
    level += 1
    span *= 2 ** TILE_HEIGHT
  }
  const at = start / span
  const index = Math.floor(at / TILE_WIDTH)
  const tile = { level, index, width: widthIn(size, { level, index }) }
  return { tile, first: at - index * TILE_WIDTH, count: (end - start) / span }
}

import { subtreeRoot } from './tile-hashes.ts'
import { TILE_BYTES, TILE_WIDTH, type TileAddress } from './tiles.ts'
import { EMPTY_ROOT, HASH_BYTES, nodeHash, type TreeHash } from './tree-hash.ts'

/** Right edge of a tree: the bytes of the partial tile of each level, lowest first. All else of the tree is in full tiles. */
export type TreeEdge = { readonly size: number; readonly partial: readonly Uint8Array[] }

export const EMPTY_EDGE: TreeEdge = { size: 0, partial: [] }

/** Tile to write, with its bytes. */
type MadeTile = { readonly address: TileAddress; readonly bytes: Uint8Array }

/** Tree after an append: its edge, and the tiles that are new or wider. */
export type Growth = { readonly edge: TreeEdge; readonly tiles: readonly MadeTile[] }

/** Level of a tree that grows: its partial tile in a buffer that is replaced when it is full. */
type Level = { bytes: Uint8Array; width: number; index: number; grew: boolean }

/**
 * Appends leaf hashes to a tree. Costs two hashes a leaf: a node is hashed when its tile is full, and only the edge is kept.
 */
export function growTree(edge: TreeEdge, leaf_hashes: readonly TreeHash[]): Growth {
  const tiles: MadeTile[] = []
  const levels = edge.partial.map((bytes, level) => openLevel(bytes, firstIndex(edge.size, level)))
  const push = (level: number, hash: TreeHash): void => {
    levels[level] ??= openLevel(new Uint8Array(0), 0)
    const at = levels[level]
    at.bytes.set(hash, at.width * HASH_BYTES)
    at.width += 1
    at.grew = true
    if (at.width < TILE_WIDTH) return
    tiles.push({ address: { level, index: at.index, width: TILE_WIDTH }, bytes: at.bytes })
    levels[level] = openLevel(new Uint8Array(0), at.index + 1)
    push(level + 1, subtreeRoot(at.bytes, 0, TILE_WIDTH))
  }
  for (const hash of leaf_hashes) push(0, hash)
  const partial = levels.map(({ bytes, width }) => bytes.subarray(0, width * HASH_BYTES))
  levels.forEach(({ width, index, grew }, level) => {
    if (grew && width > 0) tiles.push({ address: { level, index, width }, bytes: partial[level]! })
  })
  return { edge: { size: edge.size + leaf_hashes.length, partial }, tiles }
}

/** Returns the root of a tree from its edge. */
export function edgeRoot({ partial }: TreeEdge): TreeHash {
  const subtrees: TreeHash[] = []
  for (const bytes of [...partial].reverse()) {
    const width = bytes.length / HASH_BYTES
    let first = 0
    for (let count = TILE_WIDTH / 2; count >= 1; count /= 2) {
      if (width - first < count) continue
      subtrees.push(subtreeRoot(bytes, first, count))
      first += count
    }
  }
  return subtrees.length === 0 ? EMPTY_ROOT : subtrees.reduceRight((right, left) => nodeHash(left, right))
}

function openLevel(bytes: Uint8Array, index: number): Level {
  const room = new Uint8Array(TILE_BYTES)
  room.set(bytes)
  return { bytes: room, width: bytes.length / HASH_BYTES, index, grew: false }
}

/** Returns the index of the tile of a level that the next hash belongs to. */
function firstIndex(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** (level + 1))
}

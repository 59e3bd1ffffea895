import { EMPTY_EDGE, growTree, type TreeEdge } from '../../../pipelines/transparency/grow-tree.ts'
import { rangeHash } from '../../../pipelines/transparency/tile-hashes.ts'
import { tilePath } from '../../../pipelines/transparency/tiles.ts'
import { leafHash, type TreeHash } from '../../../pipelines/transparency/tree-hash.ts'
import { consistencyRanges, inclusionRanges } from '../../../pipelines/transparency/tree-ranges.ts'

/** Tree in memory whose tiles are kept by path. */
export type MemoryTree = { readonly edge: TreeEdge; readonly tiles: Map<string, Uint8Array> }

/** Entry of a test tree. */
export const vectorEntry = (n: number): Uint8Array => Buffer.from(`tidemark log vector ${n}`)

/** Returns the tree of the first `size` entries, grown in batches of these sizes, repeated. */
export function memoryTree(size: number, batches: readonly number[] = [size], entryOf = vectorEntry): MemoryTree {
  const tiles = new Map<string, Uint8Array>()
  let edge = EMPTY_EDGE
  for (let n = 0; edge.size < size; n += 1) {
    const length = Math.min(size - edge.size, Math.max(1, batches[n % batches.length]!))
    const grown = growTree(
      edge,
      Array.from({ length }, (_, at) => leafHash(entryOf(edge.size + at))),
    )
    for (const { address, bytes } of grown.tiles) tiles.set(tilePath(address), bytes)
    edge = grown.edge
  }
  return { edge, tiles }
}

/** Returns the inclusion proof of an entry from tiles. */
export function inclusionOf({ edge, tiles }: MemoryTree, index: number): TreeHash[] {
  return inclusionRanges(index, edge.size).map((range) => rangeHash(range, edge.size, tiles))
}

/** Returns the consistency proof from an old size, from tiles. */
export function consistencyOf({ edge, tiles }: MemoryTree, old_size: number): TreeHash[] {
  return consistencyRanges(old_size, edge.size).map((range) => rangeHash(range, edge.size, tiles))
}

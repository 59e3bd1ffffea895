import { EMPTY_ROOT, nodeHash, type TreeHash } from './tree-hash.ts'

/**
 * Second way to the root of a tree, which shares nothing with tiles but the node hash: the roots of the complete subtrees that the tree
 * consists of, largest first. An append merges like a binary counter.
 */
export type CompactRange = { readonly size: number; readonly roots: readonly TreeHash[] }

export const EMPTY_RANGE: CompactRange = { size: 0, roots: [] }

/** Appends leaf hashes. */
export function extendRange(range: CompactRange, leaf_hashes: readonly TreeHash[]): CompactRange {
  const roots = [...range.roots]
  let { size } = range
  for (const leaf of leaf_hashes) {
    roots.push(leaf)
    size += 1
    for (let rest = size; rest % 2 === 0; rest /= 2) {
      const right = roots.pop()!
      roots.push(nodeHash(roots.pop()!, right))
    }
  }
  return { size, roots }
}

/** Returns the root of the tree. */
export function rangeRoot({ roots }: CompactRange): TreeHash {
  return roots.length === 0 ? EMPTY_ROOT : roots.reduceRight((right, left) => nodeHash(left, right))
}

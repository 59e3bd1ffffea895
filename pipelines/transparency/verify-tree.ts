import { nodeHash, sameHash, type TreeHash } from './tree-hash.ts'

/**
 * Returns the root that an inclusion proof leads to; null if the proof has not the length that the place of the leaf needs
 * (RFC 9162, 2.1.3.2).
 */
export function rootOfInclusion(
  leaf: TreeHash,
  { index, size }: { readonly index: number; readonly size: number },
  proof: readonly TreeHash[],
): TreeHash | null {
  if (!isCount(index) || !isCount(size) || index >= size) return null
  let [at, last, hash] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash)
      // A last node without a right neighbour climbs unpaired until it is a right child.
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      hash = nodeHash(hash, sibling)
    }
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 ? hash : null
}

/** One size of a log with its root. */
export type TreeHead = { readonly size: number; readonly root: TreeHash }

/** Returns whether a tree continues an older one: every leaf of the older tree is at its place (RFC 9162, 2.1.4.2). */
export function isConsistent(old: TreeHead, now: TreeHead, proof: readonly TreeHash[]): boolean {
  if (!isCount(old.size) || !isCount(now.size) || old.size > now.size) return false
  if (old.size === now.size) return proof.length === 0 && sameHash(old.root, now.root)
  if (old.size === 0) return proof.length === 0
  const hashes = isPowerOfTwo(old.size) ? [old.root, ...proof] : proof
  const [first, ...rest] = hashes
  if (first === undefined) return false
  let [at, last] = [old.size - 1, now.size - 1]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  let [old_root, root] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      old_root = nodeHash(hash, old_root)
      root = nodeHash(hash, root)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      root = nodeHash(root, hash)
    }
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && sameHash(old_root, old.root) && sameHash(root, now.root)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function isPowerOfTwo(value: number): boolean {
  let power = 1
  while (power < value) power *= 2
  return power === value
}

function half(value: number): number {
  return Math.floor(value / 2)
}

import { createHash } from 'node:crypto'

/** The tree of RFC 6962 by its recursive definitions, over leaf hashes: slow, and close to the text of the standard. */

export type Hash = Buffer

export function naiveLeaf(entry: Uint8Array): Hash {
  return createHash('sha256').update(Buffer.of(0)).update(entry).digest()
}

const node = (left: Hash, right: Hash): Hash =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()

/** MTH of 2.1. */
export function naiveRoot(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return createHash('sha256').digest()
  if (leaves.length === 1) return leaves[0]!
  const k = split(leaves.length)
  return node(naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)))
}

/** PATH of 2.1.1. */
export function naiveInclusion(index: number, leaves: readonly Hash[]): Hash[] {
  if (leaves.length === 1) return []
  const k = split(leaves.length)
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)]
  return index < k
    ? [...naiveInclusion(index, left), naiveRoot(right)]
    : [...naiveInclusion(index - k, right), naiveRoot(left)]
}

/** PROOF of 2.1.2. */
export function naiveConsistency(old_size: number, leaves: readonly Hash[]): Hash[] {
  return old_size === 0 ? [] : subproof(old_size, leaves, true)
}

function subproof(m: number, leaves: readonly Hash[], is_known: boolean): Hash[] {
  if (m === leaves.length) return is_known ? [] : [naiveRoot(leaves)]
  const k = split(leaves.length)
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)]
  return m <= k
    ? [...subproof(m, left, is_known), naiveRoot(right)]
    : [...subproof(m - k, right, false), naiveRoot(left)]
}

function split(length: number): number {
  return 2 ** Math.floor(Math.log2(length - 1))
}

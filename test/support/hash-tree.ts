import { createHash } from 'node:crypto'
import { invariant } from '../../primitives/errors.ts'

/**
 * The Merkle hash tree of RFC 6962, section 2.1, over SHA-256: one root commits to an ordered list of records, and a short
 * proof shows that one record is in it. Hashes are lower-case hex; a leaf's data is text (UTF-8) or bytes.
 *
 * Leaves and nodes are hashed under different prefixes, so no node can pass for a leaf. Recomputes roots for the golden cases.
 */
export type LeafData = string | Uint8Array
export type HashHex = string

const LEAF_PREFIX = Uint8Array.of(0x00)
const NODE_PREFIX = Uint8Array.of(0x01)

/** SHA-256(0x00 || data). */
export function leafHash(data: LeafData): HashHex {
  return createHash('sha256').update(LEAF_PREFIX).update(data).digest('hex')
}

/** SHA-256(0x01 || left || right). */
export function nodeHash(left: HashHex, right: HashHex): HashHex {
  return createHash('sha256').update(NODE_PREFIX).update(left, 'hex').update(right, 'hex').digest('hex')
}

/** Root over the leaves in their order; the root of no leaves is the SHA-256 of nothing. */
export function treeRoot(leaves: readonly LeafData[]): HashHex {
  if (leaves.length === 0) return createHash('sha256').digest('hex')
  return rootOf(leaves.map(leafHash))
}

/** The sibling hashes from the leaf at `index` up to the root, lowest first. 0 <= index < leaves.length. */
export function inclusionProof(leaves: readonly LeafData[], index: number): HashHex[] {
  invariant(Number.isInteger(index) && index >= 0 && index < leaves.length, 'inclusionProof: index is not a leaf')
  return pathOf(leaves.map(leafHash), index)
}

/** True when `proof` leads from `data` at `index` of `size` leaves to `root` (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  data: LeafData,
  index: number,
  size: number,
  proof: readonly HashHex[],
  root: HashHex,
): boolean {
  if (!Number.isInteger(index) || index < 0 || index >= size) return false
  let hash = leafHash(data)
  let position = index
  let last = size - 1
  for (const sibling of proof) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash)
      // A last node without a right neighbor climbs unpaired until it is someone's right child.
      while (position % 2 === 0 && position !== 0) {
        position = half(position)
        last = half(last)
      }
    } else {
      hash = nodeHash(hash, sibling)
    }
    position = half(position)
    last = half(last)
  }
  return last === 0 && hash === root
}

function rootOf(hashes: readonly HashHex[]): HashHex {
  if (hashes.length === 1) return hashes[0]!
  const split = splitPoint(hashes.length)
  return nodeHash(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)))
}

function pathOf(hashes: readonly HashHex[], index: number): HashHex[] {
  if (hashes.length === 1) return []
  const split = splitPoint(hashes.length)
  const left = hashes.slice(0, split)
  const right = hashes.slice(split)
  return index < split ? [...pathOf(left, index), rootOf(right)] : [...pathOf(right, index - split), rootOf(left)]
}

/** The largest power of two below `length`; length > 1. */
function splitPoint(length: number): number {
  let split = 1
  while (split * 2 < length) split *= 2
  return split
}

function half(value: number): number {
  return Math.floor(value / 2)
}

import { type Bytes, isSame, joined, sha256 } from './bytes.ts'

/** The tree of RFC 6962 as docs/log-format.md describes it: a second implementation, which shares nothing with the server's. */

export const HASH_BYTES = 32

/** One size of a log with its root. */
export type TreeHead = { readonly size: number; readonly root: Uint8Array }
/** Leaves [start, end). */
export type LeafRange = { readonly start: number; readonly end: number }

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** Returns the leaf hash of an entry. */
export function leafHash(entry: Uint8Array): Promise<Bytes> {
  return sha256(joined(LEAF, entry))
}

/** Returns the hash of a node. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Promise<Bytes> {
  return sha256(joined(NODE, left, right))
}

/** Returns the root that an inclusion proof leads to; null if the proof has not the length that the place needs. */
export async function rootOfInclusion(
  leaf: Uint8Array,
  { index, size }: { readonly index: number; readonly size: number },
  proof: readonly Uint8Array[],
): Promise<Uint8Array | null> {
  if (!isCount(index) || !isCount(size) || index >= size) return null
  let [at, last, hash] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return null
    if (at % 2 === 1 || at === last) {
      hash = await nodeHash(sibling, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else hash = await nodeHash(hash, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 ? hash : null
}

/** Reports whether a consistency proof shows that a tree begins with all entries of an older one. */
export async function isConsistent(old: TreeHead, now: TreeHead, proof: readonly Uint8Array[]): Promise<boolean> {
  if (!isCount(old.size) || !isCount(now.size) || old.size > now.size) return false
  if (old.size === now.size) return proof.length === 0 && isSame(old.root, now.root)
  if (old.size === 0) return proof.length === 0
  const [first, ...rest] = isPowerOfTwo(old.size) ? [old.root, ...proof] : proof
  if (first === undefined) return false
  let [at, last, old_hash, hash] = [old.size - 1, now.size - 1, first, first]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  for (const sibling of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      ;[old_hash, hash] = [await nodeHash(sibling, old_hash), await nodeHash(sibling, hash)]
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else hash = await nodeHash(hash, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && isSame(old_hash, old.root) && isSame(hash, now.root)
}

/** Returns the ranges whose hashes prove the inclusion of a leaf, lowest first. 0 <= index < size. */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  const down: LeafRange[] = []
  let range: LeafRange = { start: 0, end: size }
  while (range.end - range.start > 1) {
    const [left, right] = halves(range)
    const is_left = index < left.end
    down.push(is_left ? right : left)
    range = is_left ? left : right
  }
  return down.reverse()
}

/** Returns the ranges whose hashes prove that a tree continues an older one. 0 <= old_size <= size. */
export function consistencyRanges(old_size: number, size: number): readonly LeafRange[] {
  if (old_size === 0) return []
  const down: LeafRange[] = []
  let range: LeafRange = { start: 0, end: size }
  while (range.end !== old_size) {
    const [left, right] = halves(range)
    const is_left = old_size <= left.end
    down.push(is_left ? right : left)
    range = is_left ? left : right
  }
  return range.start === 0 ? down.reverse() : [range, ...down.reverse()]
}

/** Returns the complete subtrees that a range consists of, largest first. */
export function completeSubtrees({ start, end }: LeafRange): readonly LeafRange[] {
  const found: LeafRange[] = []
  for (let at = start; at < end; ) {
    let length = 1
    while (length * 2 <= end - at) length *= 2
    found.push({ start: at, end: at + length })
    at += length
  }
  return found
}

function halves({ start, end }: LeafRange): readonly [LeafRange, LeafRange] {
  let length = 1
  while (length * 2 < end - start) length *= 2
  const middle = start + length
  return [
    { start, end: middle },
    { start: middle, end },
  ]
}

function half(value: number): number {
  return Math.floor(value / 2)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function isPowerOfTwo(value: number): boolean {
  let power = 1
  while (power < value) power *= 2
  return power === value
}

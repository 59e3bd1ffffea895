import { invariant } from '../../primitives/errors.ts'

/** Leaves [start, end) of a tree. */
export type LeafRange = { readonly start: number; readonly end: number }

/**
 * Returns the leaf ranges whose hashes are the inclusion proof of a leaf, from its sibling up to a child of the root
 * (RFC 6962, 2.1.1). 0 <= index < size.
 */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  invariant(Number.isSafeInteger(index) && index >= 0 && index < size, 'inclusionRanges: index is not a leaf')
  const down: LeafRange[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + splitPoint(end - start)
    const is_left = index < middle
    down.push(is_left ? { start: middle, end } : { start, end: middle })
    if (is_left) end = middle
    else start = middle
  }
  return down.reverse()
}

/**
 * Returns the leaf ranges whose hashes are the consistency proof from an old size to a size (RFC 6962, 2.1.2). Empty when one of
 * the trees is empty or both are the same. 0 <= old_size <= size.
 */
export function consistencyRanges(old_size: number, size: number): readonly LeafRange[] {
  invariant(
    Number.isSafeInteger(old_size) && old_size >= 0 && old_size <= size,
    'consistencyRanges: sizes are not in order',
  )
  if (old_size === 0) return []
  const down: LeafRange[] = []
  let [start, end] = [0, size]
  while (end !== old_size) {
    const middle = start + splitPoint(end - start)
    const is_left = old_size <= middle
    down.push(is_left ? { start: middle, end } : { start, end: middle })
    if (is_left) end = middle
    else start = middle
  }
  // The old tree itself is known to whoever asks; a part of it is not.
  return start === 0 ? down.reverse() : [{ start, end }, ...down.reverse()]
}

/** Returns the complete subtrees that a range consists of, largest first. The start must be a multiple of each. */
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

/** Returns the largest power of two below a length of at least 2. */
function splitPoint(length: number): number {
  let split = 1
  while (split * 2 < length) split *= 2
  return split
}

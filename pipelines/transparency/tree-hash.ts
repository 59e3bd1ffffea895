import { hash } from 'node:crypto'

/** SHA-256 of a leaf or node: 32 bytes. */
export type TreeHash = Uint8Array

export const HASH_BYTES = 32

const LEAF_PREFIX = 0x00
const NODE_PREFIX = 0x01

/** Root of a tree without leaves: the SHA-256 of nothing. */
export const EMPTY_ROOT: TreeHash = sha256(new Uint8Array(0))

/** Returns SHA-256(0x00 || entry) (RFC 6962, 2.1). */
export function leafHash(entry: Uint8Array): TreeHash {
  const bytes = new Uint8Array(entry.length + 1)
  bytes[0] = LEAF_PREFIX
  bytes.set(entry, 1)
  return sha256(bytes)
}

/** Returns SHA-256(0x01 || left || right). The prefix differs from that of a leaf, so no node can pass for a leaf. */
export function nodeHash(left: TreeHash, right: TreeHash): TreeHash {
  const bytes = new Uint8Array(1 + 2 * HASH_BYTES)
  bytes[0] = NODE_PREFIX
  bytes.set(left, 1)
  bytes.set(right, 1 + HASH_BYTES)
  return sha256(bytes)
}

/** Returns whether two hashes have the same bytes. */
export function sameHash(a: TreeHash, b: TreeHash): boolean {
  return Buffer.compare(a, b) === 0
}

/** Returns the base64 text of a hash, as checkpoints and proofs have it. */
export function hashText(bytes: TreeHash): string {
  return Buffer.from(bytes).toString('base64')
}

/** Returns the hash of a base64 text; null if it is not the standard form of 32 bytes. */
export function parseHash(text: string): TreeHash | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === HASH_BYTES && bytes.toString('base64') === text ? bytes : null
}

function sha256(bytes: Uint8Array): TreeHash {
  return hash('sha256', bytes, 'buffer')
}

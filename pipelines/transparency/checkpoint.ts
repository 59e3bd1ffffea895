import { proofInvalid } from './proof-invalid.ts'
import { isSignedBy, type NoteKey, parseNote, type SignedNote } from './signed-note.ts'
import { hashText, parseHash, type TreeHash } from './tree-hash.ts'

/** Head of a log: its name, its number of entries, and the root over them. */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: TreeHash }

/** Returns the text of a checkpoint, which its log signs. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${hashText(root)}\n`
}

/** Parses the text of a checkpoint. @throws {ServiceError} PROOF_INVALID */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size_text = '', root_text = ''] = text.split('\n')
  const root = parseHash(root_text)
  const size = Number(size_text)
  const is_size = /^(0|[1-9]\d*)$/.test(size_text) && Number.isSafeInteger(size)
  if (origin !== '' && is_size && root !== null && checkpointText({ origin, size, root }) === text) {
    return { origin, size, root }
  }
  throw proofInvalid('checkpoint', text, 'three lines: origin, size, and base64 root')
}

/** Signed checkpoint whose signature was verified. */
export type VerifiedCheckpoint = Checkpoint & { readonly note: SignedNote }

/**
 * Parses a signed checkpoint and verifies the signature of its log.
 * @throws {ServiceError} PROOF_INVALID: it is malformed, of another log, or not signed by the key
 */
export function openCheckpoint(signed: string, key: NoteKey): VerifiedCheckpoint {
  const note = parseNote(signed)
  const checkpoint = parseCheckpoint(note.text)
  if (checkpoint.origin !== key.name) throw proofInvalid('origin', checkpoint.origin, key.name)
  if (!isSignedBy(note, key))
    throw proofInvalid('signature of the checkpoint', key.name, 'a signature that its key verifies')
  return { ...checkpoint, note }
}

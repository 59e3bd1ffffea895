import { isServiceError } from '../../primitives/errors.ts'
import { parseCheckpoint, type VerifiedCheckpoint } from './checkpoint.ts'
import { isSignedBy, type NoteKey, parseNote } from './signed-note.ts'
import { sameHash } from './tree-hash.ts'
import { isConsistent, type TreeHead } from './verify-tree.ts'
import { parseWitnessRequest, type WitnessRequest } from './witness-request.ts'

/** Answer of a witness to a checkpoint: what to cosign, or the refusal with its HTTP status. */
export type WitnessVerdict =
  | { readonly cosign: true; readonly checkpoint: VerifiedCheckpoint }
  | {
      readonly cosign: false
      readonly status: 400 | 403 | 404 | 409 | 422
      readonly why: string
      readonly size?: number
    }

/**
 * Decides whether a witness cosigns a checkpoint (c2sp.org/tlog-witness). It refuses a log that was rolled back, and one that has
 * another root at the size it saw.
 * @param keys  keys of the logs that the witness knows
 * @param seen  checkpoint that it cosigned last for a log, by origin; null: none
 */
export function judgeCheckpoint(
  body: string,
  keys: readonly NoteKey[],
  seen: (origin: string) => TreeHead | null,
): WitnessVerdict {
  const read = parsed(body)
  if (typeof read === 'string') return refusal(400, read)
  const { request, note, ...checkpoint } = read
  const known = keys.filter(({ name }) => name === checkpoint.origin)
  if (known.length === 0) return refusal(404, `no log of origin ${checkpoint.origin} is known`)
  if (!known.some((key) => isSignedBy(note, key))) return refusal(403, 'no signature of a known key verifies')
  if (request.old_size > checkpoint.size) {
    return refusal(
      400,
      `old size is ${request.old_size}; allowed: at most ${checkpoint.size}, the size of the checkpoint`,
    )
  }
  const last = seen(checkpoint.origin)
  const size = last?.size ?? 0
  if (request.old_size !== size) return { ...refusal(409, `the last size cosigned is ${size}`), size }
  if (last !== null && size === checkpoint.size && !sameHash(last.root, checkpoint.root)) {
    return { ...refusal(409, `another root of ${size} entries was cosigned`), size }
  }
  const old = last ?? { size: 0, root: checkpoint.root }
  if (!isConsistent(old, checkpoint, request.hashes)) return refusal(422, 'the consistency proof does not verify')
  return { cosign: true, checkpoint: { ...checkpoint, note } }
}

function parsed(body: string): (VerifiedCheckpoint & { readonly request: WitnessRequest }) | string {
  try {
    const request = parseWitnessRequest(body)
    const note = parseNote(request.checkpoint)
    return { ...parseCheckpoint(note.text), note, request }
  } catch (error) {
    if (isServiceError(error, 'PROOF_INVALID')) return error.message
    throw error
  }
}

function refusal(status: 400 | 403 | 404 | 409 | 422, why: string) {
  return { cosign: false, status, why } as const
}

import { proofInvalid } from './proof-invalid.ts'
import { parseHashes } from './tlog-proof.ts'
import { hashText, type TreeHash } from './tree-hash.ts'

/** Body of add-checkpoint (c2sp.org/tlog-witness). */
export type WitnessRequest = {
  /** Size of the checkpoint that the witness cosigned last. */
  readonly old_size: number
  readonly hashes: readonly TreeHash[]
  /** Signed checkpoint. */
  readonly checkpoint: string
}

/** Returns the body of a request to a witness. */
export function witnessRequestText({ old_size, hashes, checkpoint }: WitnessRequest): string {
  return `old ${old_size}\n${hashes.map((hash) => `${hashText(hash)}\n`).join('')}\n${checkpoint}`
}

/** Parses the body of a request to a witness. @throws {ServiceError} PROOF_INVALID */
export function parseWitnessRequest(body: string): WitnessRequest {
  const end = body.indexOf('\n\n')
  const [first = '', ...lines] = end < 0 ? [] : body.slice(0, end).split('\n')
  const [, size_text] = /^old (0|[1-9]\d{0,15})$/.exec(first) ?? []
  const old_size = Number(size_text)
  if (!Number.isSafeInteger(old_size)) throw proofInvalid('first line', first, 'old <size>')
  return { old_size, hashes: parseHashes(lines), checkpoint: body.slice(end + 2) }
}

import { cosignedAt } from '../../pipelines/transparency/cosignature.ts'
import { proofInvalid } from '../../pipelines/transparency/proof-invalid.ts'
import {
  type NoteKey,
  type NoteSignature,
  parseNote,
  parseSignatureLine,
  signaturesOf,
} from '../../pipelines/transparency/signed-note.ts'
import { witnessRequestText } from '../../pipelines/transparency/witness-request.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { openLogReader } from '../../warehouse/transparency/log-reader.ts'

export type AskWitnessOptions = {
  /** Folder that has the log's. */
  readonly place: string
  /** Address of the witness, without /add-checkpoint. */
  readonly url: string
  readonly witness: NoteKey
}

const TIMEOUT_MS = 10_000

/**
 * Asks a witness to cosign the latest checkpoint of a log.
 * @returns its signature line, verified
 * @throws {ServiceError} SERVICE_UNAVAILABLE: it does not answer; PROOF_INVALID: it refuses, or its cosignature does not verify
 */
export async function askWitness({ place, url, witness }: AskWitnessOptions): Promise<NoteSignature> {
  const reader = openLogReader(place)
  const checkpoint = (await reader.checkpoint())!
  const ask = async (old_size: number) => {
    const hashes = old_size > checkpoint.size ? [] : await reader.consistency(old_size, checkpoint.size)
    return post(url, witnessRequestText({ old_size, hashes, checkpoint: checkpoint.text }))
  }
  const first = await ask(0)
  const answer = first.status === 409 ? await ask(Number(first.body)) : first
  if (answer.status !== 200) {
    throw proofInvalid('answer of the witness', `${answer.status} ${answer.body.trim()}`, 'a cosignature (200)')
  }
  const note = parseNote(checkpoint.text)
  const lines = answer.body.trimEnd().split('\n').map(parseSignatureLine)
  const signatures = signaturesOf({ ...note, signatures: lines }, witness)
  const [line] = signatures
  if (line !== undefined && cosignedAt({ ...note, signatures }, witness) !== null) return line
  throw proofInvalid('cosignature', answer.body.trim(), `one that the key of ${witness.name} verifies`)
}

async function post(url: string, body: string): Promise<{ readonly status: number; readonly body: string }> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(`${url.replace(/\/$/, '')}/add-checkpoint`, { method: 'POST', body, signal })
    return { status: response.status, body: await response.text() }
  } catch (error) {
    throw new ServiceError('SERVICE_UNAVAILABLE', `the witness at ${url} does not answer`, { url }, error)
  }
}

import {
  ED25519_COSIGNATURE,
  isEd25519,
  type NoteKey,
  type NoteSignature,
  type SignedNote,
  signaturesOf,
} from './signed-note.ts'

const TIME_BYTES = 8
const SIGNATURE_BYTES = 64

/** Returns the text that a witness signs: its time in seconds, and the whole text of the checkpoint. */
export function cosignedText(checkpoint_text: string, time_s: number): string {
  return `cosignature/v1\ntime ${time_s}\n${checkpoint_text}`
}

/** Returns the signature bytes of a cosignature: the time as a big-endian uint64, then the signature. */
export function cosignatureBytes(time_s: number, signature: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(TIME_BYTES + signature.length)
  bytes.writeBigUInt64BE(BigInt(time_s))
  bytes.set(signature, TIME_BYTES)
  return bytes
}

/** Returns the time in seconds of the cosignature of a witness on a checkpoint; null if it has none that verifies. */
export function cosignedAt(note: SignedNote, witness: NoteKey): number | null {
  if (witness.type !== ED25519_COSIGNATURE) return null
  const times = signaturesOf(note, witness).map((line) => timeOf(note.text, line, witness))
  return times.includes(null) ? null : (times[0] ?? null)
}

function timeOf(text: string, line: NoteSignature, { public_key }: NoteKey): number | null {
  const time_s = statedTime(line)
  if (time_s === null) return null
  return isEd25519(public_key, cosignedText(text, time_s), line.signature.subarray(TIME_BYTES)) ? time_s : null
}

/** Returns the time in seconds that a signature line states, not verified; null: it is no cosignature. */
export function statedTime({ signature }: NoteSignature): number | null {
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return null
  const time_s = Number(Buffer.from(signature).readBigUInt64BE())
  return Number.isSafeInteger(time_s) ? time_s : null
}

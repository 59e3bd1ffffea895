import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { proofInvalid } from './proof-invalid.ts'

/** Signature type bytes of c2sp.org/signed-note. */
export const ED25519_NOTE = 0x01
export const ED25519_COSIGNATURE = 0x04

/** Public key that signs notes under a name. */
export type NoteKey = { readonly name: string; readonly type: number; readonly public_key: Uint8Array }

/** Line of a note: a name, the id of its key, and the rest of the signature. */
export type NoteSignature = { readonly name: string; readonly key_id: string; readonly signature: Uint8Array }

/** Text of a note, which is what was signed, and its signatures. */
export type SignedNote = { readonly text: string; readonly signatures: readonly NoteSignature[] }

const KEY_ID_BYTES = 4
const KEY_BYTES = 32
/** Most signatures of a note that are read; the specification asks for 16 at least. */
const SIGNATURES_MAX = 64
const NAME = /^[^\s+]+$/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: a note may have no control character but the line feed
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/

/** Returns whether a text may name a key: no space and no plus. */
export function isKeyName(name: string): boolean {
  return NAME.test(name)
}

/** Returns the id of a key as hex: SHA-256(name || 0x0A || type || public key), its first four bytes. */
export function keyId({ name, type, public_key }: NoteKey): string {
  const bytes = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), public_key])
  return hash('sha256', bytes, 'hex').slice(0, 2 * KEY_ID_BYTES)
}

/** Returns the text of a key for verifiers: `<name>+<key id>+<base64 of type and public key>`. */
export function keyText(key: NoteKey): string {
  return `${key.name}+${keyId(key)}+${Buffer.concat([Buffer.of(key.type), key.public_key]).toString('base64')}`
}

/** Parses the text of a key. @throws {ServiceError} PROOF_INVALID */
export function parseKey(text: string): NoteKey {
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/u.exec(text.trim()) ?? []
  const bytes = Buffer.from(base64 ?? '', 'base64')
  const key = { name: name ?? '', type: bytes[0] ?? 0, public_key: bytes.subarray(1) }
  const is_known = key.type === ED25519_NOTE || key.type === ED25519_COSIGNATURE
  if (name !== undefined && is_known && key.public_key.length === KEY_BYTES && keyId(key) === id) return key
  throw proofInvalid('verifier key', text, '<name>+<key id>+<base64 of an Ed25519 key with its type byte>')
}

/** Returns the text of a note with its signature lines. */
export function noteOf({ text, signatures }: SignedNote): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`
}

/** Returns the line of a signature, with its line feed. */
export function signatureLine({ name, key_id, signature }: NoteSignature): string {
  return `— ${name} ${Buffer.concat([Buffer.from(key_id, 'hex'), signature]).toString('base64')}\n`
}

/** Parses a note. @throws {ServiceError} PROOF_INVALID */
export function parseNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || CONTROL.test(note)) {
    throw proofInvalid('note', note.slice(0, 80), 'a text, an empty line, and signature lines')
  }
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > SIGNATURES_MAX) throw proofInvalid('signatures', String(lines.length), `at most ${SIGNATURES_MAX}`)
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) }
}

/** Parses a signature line without its line feed. @throws {ServiceError} PROOF_INVALID */
export function parseSignatureLine(line: string): NoteSignature {
  const [, name, base64] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/u.exec(line) ?? []
  const bytes = Buffer.from(base64 ?? '', 'base64')
  if (name === undefined || bytes.length <= KEY_ID_BYTES || bytes.toString('base64') !== base64) {
    throw proofInvalid('signature line', line, '— <name> <base64>')
  }
  const key_id = bytes.subarray(0, KEY_ID_BYTES).toString('hex')
  return { name, key_id, signature: bytes.subarray(KEY_ID_BYTES) }
}

/** Returns the signatures of a note that name a key by name and id; those of other keys are ignored. */
export function signaturesOf(note: SignedNote, key: NoteKey): readonly NoteSignature[] {
  const id = keyId(key)
  return note.signatures.filter(({ name, key_id }) => name === key.name && key_id === id)
}

/** Returns whether the log's own key signed a note. A signature of that key that does not verify makes the note worthless. */
export function isSignedBy(note: SignedNote, key: NoteKey): boolean {
  const found = signaturesOf(note, key)
  return found.length > 0 && found.every(({ signature }) => isEd25519(key.public_key, note.text, signature))
}

/** Returns whether a signature is that of a key over a text. */
export function isEd25519(public_key: Uint8Array, text: string, signature: Uint8Array): boolean {
  return verify(null, Buffer.from(text), keyObject(public_key), signature)
}

function keyObject(public_key: Uint8Array): KeyObject {
  const x = Buffer.from(public_key).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

import { type Bytes, fromBase64, isSame, joined, sha256, toBase64, utf8 } from './bytes.ts'
import { HASH_BYTES } from './merkle-tree.ts'
import { CannotCheck, ProofFault } from './proof-fault.ts'

/** Verifier key of a log. */
export type LogKey = { readonly name: string; readonly text: string; readonly id: Bytes; readonly public_key: Bytes }

/** Signature line of a note: whose, the id of the key, and the rest. */
type Line = { readonly name: string; readonly id: Bytes; readonly signature: Bytes }

/** Head of a log as its note says, with the names and times of those who cosigned. */
export type Checkpoint = {
  readonly note: string
  readonly text: string
  readonly origin: string
  readonly size: number
  readonly root: Bytes
  readonly lines: readonly Line[]
}

/** A witness that names itself on a checkpoint. Its key is not at hand, so its signature is not checked. */
export type Witness = { readonly name: string; readonly cosigned_ms: number }

const ED25519 = 0x01
const ID_BYTES = 4
const LINES_MAX = 64
const COSIGNATURE_BYTES = 8 + 64
// biome-ignore lint/suspicious/noControlCharactersInRegex: a note may have no control character but the line feed
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/

/** Parses the key of a log. @throws {ProofFault} */
export async function parseKey(text: string): Promise<LogKey> {
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/u.exec(text.trim()) ?? []
  const typed = fromBase64(base64 ?? '')
  const is_key = name !== undefined && typed?.length === HASH_BYTES + 1 && typed[0] === ED25519
  if (!is_key) throw new ProofFault('The key of the log is not an Ed25519 verifier key.')
  const own_id = (await sha256(joined(utf8(`${name}\n`), typed))).slice(0, ID_BYTES)
  if (
    !isSame(
      own_id,
      Uint8Array.from(id!.match(/../g)!, (pair) => Number.parseInt(pair, 16)),
    )
  )
    throw new ProofFault('The key of the log has the id of another key.')
  return { name, text: text.trim(), id: own_id, public_key: typed.slice(1) }
}

/** Parses a signed checkpoint; nothing is verified. @throws {ProofFault} */
export function parseCheckpoint(note: string): Checkpoint {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || CONTROL.test(note)) throw malformed()
  const text = note.slice(0, end + 1)
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > LINES_MAX) throw malformed()
  const [origin = '', size_text = '', root_text = '', ...rest] = text.split('\n')
  const [size, root] = [Number(size_text), fromBase64(root_text)]
  const is_size = /^(0|[1-9]\d*)$/.test(size_text) && Number.isSafeInteger(size)
  if (origin === '' || !is_size || root?.length !== HASH_BYTES || rest.join('|') !== '') throw malformed()
  return { note, text, origin, size, root, lines: lines.map(parseLine) }
}

/** Verifies that a checkpoint is of a log and that its key signed it. @throws {ProofFault}, {CannotCheck} */
export async function checkSignature({ origin, text, lines }: Checkpoint, key: LogKey): Promise<void> {
  if (origin !== key.name) throw new ProofFault(`The checkpoint is of ${origin}, the key of ${key.name}.`)
  const own = lines.filter(({ name, id }) => name === key.name && isSame(id, key.id))
  if (own.length === 0) throw new ProofFault(`The key of ${key.name} did not sign the checkpoint.`)
  for (const { signature } of own)
    if (!(await isEd25519(key.public_key, text, signature)))
      throw new ProofFault(
        'The signature of the checkpoint does not verify: its text was changed, or signed by another.',
      )
}

/** Returns the witnesses that a checkpoint names, with the time that each states. */
export function witnessesOf({ origin, lines }: Checkpoint): readonly Witness[] {
  return lines
    .filter(({ name, signature }) => name !== origin && signature.length === COSIGNATURE_BYTES)
    .map(({ name, signature }) => ({
      name,
      cosigned_ms: Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0)) * 1000,
    }))
}

/** Reports whether a signature is that of an Ed25519 key over a text. @throws {CannotCheck} */
export async function isEd25519(public_key: Bytes, text: string, signature: Bytes): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', public_key, 'Ed25519', false, ['verify']).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name !== 'NotSupportedError') return null
    throw new CannotCheck('This browser does not know Ed25519 signatures. Use a newer one, or tidemark log verify.')
  })
  return key !== null && crypto.subtle.verify('Ed25519', key, signature, utf8(text))
}

function parseLine(line: string): Line {
  const [, name, base64] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/u.exec(line) ?? []
  const bytes = fromBase64(base64 ?? '')
  if (name === undefined || bytes === null || bytes.length <= ID_BYTES) throw malformed()
  return { name, id: bytes.slice(0, ID_BYTES), signature: bytes.slice(ID_BYTES) }
}

function malformed(): ProofFault {
  return new ProofFault('The checkpoint is malformed: it is not three lines with signatures below.')
}

/** Returns the base64 text of a root. */
export function rootText(root: Uint8Array): string {
  return toBase64(root)
}

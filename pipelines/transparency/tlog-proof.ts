import { proofInvalid } from './proof-invalid.ts'
import { hashText, parseHash, type TreeHash } from './tree-hash.ts'

/** Offline proof that an entry is in a log (c2sp.org/tlog-proof). `extra` is not authenticated by the log. */
export type TlogProof = {
  readonly extra: Uint8Array | null
  readonly index: number
  readonly hashes: readonly TreeHash[]
  /** Signed checkpoint, word for word. */
  readonly checkpoint: string
}

const HEADER = 'c2sp.org/tlog-proof@v1'
/** Most hashes of a proof: a tree of 2^63 leaves is 63 levels high. */
const PROOF_HASHES_MAX = 63

/** Returns the text of a proof. */
export function tlogProofText({ extra, index, hashes, checkpoint }: TlogProof): string {
  const extra_line = extra === null ? '' : `extra ${Buffer.from(extra).toString('base64')}\n`
  return `${HEADER}\n${extra_line}index ${index}\n${hashes.map((hash) => `${hashText(hash)}\n`).join('')}\n${checkpoint}`
}

/** Parses the text of a proof. @throws {ServiceError} PROOF_INVALID */
export function parseTlogProof(text: string): TlogProof {
  const end = text.indexOf('\n\n')
  const lines = end < 0 ? [] : text.slice(0, end).split('\n')
  if (lines.shift() !== HEADER) throw proofInvalid('proof', text.slice(0, 80), `a text that begins with ${HEADER}`)
  const extra = lines[0]?.startsWith('extra ') === true ? parseExtra(lines.shift()!) : null
  const [, index_text] = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '') ?? []
  const index = Number(index_text)
  if (!Number.isSafeInteger(index)) throw proofInvalid('index line', index_text ?? 'absent', 'index <number>')
  return { extra, index, hashes: parseHashes(lines), checkpoint: text.slice(end + 2) }
}

/** Parses the base64 hashes of a proof. @throws {ServiceError} PROOF_INVALID */
export function parseHashes(lines: readonly string[]): readonly TreeHash[] {
  if (lines.length > PROOF_HASHES_MAX) {
    throw proofInvalid('hashes of the proof', String(lines.length), `at most ${PROOF_HASHES_MAX}`)
  }
  return lines.map((line) => {
    const hash = parseHash(line)
    if (hash === null) throw proofInvalid('hash of the proof', line, 'base64 of 32 bytes')
    return hash
  })
}

function parseExtra(line: string): Uint8Array {
  const base64 = line.slice('extra '.length)
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') === base64) return bytes
  throw proofInvalid('extra line', line, 'extra <base64>')
}

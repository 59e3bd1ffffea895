import { createHmac } from 'node:crypto'
import { ACCESS_HEADERS } from '../../protocol/signing/access-headers.ts'
import type { TextCheck } from '../../protocol/signing/debug/explain-request.ts'
import { ed25519Check, explainSignatures } from '../../protocol/signing/debug/explain-signature.ts'
import { readSent } from '../../protocol/signing/debug/read-sent.ts'
import type { ExplainedSignature } from '../../protocol/signing/debug/report.ts'
import type { InputStream } from '../command.ts'
import { readText } from '../commands/log.ts'
import { readSecretFile } from './read-secret-file.ts'

export type FileToExplain = {
  /** `-`: standard input. */
  readonly file: string
  readonly stdin: InputStream | undefined
  readonly environment: string
  readonly public_key: string | null
  readonly signed_text: string | null
  readonly body: string | null
  readonly secret_file: string | null
  readonly server_time_ms: number | null
}

/** Step after which the command checks an HMAC itself. */
const HMAC_STEP = 'give the secret of an hmac-sha256 key by --secret-file FILE, and its signature is checked here'

/**
 * Explains the signatures of a saved request or body. A secret is used here and goes no further.
 * @throws {ServiceError} VALIDATION_INPUT_UNREADABLE, VALIDATION_USAGE_INVALID
 */
export async function explainFile(given: FileToExplain): Promise<readonly ExplainedSignature[]> {
  const { environment, public_key, signed_text, secret_file, server_time_ms } = given
  const text = given.file === '-' ? await readAll(given.stdin) : await readText('file', given.file)
  const sent = readSent(text, given.body)
  const facts = { environment, signed_text, server_time_ms, hmac_step: HMAC_STEP }
  if (secret_file !== null) {
    const key_id = sent.request?.headers[ACCESS_HEADERS.key_id.toLowerCase()] ?? null
    const secret = readSecretFile(secret_file, key_id)
    const checks = { check: hmacCheck(Buffer.from(secret, 'hex')), mistaken_check: hmacCheck(Buffer.from(secret)) }
    return explainSignatures(sent, { ...facts, ...checks, signature_digits: 64 })
  }
  if (public_key === null) return explainSignatures(sent, facts)
  return explainSignatures(sent, { ...facts, check: ed25519Check(public_key), signature_digits: 128 })
}

function hmacCheck(key: Buffer): TextCheck {
  return (text, signature) => createHmac('sha256', key).update(text, 'utf8').digest('hex') === signature
}

async function readAll(stdin: InputStream | undefined): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stdin ?? []) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

import { canonicalJson } from '../../primitives/canonical-json.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'
import { namesOtherKey, normalizedPath } from '../../protocol/signing/canonical-request.ts'
import type { Caller } from '../../trading/auth/authenticate.ts'
import type { WriteIdentity } from '../../trading/engine/submission.ts'
import { echoValue } from '../server/echo-value.ts'
import type { Exchange } from '../server/exchange.ts'
import { targetOf } from './authenticator-of.ts'
import { newPrefixedId } from './new-prefixed-id.ts'

const IDEMPOTENCY_KEY = /^[\x21-\x7e]([\x20-\x7e]{0,62}[\x21-\x7e])?$/

/**
 * Builds the identity of a write: its key, its nonce, its Idempotency-Key, and the hash of its body.
 * @throws {ServiceError} IDEMPOTENCY_KEY_REQUIRED
 */
export function writeIdentity(exchange: Exchange, caller: Caller, body: unknown): WriteIdentity {
  const { raw } = exchange.request
  const { key_id, account_id, nonce, ip } = caller
  return {
    key_id,
    account_id,
    nonce,
    method: raw.method!,
    path: normalizedPath(targetOf(raw).path),
    idempotency_key: idempotencyKey(raw.rawHeaders, nonce),
    body_hash: sha256Hex(canonicalJson(body)),
    request_id: exchange.request_id,
    command_id: newPrefixedId('cmd', exchange.now),
    ip,
    received_at: exchange.now,
  }
}

/** Reads the one header: two of them, which the server joins by a comma, name no intent. It is the key that the signed nonce names. */
function idempotencyKey(headers: readonly string[], nonce: string): string {
  const given = headers.filter((_, n) => n % 2 === 1 && headers[n - 1]!.toLowerCase() === 'idempotency-key')
  const [text = ''] = given
  if (given.length === 1 && IDEMPOTENCY_KEY.test(text)) {
    if (!namesOtherKey(nonce, sha256Hex(text))) return text
    throw refused(
      `is ${JSON.stringify(text)}; allowed: the key that the nonce names, ${nonce.slice(0, NAMED_CHARS)}...`,
    )
  }
  const one = text === '' ? 'is missing' : `is ${JSON.stringify(echoValue(text))}`
  const seen = given.length > 1 ? `is given ${given.length} times` : one
  throw refused(`${seen}; allowed: 1 to 64 printable characters, new for every intent, the same for its retries`)
}

/** Characters of a nonce that name a key. */
const NAMED_CHARS = 37

function refused(what: string): ServiceError {
  return new ServiceError('IDEMPOTENCY_KEY_REQUIRED', `Idempotency-Key ${what}`, { field: 'Idempotency-Key' })
}

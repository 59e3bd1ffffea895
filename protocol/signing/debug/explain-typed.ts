import { isServiceError } from '../../../primitives/errors.ts'
import { ORDER_TYPE, type OrderToSign, orderMessage } from '../../order/order-terms.ts'
import { type AuthorizationToSign, authorizationMessage, expired, outOfForce } from '../authorization-message.ts'
import { scopesHash } from '../scopes.ts'
import { AUTHORIZATION_TYPE, MESSAGE_VERSION, type MessageType, type TypedMessage } from '../typed-data.ts'
import { type Cause, type Finding, finding } from './causes.ts'
import { formFault, type Recover } from './eoa-form.ts'
import type { RequestFacts } from './explain-request.ts'
import { type CheckedLine, checkedLine, type ExplainedSignature } from './report.ts'
import { isJsonObject, type SentMessage } from './sent.ts'
import { digestGuesses } from './typed-guesses.ts'
import { keccakText, rightDomain, type TypedSteps, typedSteps } from './typed-hash.ts'

type Body = Readonly<Record<string, unknown>>

/** A message with what its signature must be. */
type Subject = {
  readonly type: MessageType
  readonly message: TypedMessage
  readonly signer: string
  readonly version: string
  /** null: the body carries none. */
  readonly signature: string | null
  /** Findings that hold whoever signed. */
  readonly unseen: readonly Finding[]
  readonly mismatch: string
  /** Fields of the body from which hashes in the message are made. */
  readonly texts: Body
}

/** Explains the signature of an order or of an authorization: each field as it is hashed, the digest, and who signed. */
export function explainTyped(
  { kind, name, body }: SentMessage,
  { environment, server_time_ms = null }: Pick<RequestFacts, 'environment' | 'server_time_ms'>,
  recover: Recover,
): ExplainedSignature {
  const subject = subjectOf(kind, body, environment)
  const base = { kind, name, signed_text: null }
  if (!('message' in subject)) return { ...base, verdict: 'refused', lines: [], facts: {}, next: null, ...subject }
  const steps = typedSteps(subject.type, subject.message, rightDomain(subject.type.name, environment))
  const declared = body.signature_type ?? 'eoa'
  const judged =
    subject.unseen.length > 0
      ? unseenRefusal(subject)
      : declared === 'eoa'
        ? judgeEoa(subject, steps, environment, recover, echoOf(body))
        : ofContract(declared)
  const { recovered = null, ...rest } = judged.verdict === 'valid' ? timed(judged, subject, server_time_ms) : judged
  return {
    ...base,
    ...rest,
    lines: linesOf(subject, steps, echoOf(body)),
    facts: { ...factsOf(subject, steps), ...(recovered === null ? {} : { recovered_signer: recovered }) },
  }
}

function echoOf(body: Body): Body | null {
  return isJsonObject(body.signed_message) ? body.signed_message : null
}

type Judged = Pick<ExplainedSignature, 'verdict' | 'code' | 'findings' | 'next'> & {
  readonly recovered?: string | null
}

function unseenRefusal({ unseen, mismatch }: Subject): Judged {
  const code = unseen[0]!.cause === 'message_version' ? 'SIGNATURE_TYPE_UNSUPPORTED' : mismatch
  return { verdict: 'refused', code, findings: unseen, next: null }
}

function ofContract(declared: unknown): Judged {
  const next = `the signature is declared as ${declared}; the contract at signer decides: call its isValidSignature with the digest`
  return { verdict: 'undecided', code: null, findings: [], next }
}

function judgeEoa(
  subject: Subject,
  steps: TypedSteps,
  environment: string,
  recover: Recover,
  echo: Body | null,
): Judged {
  const { signature, signer, mismatch } = subject
  if (signature === null) return { verdict: 'undecided', code: null, findings: [], next: UNSIGNED }
  const fault = formFault(signature)
  const recovered = recover(steps.digest, fault === null ? signature : (fault.meant ?? ''))
  const refused = { verdict: 'refused', next: null, recovered } as const
  if (fault !== null) {
    const findings = [finding(fault.cause, recovered === signer ? 'proved' : 'seen', fault.why)]
    return { ...refused, code: 'SIGNATURE_INVALID', findings }
  }
  if (recovered === signer) return { ...refused, verdict: 'valid', code: null, findings: [] }
  if (recovered === null)
    return { ...refused, code: 'SIGNATURE_INVALID', findings: [finding('signature_malformed', 'seen', NO_KEY)] }
  const isBy = (digest: string) => recover(digest, signature) === signer
  const findings = provedFindings(subject, environment, isBy, echo)
  if (findings !== null) return { ...refused, code: mismatch, findings }
  const rounded = roundedFields(subject.type, echo)
  if (rounded.length > 0)
    return {
      ...refused,
      code: mismatch,
      findings: [finding('message_malformed', 'seen', ROUNDED + rounded.join(', '))],
    }
  const told = echo === null ? [] : echoed(linesOf(subject, steps, echo), 'seen')
  const possible = [finding('other_key_or_text', 'possible', `it recovers to ${recovered}, not to ${signer}`)]
  const next = echo === null ? `${COMPARE}; or send signed_message, the message as it was signed` : COMPARE
  return { ...refused, code: mismatch, findings: told.length > 0 ? told : possible, next }
}

const NO_KEY = 'no key can have made it'
const UNSIGNED = 'it carries no signature: sign the digest above as typed data, with the key of expected_signer'
const COMPARE =
  'compare type_hash, domain_separator and struct_hash with those of your library: the first that differs is the cause'

/** Compares the times of a message that verifies with the clock of the service, if it is known. */
function timed(judged: Judged, { type, message }: Subject, server_time_ms: number | null): Judged {
  const [is_order, expiry] = [type === ORDER_TYPE, Number(message.expiry)]
  if (is_order && expiry === 0) return judged
  if (server_time_ms === null) return { ...judged, next: UNCHECKED_TIMES }
  const now_s = Math.floor(server_time_ms / 1000)
  const fault = is_order
    ? expired('expires_at', expiry, now_s)
    : outOfForce({ issued_at: Number(message.issued_at), expiry }, now_s)
  if (fault === null) return judged
  const code = is_order ? 'SIGNATURE_ORDER_EXPIRED' : 'SIGNATURE_AUTHORIZATION_EXPIRED'
  return { ...judged, verdict: 'refused', code, findings: [finding('times_not_in_force', 'seen', fault)] }
}

const UNCHECKED_TIMES =
  'its times were not compared: give --server-time-ms, the clock of the service when the message arrived'

/** Looks for the message that was signed: the one that the caller told, else one that a usual mistake makes. */
function provedFindings(
  subject: Subject,
  environment: string,
  isBy: (digest: string) => boolean,
  echo: Body | null,
): readonly Finding[] | null {
  const { type, message, texts } = subject
  const told = echo === null ? null : toldMessage(type, echo)
  if (told !== null) {
    const steps = typedSteps(type, told, rightDomain(type.name, environment))
    if (isBy(steps.digest)) return echoed(linesOf(subject, steps, echo), 'proved')
  }
  for (const { cause, detail, digest } of digestGuesses(type, message, environment, texts))
    if (isBy(digest)) return [finding(cause, 'proved', detail)]
  return null
}

/** Returns the fields of a signed_message that JSON has rounded: numbers above 2^53. */
function roundedFields(type: MessageType, echo: Body | null): readonly string[] {
  const isRounded = (value: unknown) => typeof value === 'number' && !Number.isSafeInteger(value)
  return type.fields.map(({ name }) => name).filter((name) => isRounded(echo?.[name]))
}

const ROUNDED = 'signed_message has numbers above 2^53, which JSON rounds; write them as text: '

/** Reads a signed_message as values of its type; null: a field is missing or of another kind. */
function toldMessage(type: MessageType, echo: Body): TypedMessage | null {
  const values = type.fields.map(({ name, type: kind }) => {
    const value = echo[name]
    if (kind === 'bool') return typeof value === 'boolean' ? value : null
    if (kind.startsWith('uint')) return /^\d{1,78}$/.test(String(value)) ? BigInt(String(value)) : null
    if (kind === 'string') return typeof value === 'string' ? value : null
    return new RegExp(`^0x[0-9a-f]{${kind === 'address' ? 40 : 64}}$`, 'i').test(String(value)) ? String(value) : null
  })
  if (values.includes(null)) return null
  return Object.fromEntries(type.fields.map(({ name }, n) => [name, values[n]!]))
}

function echoed(lines: readonly CheckedLine[], certainty: Finding['certainty']): readonly Finding[] {
  return lines
    .filter(({ departs }) => departs !== null)
    .map(({ name, expected, signed }) =>
      finding('field_differs', certainty, `${name}: expected ${expected}, signed ${signed}`),
    )
}

function subjectOf(
  kind: SentMessage['kind'],
  body: Body,
  environment: string,
): Subject | { readonly code: string; readonly findings: readonly Finding[] } {
  try {
    return kind === 'order' ? orderSubject(body) : authorizationSubject(body, environment)
  } catch (error) {
    if (isServiceError(error))
      return { code: error.code, findings: [finding('message_malformed', 'seen', error.message)] }
    throw error
  }
}

function orderSubject(body: Body): Subject {
  const message = orderMessage(withTexts(body), keccakText)
  const version = String(body.signature_version)
  return {
    type: ORDER_TYPE,
    message,
    signer: message.signer,
    version,
    signature: signatureOf(body.order_signature),
    unseen: versionFindings(version),
    mismatch: 'SIGNATURE_ORDER_MISMATCH',
    texts: body,
  }
}

function signatureOf(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value)
}

/** Fields that are signed as they are: absent ones are hashed as empty text, so that the rest can be shown. */
const TEXTS = [
  'account_id',
  'market_id',
  'outcome_id',
  'side',
  'time_in_force',
  'self_trade_prevention',
  'client_order_id',
  'settlement_asset_id',
  'signature_version',
]

function withTexts(body: Body): OrderToSign {
  const texts = TEXTS.map((name) => [name, typeof body[name] === 'string' ? body[name] : ''])
  return { ...body, ...Object.fromEntries(texts) } as OrderToSign
}

function authorizationSubject(body: Body, environment: string): Subject {
  const authorization = body.authorization as AuthorizationToSign
  const message = authorizationMessage(authorization)
  const version = String(authorization.authorization_version)
  return {
    type: AUTHORIZATION_TYPE,
    message,
    signer: message.owner,
    version,
    signature: signatureOf(body.authorization_signature),
    unseen: [...versionFindings(version), ...requestFindings(message, body, environment)],
    mismatch: 'SIGNATURE_AUTHORIZATION_MISMATCH',
    texts: {},
  }
}

function versionFindings(version: string): readonly Finding[] {
  return version === MESSAGE_VERSION
    ? []
    : [finding('message_version', 'seen', `it is ${JSON.stringify(version)}; accepted: "${MESSAGE_VERSION}"`)]
}

/** Compares an authorization with the request that carries it. */
function requestFindings(message: TypedMessage, body: Body, environment: string): readonly Finding[] {
  const scopes = Array.isArray(body.scopes) ? body.scopes.map(String) : null
  const needed: readonly (readonly [Cause, string, unknown])[] = [
    ['request_differs', 'api_key_id', body.key_id ?? message.api_key_id],
    ['request_differs', 'environment', environment],
    ['scopes_hash', 'scopes_hash', scopes === null ? message.scopes_hash : scopesHash(scopes, keccakText)],
  ]
  return needed
    .filter(([, field, value]) => message[field] !== value)
    .map(([cause, field, value]) => finding(cause, 'seen', `${field}: expected ${value}, signed ${message[field]}`))
}

function linesOf({ type, message }: Subject, { words }: TypedSteps, echo: Body | null) {
  return type.fields.map(({ name, type: kind }, n) => {
    const expected = String(message[name])
    const given = echo === null ? null : String(echo[name] ?? '')
    const same_case = kind === 'address' || kind === 'bytes32' ? (given?.toLowerCase() ?? null) : given
    return checkedLine(name, expected, same_case, words[n]!)
  })
}

function factsOf({ type, signer }: Subject, { type_hash, struct_hash, domain_separator, digest }: TypedSteps) {
  return { message_type: type.name, type_hash, struct_hash, domain_separator, digest, expected_signer: signer }
}

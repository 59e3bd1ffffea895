import { formatMicros, type Micros, toMicros } from '../../primitives/instants.ts'
import { ED25519_HEX, isSignedBy } from '../auth/ed25519.ts'
import { type ActSignature, commandHash, operatorActText, type SignedAct } from '../auth/operator-act-text.ts'
import { refuse } from '../market/refuse.ts'
import type { OperatorKeyRow } from '../projections/rows.ts'
import type { Facts } from './facts.ts'
import type { Operate, OperatorCommand } from './submission.ts'

/** Operator keys of a database, by operator_key_id, in the order of their registration. */
export type OperatorKeys = ReadonlyMap<string, OperatorKeyRow>

/** People of the keys and the environment of the first one, which decide who must sign. */
type KnownPeople = ReadonlyMap<string, Pick<OperatorKeyRow, 'operator_id' | 'environment'>>

/** Signatures of an act as they are kept. */
export type ActAuthority = {
  /** null: nobody signed it. */
  readonly issued_at: Micros | null
  readonly command_hash: string
  readonly signatures: readonly ActSignature[]
}

const VALID_MICROS = 24 * 3_600 * 1_000_000
/** Clocks of two machines may differ by this much. */
const AHEAD_MICROS = 60 * 1_000_000

/** Whether an act that was signed at an instant may be carried out now. */
export function isInTime(issued_at: Micros, now: Micros): boolean {
  return issued_at <= now + AHEAD_MICROS && issued_at >= now - VALID_MICROS
}
const SIGNATURES_MAX = 4

/** Steps of services: the engine itself checks that each is due, so no person signs them. */
const SERVICE_STEPS: readonly OperatorCommand['kind'][] = [
  'submit_settlements',
  'conclude_settlements',
  'finalize_resolution',
  'pay_resolution',
  'set_marks',
  'disable_webhook',
]
/** Acts of the service that lists markets by a policy. People correct what is final. */
const LISTING_STEPS: readonly OperatorCommand['kind'][] = [
  'add_market',
  'move_market',
  'propose_resolution',
  'dispute_resolution',
]
const LISTING = 'workflow:listing'
/** Environment in which one person books deposits. */
export const SANDBOX = 'sandbox'

/**
 * Checks that the registered keys of the right people signed an act. While nobody is registered, an act needs no signature.
 * @returns what is kept with the act; null: it was not signed and need not be
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: a signature is missing, wrong, too old, or of another person
 */
export function authorizeAct(facts: Facts, act: Operate, now: Micros): ActAuthority | null {
  const keys = facts.operator_keys
  const { actor, command } = act
  const needed = signersNeeded(act, keys)
  // The first registration decides what later acts need: the hash chain covers it, too.
  if (needed.length === 0 && command.kind === 'register_operator_key')
    return { issued_at: null, command_hash: commandHash(command), signatures: [] }
  if (needed.length === 0) return null
  const signed = signersOf(keys, act, now)
  for (const operator_id of needed) {
    if (signed.operator_ids.has(operator_id)) continue
    const field = operator_id === actor ? 'actor' : 'approved_by'
    refuse(field, operator_id, `a registered operator whose key signed this ${command.kind}; ${registered(keys)}`)
  }
  return signed.authority
}

/** Whether a command is a step of a service, which no person signs. */
export function isServiceStep({ kind }: OperatorCommand): boolean {
  return SERVICE_STEPS.includes(kind)
}

/**
 * Returns the people who must have signed: the actor, and where money moves, or who may sign changes, the one who approved it.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: nobody else approved it
 */
export function signersNeeded({ actor, command }: Pick<Operate, 'actor' | 'command'>, keys: KnownPeople): string[] {
  if (keys.size === 0 || isServiceStep(command)) return []
  const needed = actor === LISTING && LISTING_STEPS.includes(command.kind) ? [] : [actor]
  const approver = approverOf(actor, command, keys)
  if (approver === null) return needed
  if (approver === actor || approver === '')
    refuse('approved_by', approver === '' ? 'missing' : approver, `another person than ${actor}`)
  return [...needed, approver]
}

/** Returns who must have approved a command beside its actor; null: nobody. Who is named has signed, needed or not. */
function approverOf(actor: string, command: OperatorCommand, keys: KnownPeople): string | null {
  switch (command.kind) {
    case 'adjust_fill':
    case 'reverse_settlement':
    case 'correct_resolution':
      return command.approved_by
    case 'deposit':
    case 'withdraw':
    case 'conclude_transfer':
      // Money of a sandbox is made of nothing.
      return command.approved_by ?? ([...keys.values()][0]!.environment === SANDBOX ? null : '')
    case 'register_operator_key':
      // People whose keys are revoked count: whoever is left alone cannot name a second one.
      return command.approved_by ?? (peopleOf([...keys.values()]).size < 2 ? null : '')
    case 'revoke_operator_key':
      return command.approved_by ?? (isOfAnother(keys, command.operator_key_id, actor) ? '' : null)
    default:
      return null
  }
}

function isOfAnother(keys: KnownPeople, operator_key_id: string, actor: string): boolean {
  return (keys.get(operator_key_id)?.operator_id ?? actor) !== actor
}

type Signed = { readonly authority: ActAuthority; readonly operator_ids: ReadonlySet<string> }

/** Verifies every signature of an act. */
function signersOf(keys: OperatorKeys, act: Operate, now: Micros): Signed {
  const { signatures = [], issued_at = '' } = act
  if (!Array.isArray(signatures)) refuse('signatures', typeof signatures, 'a list')
  if (signatures.length > SIGNATURES_MAX)
    refuse('signatures', String(signatures.length), `at most ${SIGNATURES_MAX} of them`)
  if (signatures.length === 0)
    refuse('signatures', 'empty', `a signature of a registered operator; ${registered(keys)}`)
  const issued = instantOf(issued_at, now)
  const command_hash = commandHash(act.command)
  const text = operatorActText([...keys.keys()][0]!, { ...act, issued_at, command_hash })
  const operator_ids = new Set(signatures.map((signature) => signerOf(keys, signature, text)))
  return { authority: { issued_at: issued, command_hash, signatures }, operator_ids }
}

function instantOf(issued_at: string, now: Micros): Micros {
  const at = toMicros(issued_at)
  // Stored as an instant: the text that was signed must be the one that it gives back.
  if (formatMicros(at) !== issued_at)
    refuse('issued_at', issued_at, `UTC with three or six digits of a fraction or none, as ${formatMicros(at)}`)
  if (!isInTime(at, now))
    refuse('issued_at', issued_at, `within the day before ${formatMicros(now)}: sign the act again`)
  return at
}

function signerOf(keys: OperatorKeys, { operator_key_id, signature }: ActSignature, text: string): string {
  const key = keys.get(operator_key_id) ?? refuse('operator_key_id', operator_key_id, 'a key that is registered')
  if (key.revoked_at !== null)
    refuse(
      'operator_key_id',
      operator_key_id,
      `a key that is not revoked; this one was at ${formatMicros(key.revoked_at)}`,
    )
  if (typeof signature !== 'string' || !ED25519_HEX.test(signature))
    refuse('signature', `of ${key.operator_id}`, '128 lower-case hex digits (Ed25519)')
  if (!isSignedBy(key.public_key, text, signature))
    refuse('signature', `of ${key.operator_id}`, 'one of this act: its command, actor, reason and instant')
  return key.operator_id
}

function peopleOf(keys: readonly Pick<OperatorKeyRow, 'operator_id'>[]): ReadonlySet<string> {
  return new Set(keys.map(({ operator_id }) => operator_id))
}

function registered(keys: OperatorKeys): string {
  const people = peopleOf([...keys.values()].filter(({ revoked_at }) => revoked_at === null))
  return `registered: ${[...people].join(', ')}; \`tidemark operator add NAME\` registers another one`
}

/** Whether stored signatures are of the keys that they name, for an act that was signed. */
export function verifyStoredAct(keys: OperatorKeys, act: SignedAct, signatures: readonly ActSignature[]): boolean {
  const text = operatorActText([...keys.keys()][0] ?? '', act)
  return signatures.every(({ operator_key_id, signature }) => {
    const key = keys.get(operator_key_id)
    return key !== undefined && isSignedBy(key.public_key, text, signature)
  })
}

import { randomBytes } from 'node:crypto'
import { isServiceError, notAllowed, ServiceError } from '../../primitives/errors.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import { commandHash } from '../../trading/auth/operator-act-text.ts'
import { SANDBOX, signersNeeded } from '../../trading/engine/authorize-act.ts'
import type { Operate, OperatorCommand } from '../../trading/engine/submission.ts'
import type { EngineClient } from '../../trading/service/engine-client.ts'
import { performAct } from '../../trading/service/perform-act.ts'
import type { OperatorKeyRead, OperatorReads } from '../../trading/store/operator/operator-reads.ts'
import { makeOperatorKey, type OperatorKey, operatorKeyFile, readOperatorKey, signAct } from './operator-key-file.ts'

/** Actor and reason of an operator's act, recorded with it. */
export type Actor = {
  readonly actor: string
  readonly reason: string
  /** Key files of the actor and of the one who approves; missing: those of the home. */
  readonly operator_key?: string | undefined
  readonly approval_key?: string | undefined
}

/** An act with the signatures that it has so far. */
export type Act = Omit<Operate, 'kind'>

/** Connections and folder with which acts are signed. */
export type ActPorts = {
  readonly client: EngineClient
  readonly reads: Pick<OperatorReads, 'listOperatorKeys'>
  readonly home: string
  readonly environment: string
  readonly note: (text: string) => void
}

/**
 * Performs an operator's act once, unsigned; if another engine takes over meanwhile, the same act is repeated.
 * @returns the engine's answer, null if it is empty
 * @throws {ServiceError} the engine's refusal; SERVICE_UNAVAILABLE, OUTCOME_UNKNOWN if no engine answers for some seconds
 */
export function performOperatorAct(client: EngineClient, { actor, reason }: Actor, command: OperatorCommand) {
  return performAct(client, { act_id: newActId(), actor, reason, command })
}

/**
 * Signs an operator's act with the keys of the actor and of the one who approves it, and performs it. In a database where nobody is
 * registered, the actor is registered first.
 * @throws {ServiceError} as performOperatorAct; VALIDATION_USAGE_INVALID: a key is missing
 */
export async function performSignedAct(ports: ActPorts, actor: Actor, command: OperatorCommand): Promise<unknown> {
  return performAct(ports.client, await signedAct(ports, actor, { act_id: newActId(), command }, true))
}

/**
 * Signs an act.
 * @param is_whole true: the one who approves signs too; false: they will, elsewhere
 */
export async function signedAct(
  ports: ActPorts,
  actor: Actor,
  { act_id, command }: Pick<Act, 'act_id' | 'command'>,
  is_whole: boolean,
): Promise<Act> {
  const keys = await registeredKeys(ports, actor)
  // Before anybody signs: the engine would refuse it afterwards.
  signersNeeded({ actor: actor.actor, command }, new Map(keys.map((key) => [key.operator_key_id, key])))
  const own = await keyOf(ports.home, actor.actor, actor.operator_key, keys)
  const act = { act_id, actor: actor.actor, reason: actor.reason, command }
  const first = withSignature({ ...act, issued_at: formatMicros(wallClock()), signatures: [] }, own, keys)
  const approver = 'approved_by' in command ? (command.approved_by ?? null) : null
  if (!is_whole || approver === null || approver === actor.actor) return first
  return withSignature(first, await keyOf(ports.home, approver, actor.approval_key, keys), keys)
}

/** Adds a signature to an act. */
export function withSignature(act: Act, key: OperatorKey, keys: readonly OperatorKeyRead[]): Act {
  const { issued_at = '', signatures = [], command } = act
  const signed = { ...act, issued_at, command_hash: commandHash(command) }
  return { ...act, signatures: [...signatures, signAct(key, keys[0]!.operator_key_id, signed)] }
}

/** Returns the keys of a database, the first of them the root; registers the actor where there is none. */
export async function registeredKeys(
  ports: ActPorts,
  { actor, operator_key }: Omit<Actor, 'reason'>,
): Promise<readonly OperatorKeyRead[]> {
  const known = await ports.reads.listOperatorKeys()
  requireEnvironment(ports, known)
  if (known.length > 0) return known
  const file = operator_key ?? operatorKeyFile(ports.home, actor)
  const key = (await readOperatorKey(file)) ?? (await makeOperatorKey(file, actor))
  try {
    await register(ports, actor, key)
    const { environment } = ports
    const rule = `its environment is ${environment} from now on, where ${environment === SANDBOX ? 'one person' : 'only two people'} may book deposits`
    ports.note(`${actor} is the first registered operator of this database; the key is ${file}; ${rule}`)
  } catch (error) {
    const registered = await ports.reads.listOperatorKeys()
    // Another process was first, else the engine refused this key.
    if (!isServiceError(error, 'VALIDATION_USAGE_INVALID') || registered.length === 0) throw error
    requireEnvironment(ports, registered)
  }
  return ports.reads.listOperatorKeys()
}

/**
 * Refuses to act from another environment than that of the registered keys, which decides what needs a second person.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function requireEnvironment({ environment }: ActPorts, [root]: readonly OperatorKeyRead[]): void {
  if (root === undefined || root.environment === environment) return
  const allowed = `${root.environment}, that of the operators of this database`
  throw notAllowed('VALIDATION_USAGE_INVALID', 'TIDEMARK_ENVIRONMENT', environment, allowed)
}

function register({ client, environment }: ActPorts, actor: string, key: OperatorKey): Promise<unknown> {
  const { operator_key_id, operator_id, public_key } = key
  const what = { operator_key_id, operator_id, public_key, environment, approved_by: null }
  const reason = 'first operator of this database'
  return performOperatorAct(client, { actor, reason }, { kind: 'register_operator_key', ...what })
}

/**
 * Returns the key of a person.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: they are not registered, or their key is not here
 */
export async function keyOf(
  home: string,
  operator_id: string,
  file: string | undefined,
  keys: readonly OperatorKeyRead[],
): Promise<OperatorKey> {
  const active = keys.filter(({ revoked_at }) => revoked_at === null)
  const people = [...new Set(active.map((key) => key.operator_id))]
  const of = { field: 'operator', value: operator_id }
  if (!people.includes(operator_id)) {
    const message = `operator is ${JSON.stringify(operator_id)}, who is not registered; allowed: ${people.join(', ')}, as --actor NAME; \`tidemark operator add NAME\` registers another one`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, of)
  }
  const path = file ?? operatorKeyFile(home, operator_id)
  const key = await readOperatorKey(path)
  if (key !== null) return key
  const message = `the key of ${operator_id} is not at ${path}; allowed: --operator-key FILE for the actor, --approval-key FILE for the one who approves, or --save FILE, which they sign with \`tidemark operator approve FILE\``
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, of)
}

/** Returns an id of an act that nobody has used. */
export function newActId(): string {
  return `act_${randomBytes(16).toString('hex')}`
}

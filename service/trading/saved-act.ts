import { readFile, writeFile } from 'node:fs/promises'
import { isObject } from '../../primitives/canonical-json.ts'
import { notAllowed, ServiceError } from '../../primitives/errors.ts'
import { JsonFault, parseStrictText } from '../../primitives/strict-json.ts'
import type { OperatorCommand } from '../../trading/engine/submission.ts'
import { performAct } from '../../trading/service/perform-act.ts'
import {
  type Act,
  type Actor,
  type ActPorts,
  keyOf,
  newActId,
  requireEnvironment,
  signedAct,
  withSignature,
} from './operator-act.ts'

/**
 * Signs an act as its actor and writes it to a file, for the one who approves it.
 * @returns what was done, in a sentence
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file cannot be created
 */
export async function saveAct(ports: ActPorts, actor: Actor, command: OperatorCommand, file: string): Promise<string> {
  const act = await signedAct(ports, actor, { act_id: newActId(), command }, false)
  try {
    await writeFile(file, `${JSON.stringify(act, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const message = `save is ${file} (${(error as NodeJS.ErrnoException).code}); allowed: a path where a new file can be created`
    throw new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'save', value: file }, error)
  }
  const approve = `tidemark operator approve ${file} --actor ${approverOf(command) ?? 'NAME'}`
  return `${act.act_id} is signed in ${file} and valid for a day; \`${approve}\` performs it`
}

/**
 * Adds a signature to a saved act and performs it.
 * @returns the act, and the engine's answer
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the file holds no act, or names another approver; the engine's refusal
 */
export async function approveAct(
  ports: ActPorts,
  approver: Actor,
  file: string,
): Promise<{ act: Act; answer: unknown }> {
  const act = await readAct(file)
  const keys = await ports.reads.listOperatorKeys()
  requireEnvironment(ports, keys)
  requireApprover(act, approver.actor)
  const key = await keyOf(ports.home, approver.actor, approver.operator_key, keys)
  return { act, answer: await performAct(ports.client, withSignature(act, key, keys)) }
}

/** Refuses whom the act does not name, mostly its actor: both may be the same user of the machine. */
function requireApprover({ command }: Act, actor: string): void {
  const approver = approverOf(command)
  if (approver === null || approver === actor) return
  throw notAllowed('VALIDATION_USAGE_INVALID', 'actor', actor, `--actor ${approver}, who is to approve this act`)
}

function approverOf(command: OperatorCommand): string | null {
  return 'approved_by' in command ? (command.approved_by ?? null) : null
}

/** Reads a saved act. @throws {ServiceError} VALIDATION_USAGE_INVALID: the file holds none */
export async function readAct(file: string): Promise<Act> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw notSaved(file, String(error.code), error)
  })
  let found: unknown
  try {
    found = parseStrictText(text)
  } catch (error) {
    throw notSaved(file, error instanceof JsonFault && error.is_doubled ? error.message : 'no JSON', error)
  }
  const is_act = isObject(found) && typeof found.act_id === 'string' && isObject(found.command)
  if (!is_act) throw notSaved(file, 'no act')
  return found as unknown as Act
}

function notSaved(file: string, found: string, cause?: unknown): ServiceError {
  const message = `act file is ${file} (${found}); allowed: a file that a command wrote with --save`
  return new ServiceError('VALIDATION_USAGE_INVALID', message, { field: 'file', value: file }, cause)
}

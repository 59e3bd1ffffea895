import { isServiceError, ServiceError } from '../../primitives/errors.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { commandHash, recordedCommand } from '../auth/operator-act-text.ts'
import { refuse } from '../market/refuse.ts'
import { knownAccount } from './account-commands.ts'
import { adjustFill } from './adjust-fill.ts'
import { answered, refused } from './answers.ts'
import { operate } from './apply.ts'
import { type ActAuthority, authorizeAct, isServiceStep } from './authorize-act.ts'
import { carryOutSettling, settlingAgain } from './carry-out-settling.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { setFees } from './fee-commands.ts'
import { makeComplementary } from './make-complementary.ts'
import { registerOperatorKey, revokeOperatorKey } from './operator-keys.ts'
import { isSettling } from './settlement-commands.ts'
import type { Answer, Operate, OperatorCommand } from './submission.ts'
import { addKey, endedKey, publishKey, revokeKey } from './submit-keys.ts'
import { concludeTransfer } from './transfers.ts'
import { disableWebhook } from './webhooks.ts'

/**
 * Carries out an operator's act and records it with actor and reason. Repeating it has no further effect; a refused act is not
 * recorded.
 */
export function submitOperate(execution: Execution, facts: Facts, act: Operate): Answer {
  const { act_id, actor, reason, command } = act
  const answer_data = { act_id, kind: command.kind, at: formatMicros(execution.now) }
  try {
    if (!isStorable([act_id, actor, reason, command]))
      refuse('command', command.kind, 'texts without the character U+0000, of whole Unicode characters')
    const carried_out = facts.act_ids.get(act_id)
    if (carried_out !== undefined) return repeatedAnswer(execution, facts, act, carried_out)
    const authority = authorizeAct(facts, act, execution.now)
    const result = carryOut(execution, facts, act)
    if (command.kind !== 'set_marks') {
      const kept = recorded(command)
      const { command_hash, issued_at, signatures } = authority ?? unsigned(kept)
      facts.act_ids.set(act_id, command_hash)
      const act_row = { act_id, at: execution.now, actor, reason, command: kept, issued_at, command_hash, signatures }
      execution.changes.acts.push(act_row)
    }
    return answered(200, { ...answer_data, ...result })
  } catch (error) {
    if (!isServiceError(error)) throw error
    return refused({ code: error.code, message: error.message, facts: error.facts })
  }
}

/** Whether the database can keep every text of a value, names of fields included. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every((entry) => entry.every(isStorable))
}

/** Returns what is kept with an act that nobody signed: the hash of its command, which the chain over all batches covers. */
function unsigned(kept: object): ActAuthority {
  return { issued_at: null, command_hash: commandHash(kept), signatures: [] }
}

/** Carries out a command. @returns `data` of the answer beside the act's id */
function carryOut(execution: Execution, facts: Facts, act: Operate): object {
  const { command, actor, reason } = act
  switch (command.kind) {
    case 'add_key':
      return addApiKey(execution, facts, command, act)
    case 'revoke_key':
      return revokeApiKey(execution, command, actor)
    case 'set_fees': {
      const { schedule_id, schedule_version } = setFees(execution, command)
      return { schedule_id, schedule_version }
    }
    case 'register_operator_key':
      return registerOperatorKey(execution, facts, command)
    case 'revoke_operator_key':
      return revokeOperatorKey(execution, facts, command)
    case 'make_complementary':
      return makeComplementary(execution, command, { actor, reason })
    case 'adjust_fill':
      return adjustFill(execution, facts, command, actor)
    case 'conclude_transfer':
      return concludeTransfer(execution, facts, command)
    case 'disable_webhook':
      return disableWebhook(execution, facts, command)
    default:
      if (isSettling(command)) return carryOutSettling(execution, facts, command, { actor, reason })
      operate(execution, { ...command, actor, reason })
      return {}
  }
}

/**
 * Returns the answer to a repeated act, with its attempts and payouts as they are now.
 * @param carried_out hash of the command under this act's id; null: an earlier version did not keep it
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: another command was carried out under this id
 */
function repeatedAnswer(execution: Execution, facts: Facts, { act_id, command }: Operate, carried_out: string | null) {
  if (carried_out !== null && !isServiceStep(command) && carried_out !== commandHash(command))
    refuse('act_id', act_id, 'the id of an act that was not carried out: this one was, with another command')
  const answer_data = isSettling(command) ? settlingAgain(execution, facts, command) : {}
  return { ...answered(200, { act_id, kind: command.kind, repeated: true, ...answer_data }), replayed: true }
}

type AddKey = Extract<OperatorCommand, { kind: 'add_key' }>
type RevokeKey = Extract<OperatorCommand, { kind: 'revoke_key' }>

/** Adds the first key of an account, authorized by its owner elsewhere; the act's actor is responsible for it. */
function addApiKey(
  execution: Execution,
  facts: Facts,
  { key, authorization }: AddKey,
  { actor, reason }: Pick<Operate, 'actor' | 'reason'>,
): object {
  const { account_id, key_id } = key
  knownAccount(execution, account_id)
  if (execution.state.keys.has(key_id)) refuse('key_id', key_id, 'an id that is not taken')
  const { account, api_key_id, owner, nonce } = authorization
  if (account !== account_id) refuse('authorization.account', account, account_id)
  if (api_key_id !== key_id) refuse('authorization.api_key_id', api_key_id, key_id)
  if (facts.authorization_nonces.has(`${account} ${owner} ${nonce}`)) {
    refuse('authorization.nonce', nonce, 'a nonce that was not used')
  }
  const ended = endedKey(key, execution.now)
  if (ended !== null) throw new ServiceError('VALIDATION_USAGE_INVALID', ended, { field: 'expires_at' })
  publishKey(execution, addKey(execution, facts, key, authorization), 'created', { identity: null, actor, reason })
  return { key_id }
}

function revokeApiKey(execution: Execution, { key_id, reason }: RevokeKey, actor: string): object {
  const key = execution.state.keys.get(key_id) ?? refuse('key_id', key_id, 'a key that is known')
  if (key.revoked_at !== null) refuse('key_id', key_id, 'a key that is not revoked yet')
  revokeKey(execution, key, reason, { identity: null, actor })
  return { key_id }
}

/** Returns a command as its act records it: without secrets, and without attempts, which have rows of their own. */
function recorded(command: OperatorCommand): object {
  const { kind } = command
  if (kind === 'submit_settlements') return { kind, rail: command.rail, attempt_count: command.attempts.length }
  if (kind === 'conclude_settlements') return { kind, result_count: command.results.length }
  return recordedCommand(command)
}

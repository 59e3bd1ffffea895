import { isServiceStep } from './authorize-act.ts'
import { isSettling, type SettlementCommand } from './settlement-commands.ts'
import type { KeyAuthorization, OrderName, SignedAmend, SignedOrder, Submission, WriteIdentity } from './submission.ts'

/** Keys of the records that submissions need before they are applied: by table, one object for each row. */
export type Needs = {
  readonly request_nonces: { readonly key_id: string; readonly nonce: string }[]
  readonly answers: {
    readonly account_id: string
    readonly method: string
    readonly path: string
    readonly idempotency_key: string
  }[]
  readonly order_nonces: { readonly account_id: string; readonly signer: string; readonly nonce: string }[]
  readonly authorization_nonces: { readonly account_id: string; readonly owner: string; readonly nonce: string }[]
  readonly client_order_ids: { readonly account_id: string; readonly client_order_id: string }[]
  readonly order_ids: string[]
  /** Client ids by which orders are named. */
  readonly named_client_ids: { readonly account_id: string; readonly client_order_id: string }[]
  /** With their order, their settlement and their adjustments. */
  readonly fill_ids: string[]
  readonly settlement_ids: string[]
  readonly act_ids: string[]
  /** One for each act that people sign: all operator keys are wanted. */
  readonly operator_keys: true[]
  readonly transfer_ids: string[]
  /** Accounts that ask for a transfer. */
  readonly transfer_account_ids: string[]
  readonly attempt_ids: string[]
  readonly reversal_ids: string[]
  /** With all revisions of their markets. */
  readonly resolution_ids: string[]
  /** Markets whose resolutions are wanted. */
  readonly market_ids: string[]
  /** Payments of earlier revisions, up to this many positions. */
  readonly paid_before: { readonly resolution_id: string; readonly limit: number }[]
}

/** Lists the replay keys and records that the submissions refer to, in their order, with repetitions. */
export function needsOf(...submissions: readonly Submission[]): Needs {
  const needs: Needs = {
    request_nonces: [],
    answers: [],
    order_nonces: [],
    authorization_nonces: [],
    client_order_ids: [],
    order_ids: [],
    named_client_ids: [],
    fill_ids: [],
    settlement_ids: [],
    act_ids: [],
    operator_keys: [],
    transfer_ids: [],
    transfer_account_ids: [],
    attempt_ids: [],
    reversal_ids: [],
    resolution_ids: [],
    market_ids: [],
    paid_before: [],
  }
  for (const submission of submissions) addNeeds(needs, submission)
  return needs
}

function addNeeds(needs: Needs, submission: Submission): void {
  if (submission.kind === 'stamp') return
  if (submission.kind === 'preview') {
    addOrder(needs, submission.order)
    return
  }
  if (submission.kind === 'queue_position') {
    needs.order_ids.push(submission.order_id)
    return
  }
  if (submission.kind === 'operate') {
    addOperator(needs, submission)
    return
  }
  addIdentity(needs, submission.identity)
  if (submission.kind === 'place') addOrder(needs, submission.order)
  else if (submission.kind === 'place_batch' || submission.kind === 'mass_quote') {
    for (const order of submission.orders) addOrder(needs, order)
  } else if (submission.kind === 'cancel') addNamed(needs, submission.identity, submission)
  else if (submission.kind === 'cancel_batch') {
    for (const target of submission.targets) addNamed(needs, submission.identity, target)
  } else if (submission.kind === 'amend') addAmend(needs, submission)
  else if (submission.kind === 'amend_batch') for (const amend of submission.amends) addAmend(needs, amend)
  else if (submission.kind === 'request_transfer') needs.transfer_account_ids.push(submission.identity.account_id)
  else if (submission.kind === 'cancel_transfer') needs.transfer_ids.push(submission.transfer_id)
  else if (submission.kind === 'create_key') {
    addAuthorization(needs, submission.authorization)
  } else if (submission.kind === 'rotate_key' || submission.kind === 'revoke_key') {
    if (submission.consent !== null) addAuthorization(needs, submission.consent.authorization)
  }
}

function addNamed(needs: Needs, { account_id }: WriteIdentity, { order_id, client_order_id }: OrderName): void {
  if (order_id !== undefined) needs.order_ids.push(order_id)
  else needs.named_client_ids.push({ account_id, client_order_id })
}

function addAuthorization(needs: Needs, { account: account_id, owner, nonce }: KeyAuthorization): void {
  needs.authorization_nonces.push({ account_id, owner, nonce })
}

function addIdentity(needs: Needs, { key_id, nonce, account_id, method, path, idempotency_key }: WriteIdentity): void {
  needs.request_nonces.push({ key_id, nonce })
  needs.answers.push({ account_id, method, path, idempotency_key })
}

function addAmend(needs: Needs, { order_id, order }: SignedAmend): void {
  needs.order_ids.push(order_id)
  addOrder(needs, order)
}

function addOrder(needs: Needs, { intent, signature }: SignedOrder): void {
  const { account_id, client_order_id } = intent
  needs.order_nonces.push({ account_id, signer: signature.signer, nonce: signature.order_nonce })
  needs.client_order_ids.push({ account_id, client_order_id })
}

function addOperator(needs: Needs, { act_id, command }: Extract<Submission, { kind: 'operate' }>): void {
  needs.act_ids.push(act_id)
  if (!isServiceStep(command)) needs.operator_keys.push(true)
  if (command.kind === 'adjust_fill') needs.fill_ids.push(command.fill_id)
  else if (command.kind === 'conclude_transfer') needs.transfer_ids.push(command.transfer_id)
  else if (command.kind === 'add_key') {
    addAuthorization(needs, command.authorization)
  } else if (isSettling(command)) addSettling(needs, command)
}

function addSettling(needs: Needs, command: SettlementCommand): void {
  if (command.kind === 'submit_settlements') for (const attempt of command.attempts) addAttempt(needs, attempt)
  else if (command.kind === 'conclude_settlements') for (const result of command.results) addAttempt(needs, result)
  else if (command.kind === 'reverse_settlement') {
    needs.settlement_ids.push(command.settlement_id)
    needs.reversal_ids.push(command.reversal_id)
  } else if (command.kind !== 'set_marks') addResolving(needs, command)
}

function addAttempt(needs: Needs, { settlement_id, attempt_id }: { settlement_id: string; attempt_id: string }): void {
  needs.settlement_ids.push(settlement_id)
  needs.attempt_ids.push(attempt_id)
}

type Resolving = Exclude<
  SettlementCommand,
  { kind: 'submit_settlements' | 'conclude_settlements' | 'reverse_settlement' | 'set_marks' }
>

function addResolving(needs: Needs, command: Resolving): void {
  const { resolution_id } = command
  needs.resolution_ids.push(resolution_id)
  if (command.kind === 'propose_resolution') needs.market_ids.push(command.market_id)
  else if (command.kind === 'correct_resolution') needs.resolution_ids.push(command.supersedes_id)
  else if (command.kind === 'pay_resolution') needs.paid_before.push({ resolution_id, limit: command.limit })
}

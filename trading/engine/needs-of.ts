import type { SignedOrder, Submission, WriteIdentity } from './submission.ts'

/** What must be read for submissions before they are applied: keys of the tables, one object a row to look for. */
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
  /** With their order, their settlement and their adjustments. */
  readonly fill_ids: string[]
  readonly settlement_ids: string[]
  readonly act_ids: string[]
}

/** Replay keys and records that the submissions name, in their order, repeated where they are named again. */
export function needsOf(...submissions: readonly Submission[]): Needs {
  const needs: Needs = {
    request_nonces: [],
    answers: [],
    order_nonces: [],
    authorization_nonces: [],
    client_order_ids: [],
    order_ids: [],
    fill_ids: [],
    settlement_ids: [],
    act_ids: [],
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
  if (submission.kind === 'operate') {
    addOperator(needs, submission)
    return
  }
  addIdentity(needs, submission.identity)
  if (submission.kind === 'place') addOrder(needs, submission.order)
  else if (submission.kind === 'place_batch') for (const order of submission.orders) addOrder(needs, order)
  else if (submission.kind === 'cancel') needs.order_ids.push(submission.order_id)
  else if (submission.kind === 'amend') {
    needs.order_ids.push(submission.order_id)
    addOrder(needs, submission.order)
  } else if (submission.kind === 'create_key') {
    const { account: account_id, owner, nonce } = submission.authorization
    needs.authorization_nonces.push({ account_id, owner, nonce })
  }
}

function addIdentity(needs: Needs, { key_id, nonce, account_id, method, path, idempotency_key }: WriteIdentity): void {
  needs.request_nonces.push({ key_id, nonce })
  needs.answers.push({ account_id, method, path, idempotency_key })
}

function addOrder(needs: Needs, { intent, signature }: SignedOrder): void {
  const { account_id, client_order_id } = intent
  needs.order_nonces.push({ account_id, signer: signature.signer, nonce: signature.order_nonce })
  needs.client_order_ids.push({ account_id, client_order_id })
}

function addOperator(needs: Needs, { act_id, command }: Extract<Submission, { kind: 'operate' }>): void {
  needs.act_ids.push(act_id)
  if (command.kind === 'confirm_settlement') needs.settlement_ids.push(command.settlement.settlement_id)
  else if (command.kind === 'adjust_fill') needs.fill_ids.push(command.fill_id)
  else if (command.kind === 'add_key') {
    const { account: account_id, owner, nonce } = command.authorization
    needs.authorization_nonces.push({ account_id, owner, nonce })
  }
}

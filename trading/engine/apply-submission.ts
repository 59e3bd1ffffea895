import { formatMicros, type Micros } from '../../primitives/instants.ts'
import { advanceClock } from './advance-clock.ts'
import { answered, refused } from './answers.ts'
import type { Changes } from './changes.ts'
import { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { previewOrder } from './preview-order.ts'
import { queuePosition } from './queue-position.ts'
import { duplicateClientId, keepAnswer, passReplayControl } from './replay-control.ts'
import type { EngineState } from './state.ts'
import type { Answer, Submission } from './submission.ts'
import { submitCancel, submitCancelAfter, submitCancelAll, submitCancelBatch } from './submit-cancels.ts'
import { submitCreateKey, submitRevokeKey, submitRotateKey } from './submit-keys.ts'
import { submitMassQuote } from './submit-mass-quote.ts'
import { submitOperate } from './submit-operator.ts'
import { submitAmend, submitAmendBatch, submitBatch, submitPlace } from './submit-orders.ts'
import { removeProtection, resetProtection, setProtection } from './submit-protections.ts'
import { cancelTransfer, requestTransfer } from './transfers.ts'

/**
 * Applies one submission to the state, in place: stages 3 to 8 and its effects. Adds its changes to the batch's, and what it uses
 * up to the facts. Deterministic: the same submissions, facts and stamps give the same answers, state and changes.
 * @param facts the facts of `needsOf(submission)`, shared by all submissions of a batch
 * @param now the batch's stamp, after the previous one; the first submission of a batch advances the clock to it
 * @throws {InvariantError} a bug: the state must be discarded and reloaded
 */
export function applySubmission(
  state: EngineState,
  submission: Submission,
  facts: Facts,
  now: Micros,
  changes: Changes,
): Answer {
  const execution = new Execution(state, now, changes)
  advanceClock(execution, 'identity' in submission ? submission.identity.account_id : undefined)
  if (submission.kind === 'stamp') return answered(200, { as_of: formatMicros(now) })
  if (submission.kind === 'preview') return previewOrder(execution, facts, submission)
  if (submission.kind === 'queue_position') return queuePosition(execution, facts, submission)
  if (submission.kind === 'operate') return submitOperate(execution, facts, submission)
  return applyWrite(execution, facts, submission)
}

type Write = Exclude<Submission, { kind: 'stamp' | 'preview' | 'queue_position' | 'operate' }>

/** Answers are kept from stage 4 on, refusals included. */
function applyWrite(execution: Execution, facts: Facts, submission: Write): Answer {
  const { identity } = submission
  const ended = passReplayControl(execution, facts, identity)
  if (ended !== null) return ended
  if (submission.kind === 'place' || submission.kind === 'amend') {
    const duplicate = duplicateClientId(facts, identity.account_id, submission.order)
    if (duplicate !== null) return refused(duplicate)
  }
  const { answer, kept } = carryOut(execution, facts, submission)
  keepAnswer(execution, facts, identity, kept)
  return answer
}

function carryOut(execution: Execution, facts: Facts, submission: Write) {
  switch (submission.kind) {
    case 'create_key':
      return submitCreateKey(execution, facts, submission)
    case 'rotate_key':
      return submitRotateKey(execution, facts, submission)
    default: {
      const answer = answerWrite(execution, facts, submission)
      return { answer, kept: answer }
    }
  }
}

function answerWrite(
  execution: Execution,
  facts: Facts,
  submission: Exclude<Write, { kind: 'create_key' | 'rotate_key' }>,
): Answer {
  switch (submission.kind) {
    case 'place':
      return submitPlace(execution, facts, submission)
    case 'place_batch':
      return submitBatch(execution, facts, submission)
    case 'mass_quote':
      return submitMassQuote(execution, facts, submission)
    case 'amend':
      return submitAmend(execution, facts, submission)
    case 'amend_batch':
      return submitAmendBatch(execution, facts, submission)
    case 'cancel':
      return submitCancel(execution, facts, submission)
    case 'cancel_batch':
      return submitCancelBatch(execution, facts, submission)
    case 'cancel_all':
      return submitCancelAll(execution, submission)
    case 'set_cancel_after':
      return submitCancelAfter(execution, submission)
    case 'request_transfer':
      return requestTransfer(execution, facts, submission)
    case 'cancel_transfer':
      return cancelTransfer(execution, facts, submission)
    case 'set_protection':
      return setProtection(execution, submission)
    case 'reset_protection':
      return resetProtection(execution, submission)
    case 'remove_protection':
      return removeProtection(execution, submission)
    case 'revoke_key':
      return submitRevokeKey(execution, facts, submission)
  }
}

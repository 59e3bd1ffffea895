import { concludedBefore, concludeSettlements } from './conclude-settlements.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import { setMarks } from './mark-commands.ts'
import type { ActOf } from './move-settlement.ts'
import { paidBefore, payResolution } from './pay-resolution.ts'
import {
  correctResolution,
  decideDispute,
  disputeResolution,
  finalizeResolution,
  proposeResolution,
} from './resolution-commands.ts'
import { reverseSettlement } from './reverse-settlement.ts'
import type { SettlementCommand } from './settlement-commands.ts'
import { submitSettlements, submittedBefore } from './submit-settlements.ts'

/**
 * Carries out a command about settlements, resolutions or marks.
 * @returns `data` of its answer
 * @throws {ServiceError} as each command documents
 */
export function carryOutSettling(execution: Execution, facts: Facts, command: SettlementCommand, act: ActOf): object {
  switch (command.kind) {
    case 'submit_settlements':
      return submitSettlements(execution, facts, command, act)
    case 'conclude_settlements':
      return concludeSettlements(execution, facts, command, act)
    case 'reverse_settlement':
      return reverseSettlement(execution, facts, command, act)
    case 'propose_resolution':
      return proposeResolution(execution, facts, command, act)
    case 'dispute_resolution':
      return disputeResolution(execution, facts, command)
    case 'decide_dispute':
      return decideDispute(execution, facts, command, act)
    case 'finalize_resolution':
      return finalizeResolution(execution, facts, command, act)
    case 'pay_resolution':
      return payResolution(execution, facts, command)
    case 'correct_resolution':
      return correctResolution(execution, facts, command, act)
    case 'set_marks':
      return { changed: setMarks(execution, command) }
  }
}

/** Returns `data` of the answer to a repeated act; it has no further effect. */
export function settlingAgain(execution: Execution, facts: Facts, command: SettlementCommand): object {
  switch (command.kind) {
    case 'submit_settlements':
      return submittedBefore(facts, command)
    case 'conclude_settlements':
      return concludedBefore(facts, command)
    case 'pay_resolution':
      return paidBefore(execution, facts, command)
    default:
      return {}
  }
}

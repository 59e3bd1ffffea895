import type { Micros } from '../../primitives/instants.ts'
import { isRejection, type Rejection } from '../order/order-errors.ts'
import { addAccount, addAsset, blockAccount, moveMoney, setPolicy } from './account-commands.ts'
import { advanceClock } from './advance-clock.ts'
import { amendOrder } from './amend-order.ts'
import { cancelOrder } from './cancel-order.ts'
import type { Changes } from './changes.ts'
import type { Command } from './commands.ts'
import { Execution } from './execution.ts'
import { setMark } from './mark-commands.ts'
import { addMarket, moveMarket } from './market-commands.ts'
import { massCancel } from './mass-cancel.ts'
import { placeOrder } from './place-order.ts'
import type { EngineState } from './state.ts'

/** Result of one command, beside its events. */
export type Outcome = { readonly rejection: Rejection | null }

const DONE: Outcome = { rejection: null }

/**
 * Applies one command to the state, in place, and adds its changes to the batch's; `finishBatch` ends the batch. Deterministic:
 * the same commands with the same stamps give the same state and changes. No clock, chance or I/O.
 * @param now the batch's stamp, not before the state's clock
 * @throws {ServiceError} VALIDATION_USAGE_INVALID for an operator's command; nothing has changed
 * @throws {InvariantError} a bug: the state must be discarded and reloaded
 */
export function apply(state: EngineState, command: Command, now: Micros, changes: Changes): Outcome {
  const execution = new Execution(state, now, changes)
  advanceClock(execution, 'account_id' in command ? (command.account_id ?? undefined) : undefined)
  switch (command.kind) {
    case 'place_order':
      return rejectionOf(placeOrder(execution, command))
    case 'cancel_order':
      return rejectionOf(cancelOrder(execution, command))
    case 'amend_order':
      return rejectionOf(amendOrder(execution, command))
    case 'cancel_all':
      massCancel(execution, { ...command, origin: null })
      return DONE
    default:
      operate(execution, command)
      return DONE
  }
}

type Operating = Exclude<Command, { kind: 'place_order' | 'cancel_order' | 'amend_order' | 'cancel_all' }>

type Handler<C> = (execution: Execution, command: C) => void
const HANDLERS: { readonly [K in Operating['kind']]: Handler<Extract<Operating, { kind: K }>> } = {
  add_asset: addAsset,
  add_market: addMarket,
  move_market: moveMarket,
  set_mark: setMark,
  add_account: addAccount,
  set_policy: setPolicy,
  block_account: blockAccount,
  deposit: moveMoney,
  withdraw: moveMoney,
}

/** Carries out an operator's command. @throws {ServiceError} VALIDATION_USAGE_INVALID; nothing has changed */
export function operate(execution: Execution, command: Operating): void {
  const handle = HANDLERS[command.kind] as Handler<Operating>
  handle(execution, command)
}

function rejectionOf(result: object): Outcome {
  if (isRejection(result)) return { rejection: result }
  return 'rejection' in result ? { rejection: result.rejection as Rejection } : DONE
}

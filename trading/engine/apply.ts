import type { Micros } from '../../primitives/instants.ts'
import type { Rejection } from '../order/rejection.ts'
import { addAccount, addAsset, blockAccount, confirmSettlement, moveMoney, setPolicy } from './account-commands.ts'
import { amendOrder } from './amend-order.ts'
import { cancelAll, cancelOrder, expireOrders } from './cancel-order.ts'
import type { Command } from './commands.ts'
import { type Changes, Execution } from './execution.ts'
import { addMarket, moveMarket, setMark } from './market-commands.ts'
import { placeOrder } from './place-order.ts'
import type { EngineState } from './state.ts'

/** What the caller of one command is told, beside the events. */
export type Outcome = { readonly rejection: Rejection | null }

/** Changes of a batch that is still empty. */
export function noChanges(): Changes {
  return { events: [], entries: [], orders: new Map() }
}

type Handler<C> = (execution: Execution, command: C) => Rejection | null

const HANDLERS: { readonly [K in Command['kind']]: Handler<Extract<Command, { kind: K }>> } = {
  place_order: (execution, { intent }) => placeOrder(execution, intent),
  cancel_order: cancelOrder,
  amend_order: amendOrder,
  cancel_all: always(cancelAll),
  add_asset: always(addAsset),
  add_market: always(addMarket),
  move_market: always(moveMarket),
  set_mark: always(setMark),
  add_account: always(addAccount),
  set_policy: always(setPolicy),
  block_account: always(blockAccount),
  deposit: always(moveMoney),
  withdraw: always(moveMoney),
  confirm_settlement: (execution, { settlement }) => {
    confirmSettlement(execution, settlement)
    return null
  },
}

/**
 * Applies one command to the state, in place, and adds what it changes to a batch's changes. Deterministic: the same commands with
 * the same stamps give the same state and changes. No clock, chance or I/O.
 * @param now the batch's stamp, not before the state's clock
 * @throws {ServiceError} VALIDATION_USAGE_INVALID of an operator's command; nothing has changed
 * @throws {InvariantError} a bug: the state must be thrown away and read again
 */
export function apply(state: EngineState, command: Command, now: Micros, changes: Changes): Outcome {
  const execution = new Execution(state, now, changes)
  state.clock = now
  expireOrders(execution)
  const handle = HANDLERS[command.kind] as Handler<Command>
  const rejection = handle(execution, command)
  execution.finish()
  return { rejection }
}

/** A command that is carried out or throws. */
function always<C>(act: (execution: Execution, command: C) => unknown): Handler<C> {
  return (execution, command) => {
    act(execution, command)
    return null
  }
}

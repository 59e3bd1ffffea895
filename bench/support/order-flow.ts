import { createRandom } from '../../simulator/world/random.ts'
import { ORIGIN } from '../../test/trading/support/world.ts'
import { apply } from '../../trading/engine/apply.ts'
import { noChanges } from '../../trading/engine/changes.ts'
import type { Command } from '../../trading/engine/commands.ts'
import { finishBatch } from '../../trading/engine/finish-batch.ts'
import { type EngineState, emptyState } from '../../trading/engine/state.ts'
import type { Side } from '../../vocabulary/order.ts'

/** One limit order, or the cancel of an earlier one (price null), in the forms of our core and of a bare book. */
export type Operation = {
  readonly command: Command
  readonly id: string
  readonly side: Side
  /** In steps of 0.001. */
  readonly price: number | null
  readonly quantity: number
}

const ACT = { actor: 'bench', reason: 'bench' }
/** Buyers and sellers are different accounts, because a bare book cannot prevent self-trades. */
const ACCOUNTS = 40
const CANCELS_OF_MILLION = 400_000

/** Returns orders around a random walk of the price; four in ten are canceled again. */
export function orderFlow(count: number, seed: string): Operation[] {
  const random = createRandom('order-flow', seed)
  const placed: Operation[] = []
  const flow: Operation[] = []
  let middle = 500
  for (let n = 0; n < count; n += 1) {
    middle = Math.min(Math.max(middle + random.between(-1, 1), 100), 900)
    const canceled = random.chance(CANCELS_OF_MILLION) ? placed[random.below(Math.max(placed.length, 1))] : undefined
    if (canceled !== undefined) flow.push(cancelOf(canceled))
    else {
      const side = random.below(2) === 0 ? 'BUY' : 'SELL'
      const away = random.between(-4, 20)
      const price = side === 'BUY' ? middle - away : middle + away
      const placing = place(`ord_${n}`, side, price, random.between(1, 500), random.below(ACCOUNTS / 2))
      placed.push(placing)
      flow.push(placing)
    }
  }
  return flow
}

function place(id: string, side: Side, price: number, quantity: number, account: number): Operation {
  const account_id = `acct_${side === 'BUY' ? account : account + ACCOUNTS / 2}`
  const intent = {
    order_id: id,
    client_order_id: id,
    account_id,
    market_id: 'mkt_1',
    outcome_id: 'out_1',
    side,
    limit_price: (price / 1000).toFixed(3),
    quantity: String(quantity),
    time_in_force: 'GTC',
    expires_at: null,
    post_only: false,
    reduce_only: false,
    cancel_on_pause: false,
    self_trade_prevention: 'cancel_taker',
    maximum_fee: '100000',
    maximum_notional: '100000',
    settlement_asset_id: 'asset_usd',
  } as const
  return { command: { kind: 'place_order', intent, origin: ORIGIN }, id, side, price, quantity }
}

function cancelOf({ command, id, side, quantity }: Operation): Operation {
  const account_id = command.kind === 'place_order' ? command.intent.account_id : ''
  const cancel = { kind: 'cancel_order', account_id, order_id: id, expected_order_version: null } as const
  return { command: cancel, id, side, price: null, quantity }
}

/** Adds an open market, and funded accounts with every limit on. */
export function tradingState(): EngineState {
  const state = emptyState()
  const policy = {
    policy_id: 'pol_bench',
    policy_version: 1,
    self_trade_prevention: 'cancel_taker',
    reduce_only_crossing: 'cap',
    position_limit: '100000000',
    price_band: '0.9',
  } as const
  const setup: Command[] = [
    { kind: 'add_asset', asset_id: 'asset_usd', scale: 6, ...ACT },
    {
      kind: 'add_market',
      market_id: 'mkt_1',
      outcome_ids: ['out_1', 'out_2'],
      terms: {
        price_min: '0.001',
        price_max: '0.999',
        price_increment: '0.001',
        quantity_increment: '1',
        minimum_quantity: '1',
        settlement_asset_id: 'asset_usd',
        shorting_permitted: true,
      },
      fees: { schedule_id: 'fee_1', schedule_version: 1, taker_rate: '0.02', maker_rate: '0' },
      ...ACT,
    },
    { kind: 'move_market', market_id: 'mkt_1', to: 'open', ...ACT },
    { kind: 'set_mark', market_id: 'mkt_1', outcome_id: 'out_1', mark: '0.5', ...ACT },
  ]
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const account_id = `acct_${n}`
    setup.push({ kind: 'add_account', account_id, policy, ...ACT })
    setup.push({
      kind: 'deposit',
      transfer_id: `tr_${n}`,
      account_id,
      asset_id: 'asset_usd',
      amount: '100000000',
      ...ACT,
    })
  }
  const changes = noChanges()
  for (const command of setup) apply(state, command, 1, changes)
  finishBatch(state, 1, changes)
  return state
}

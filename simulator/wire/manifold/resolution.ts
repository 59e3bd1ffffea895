import type { Micros } from '../../../primitives/instants.ts'
import { PRICE_ONE } from '../../world/grid.ts'
import type { PoolMarket } from '../../world/market-state.ts'
import type { Contract } from './contracts.ts'
import { isBinary } from './contracts.ts'

/** What YES of a market is resolved to at present; null = it is not, or it is unresolved again. */
export function resolvedPayout({ stage, proposed_payout, final_payout }: PoolMarket, disputed: boolean): number | null {
  if (stage === 'final') return final_payout
  // A resolution that nobody will contest is made once, in the end.
  return stage === 'proposed' && disputed ? proposed_payout : null
}

export type ContractResolution = { readonly resolution: string; readonly at: Micros }

/** How a contract is resolved: YES, NO, the answer that won, MKT where each answer has its own, CANCEL for a void. */
export function contractResolution(contract: Contract): ContractResolution | null {
  const disputed = contract.event.schedule.disputed_at !== null
  const payouts = contract.answers.map(({ market }) => resolvedPayout(market, disputed))
  if (payouts.includes(null)) return null
  const at = Math.max(...contract.answers.map(({ market }) => market.stage_at))
  if (payouts.every((payout) => payout === PRICE_ONE / 2)) return { resolution: 'CANCEL', at }
  if (isBinary(contract)) return { resolution: payouts[0] === PRICE_ONE ? 'YES' : 'NO', at }
  if (contract.event.kind === 'nested') return { resolution: 'MKT', at }
  return { resolution: contract.answers[payouts.indexOf(PRICE_ONE)]!.id, at }
}

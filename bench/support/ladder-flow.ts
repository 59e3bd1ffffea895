import { createRandom } from '../../simulator/world/random.ts'
import { ladderPrice, ladderSide } from '../../trading/market/ladder.ts'
import type { Side } from '../../vocabulary/order.ts'
import { type KernelFlow, kernelFlow } from './kernel-flow.ts'
import type { Operation } from './order-flow.ts'

/** 1 in the steps of the flow's prices. */
const ONE = 1_000
const MIRRORED_OF_MILLION = 500_000

/** Terms of an order as they are signed: in those of its own outcome. */
type SignedTerms = { readonly side: Side; readonly price: number; readonly is_mirrored: boolean }

/**
 * Returns the flow as orders of both outcomes of a complementary market: half of them are signed for the second one. The engine's rules
 * bring each to the ladder; a book of the npm registry is fed with the flow itself, whose orders were mirrored beforehand.
 */
export function ladderFlow(flow: readonly Operation[], seed: string): KernelFlow {
  const random = createRandom('ladder-flow', seed)
  return kernelFlow(flow, (side, price) => {
    const signed = signedTerms(side, price, random.chance(MIRRORED_OF_MILLION))
    return {
      side: ladderSide(signed.side, signed.is_mirrored),
      limit_price: ladderPrice({ one: ONE }, signed.price, signed.is_mirrored),
      is_mirrored: signed.is_mirrored,
    }
  })
}

function signedTerms(side: Side, price: number, is_mirrored: boolean): SignedTerms {
  if (!is_mirrored) return { side, price, is_mirrored }
  return { side: side === 'BUY' ? 'SELL' : 'BUY', price: ONE - price, is_mirrored }
}

import { createRandom } from '../../simulator/world/random.ts'
import { SELF_TRADE_MODES } from '../../vocabulary/order.ts'
import type { KernelFlow, KernelOperation, KernelOrder } from './kernel-flow.ts'

const HOLDERS = 20
const CANCELS_OF_MILLION = 300_000

/** Returns orders that use the matching rules: FOK, FAK, post_only, reduce_only, and self-trades in each prevention mode. */
export function ruledFlow(count: number, seed: string): KernelFlow {
  const random = createRandom('ruled-flow', seed)
  const positions = Array.from({ length: HOLDERS }, (_, holder) => ({ holder, net_quantity: 0 }))
  const placed: KernelOrder[] = []
  const operations: KernelOperation[] = []
  let middle = 500
  for (let n = 0; n < count; n += 1) {
    middle = Math.min(Math.max(middle + random.between(-1, 1), 100), 900)
    if (placed.length > 0 && random.chance(CANCELS_OF_MILLION)) {
      operations.push(placed[random.below(placed.length)]!.order_id)
      continue
    }
    const side = random.below(2) === 0 ? 'BUY' : 'SELL'
    const away = random.between(-4, 20)
    const kind = random.below(10)
    const order: KernelOrder = {
      order_id: `ord_${n}`,
      side,
      limit_price: side === 'BUY' ? middle - away : middle + away,
      remaining_quantity: random.between(1, 500),
      ...{ reduce_only: kind === 2 || kind === 3, post_only: kind === 4 },
      position: positions[random.below(HOLDERS)]!,
      intent: {
        time_in_force: kind === 0 ? 'FOK' : kind === 1 ? 'FAK' : 'GTC',
        self_trade_prevention: SELF_TRADE_MODES[random.below(SELF_TRADE_MODES.length)]!,
      },
    }
    placed.push(order)
    operations.push(order)
  }
  return { operations, positions }
}

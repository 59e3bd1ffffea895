import { createGate, type Gate } from '../http/gate.ts'

/** Requests that share a rate limit. A cancel never waits behind orders. */
type Lane = 'reads' | 'cancels' | 'writes'

/** Paths of the limit class `cancel`. */
const CANCELS = /^\/v1\/(orders\/(.+\/)?cancel[a-z-]*|account\/cancel-after|account\/market-maker-protections\/.+)$/

/** Returns the lane of a request. @param target path and query, with /v1 */
export function laneOf(method: string, target: string): Lane {
  if (method === 'GET') return 'reads'
  return CANCELS.test(target.split('?', 1)[0]!) ? 'cancels' : 'writes'
}

/** Creates the turns in which refused requests of each lane are repeated: one at a time, so that a burst passes in order. */
export function createRateLanes(): (method: string, target: string) => Gate {
  const lanes: Readonly<Record<Lane, Gate>> = { reads: createGate(1), cancels: createGate(1), writes: createGate(1) }
  return (method, target) => lanes[laneOf(method, target)]
}

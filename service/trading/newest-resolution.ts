import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../primitives/errors.ts'
import { parseId } from '../../primitives/ids.ts'
import type { ResolutionRead } from '../../trading/store/settlement/settlement-reads.ts'
import type { TradingPorts } from './with-trading.ts'

/**
 * Reads the newest resolution of a market in any state.
 * @throws {ServiceError} MARKET_NOT_FOUND; RESOLUTION_NOT_FOUND: none was proposed
 */
export async function newestResolution(ports: TradingPorts, market: unknown): Promise<ResolutionRead> {
  const { market_id } = await ports.reads.readMarket(parseId('mkt', market, 'market'))
  const [newest] = await resolutionsOf(ports, market_id)
  if (newest !== undefined) return newest
  throw new ServiceError('RESOLUTION_NOT_FOUND', `market is ${market_id}, which has no proposed resolution`, {
    market_id,
  })
}

/** Reads all resolutions of a market, newest first. */
export async function resolutionsOf({ pool }: TradingPorts, market_id: string): Promise<readonly ResolutionRead[]> {
  const { settlementReads } = await import('../../trading/store/settlement/settlement-reads.ts')
  return settlementReads(pool).listResolutions(market_id)
}

/** Returns a random id of a resolution or dispute. */
export function newResolutionId(prefix: 'res' | 'dsp'): string {
  return `${prefix}_${randomBytes(16).toString('hex')}`
}

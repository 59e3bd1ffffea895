import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../primitives/errors.ts'
import { parseId } from '../../primitives/ids.ts'
import type { ResolutionRead } from '../../trading/store/settlement/settlement-reads.ts'
import type { TradingPorts } from './with-trading.ts'

/**
 * The newest revision of how a market ends, whatever became of it.
 * @throws {ServiceError} MARKET_NOT_FOUND; RESOLUTION_NOT_FOUND: nobody proposed one
 */
export async function newestResolution(ports: TradingPorts, market: unknown): Promise<ResolutionRead> {
  const { market_id } = await ports.reads.readMarket(parseId('mkt', market, 'market'))
  const [newest] = await resolutionsOf(ports, market_id)
  if (newest !== undefined) return newest
  throw new ServiceError('RESOLUTION_NOT_FOUND', `market is ${market_id}, of which nobody proposed a resolution`, {
    market_id,
  })
}

/** All revisions of how a market ends, the newest first. */
export async function resolutionsOf({ pool }: TradingPorts, market_id: string): Promise<readonly ResolutionRead[]> {
  const { settlementReads } = await import('../../trading/store/settlement/settlement-reads.ts')
  return settlementReads(pool).listResolutions(market_id)
}

/** An id of a resolution or a dispute. */
export function newResolutionId(prefix: 'res' | 'dsp'): string {
  return `${prefix}_${randomBytes(16).toString('hex')}`
}

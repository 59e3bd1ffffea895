import type { Row } from '../../warehouse/schema.ts'
import type { RouteRequest } from '../server/handler.ts'

/** Records of markets as they are now: of those listed here the status is the engine's, which the warehouse follows a little later. */
export function withOwnStatus({ own_venue = null, as_of }: Pick<RouteRequest, 'own_venue' | 'as_of'>) {
  return (row: Row): Row => {
    const market = as_of === null ? own_venue?.market(String(row.market_id)) : null
    return market == null || market.status === row.status ? row : { ...row, status: market.status }
  }
}

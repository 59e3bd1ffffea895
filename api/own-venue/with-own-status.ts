import type { Row } from '../../warehouse/schema.ts'
import type { RouteRequest } from '../server/handler.ts'

/** Returns market records with their current status: for markets listed on Tidemark the engine's, which the warehouse gets slightly later. */
export function withOwnStatus({ own_venue = null, as_of }: Pick<RouteRequest, 'own_venue' | 'as_of'>) {
  return (row: Row): Row => {
    const market = as_of === null ? own_venue?.market(String(row.market_id)) : null
    return market == null || market.status === row.status ? row : { ...row, status: market.status }
  }
}

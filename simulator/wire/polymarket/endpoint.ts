import type { ENDPOINTS } from '../../../pipelines/venues/polymarket/endpoints.ts'

/** Endpoints by the names under which payloads are read; a name that no reader knows does not compile. */
export type PolymarketEndpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS]

import type { ENDPOINTS } from '../../../pipelines/venues/polymarket/endpoints.ts'

/** Endpoint names of the payload readers; an unknown name does not compile. */
export type PolymarketEndpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS]

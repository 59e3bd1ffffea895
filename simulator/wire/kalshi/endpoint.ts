import type { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'

/** Endpoint names of the payload readers; an unknown name does not compile. */
export type KalshiEndpointName = (typeof KALSHI)[keyof typeof KALSHI]

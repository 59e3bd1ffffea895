import type { KALSHI } from '../../../pipelines/venues/kalshi/endpoints.ts'

/** Endpoints by the names under which payloads are read; a name that no reader knows does not compile. */
export type KalshiEndpointName = (typeof KALSHI)[keyof typeof KALSHI]

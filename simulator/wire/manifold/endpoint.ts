import type { MANIFOLD_ENDPOINTS } from '../../../pipelines/venues/manifold/endpoints.ts'

/** Endpoint names of the payload readers; an unknown name does not compile. */
export type ManifoldEndpoint = (typeof MANIFOLD_ENDPOINTS)[keyof typeof MANIFOLD_ENDPOINTS]

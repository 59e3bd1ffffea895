import type { MANIFOLD_ENDPOINTS } from '../../../pipelines/venues/manifold/endpoints.ts'

/** Endpoints by the names under which payloads are read; a name that no reader knows does not compile. */
export type ManifoldEndpoint = (typeof MANIFOLD_ENDPOINTS)[keyof typeof MANIFOLD_ENDPOINTS]

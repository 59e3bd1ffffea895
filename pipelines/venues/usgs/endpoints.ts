/** Endpoint of the USGS earthquake feeds. */
export const USGS_ENDPOINTS = { summary: 'GET /earthquakes/feed/v1.0/summary' } as const

/** Endpoint of GDACS: all windows of the feed (24 hours, 7 days, current) have this form. */
export const GDACS_ENDPOINTS = { rss: 'GET /xml/rss.xml' } as const

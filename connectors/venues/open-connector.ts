import { ServiceError } from '../../primitives/errors.ts'
import { LIVE_VENUES, type LiveVenue } from '../../vocabulary/venue.ts'
import { createGdacsConnector, createUsgsConnector } from './hazard-feeds.ts'
import { createKalshiConnector } from './kalshi/kalshi-connector.ts'
import { createManifoldConnector } from './manifold/manifold-connector.ts'
import { createPolymarketConnector } from './polymarket/polymarket-connector.ts'
import { KALSHI_ADDRESSES, MANIFOLD_ADDRESSES, POLYMARKET_ADDRESSES } from './venue-addresses.ts'
import type { ConnectorOptions, VenueConnector } from './venue-connector.ts'

/** Type guard for the venue_id of a venue that is read live. */
export function isLiveVenue(venue_id: string): venue_id is LiveVenue {
  return LIVE_VENUES.some((known) => known === venue_id)
}

/**
 * Opens a connector to a venue.
 * @param base_url root of all services of the venue, as a simulator or a proxy has them: each under its path at the venue. null
 *   = the venue's own addresses
 * @throws {ServiceError} VALIDATION_USAGE_INVALID for an invalid base URL
 */
export function openConnector(
  venue_id: LiveVenue,
  options: ConnectorOptions,
  base_url: string | null = null,
): VenueConnector {
  switch (venue_id) {
    case 'polymarket':
      return createPolymarketConnector(options, movedTo(base_url, POLYMARKET_ADDRESSES))
    case 'kalshi':
      return createKalshiConnector(options, movedTo(base_url, KALSHI_ADDRESSES))
    case 'manifold':
      return createManifoldConnector(options, movedTo(base_url, MANIFOLD_ADDRESSES))
    case 'usgs':
      return createUsgsConnector(options, ...(base_url === null ? [] : [base_url]))
    case 'gdacs':
      return createGdacsConnector(options, ...(base_url === null ? [] : [base_url]))
  }
}

/** Returns the same paths below another root; websockets use TLS if the root does. */
function movedTo<T extends Readonly<Record<string, string>>>(
  base_url: string | null,
  addresses: T,
): { readonly [service in keyof T]: string } {
  if (base_url === null) return addresses
  if (!URL.canParse(base_url)) {
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `base_url is ${JSON.stringify(base_url)}; allowed: https://host/path, or http:// on loopback`,
      { field: 'base_url', value: base_url },
    )
  }
  const base = base_url.replace(/\/$/, '')
  const moved = Object.entries(addresses).map(([service, address]) => {
    const { protocol, pathname } = new URL(address)
    const root = protocol === 'wss:' ? base.replace(/^http/, 'ws') : base
    return [service, `${root}${pathname === '/' ? '' : pathname}`]
  })
  return Object.fromEntries(moved) as { readonly [service in keyof T]: string }
}

import { readFile } from 'node:fs/promises'
import { kalshiSigner } from '../connectors/venues/kalshi/sign-requests.ts'
import { openConnector } from '../connectors/venues/open-connector.ts'
import type { VenueConnector } from '../connectors/venues/venue-connector.ts'
import { ServiceError } from '../primitives/errors.ts'
import { wallClock } from '../primitives/wall-clock.ts'
import type { LiveVenue } from '../vocabulary/venue.ts'
import type { Settings } from './configuration.ts'

/** Settings with the addresses and keys of venues. */
export type VenueSettings = Pick<
  Settings,
  'polymarket_url' | 'kalshi_url' | 'manifold_url' | 'usgs_url' | 'gdacs_url' | 'kalshi_key_id' | 'kalshi_key_file'
>

/** Opens a connector to a venue. @param stream_markets ids of markets whose streams it opens; null or left out = all */
export type ConnectVenue = (venue_id: LiveVenue, stream_markets?: readonly string[] | null) => VenueConnector

/**
 * Returns a function that opens connectors to venues by the settings. Keys are read once, here, and never shown.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID, VALIDATION_INPUT_UNREADABLE if a key file cannot be read
 */
export async function connectVenues(settings: VenueSettings): Promise<ConnectVenue> {
  const now = wallClock
  const { kalshi_key_id, kalshi_key_file } = settings
  if ((kalshi_key_id === '') !== (kalshi_key_file === '')) {
    const missing = kalshi_key_id === '' ? 'TIDEMARK_KALSHI_KEY_ID' : 'TIDEMARK_KALSHI_KEY_FILE'
    throw new ServiceError(
      'VALIDATION_USAGE_INVALID',
      `${missing} is missing; allowed: both TIDEMARK_KALSHI_KEY_ID and TIDEMARK_KALSHI_KEY_FILE, or neither`,
      {
        field: missing,
      },
    )
  }
  const key = kalshi_key_file === '' ? null : { key_id: kalshi_key_id, private_key_pem: await readKey(kalshi_key_file) }
  const sign = key === null ? {} : { sign: kalshiSigner(key, now) }
  return (venue_id, stream_markets = null) => {
    const url = settings[`${venue_id}_url`]
    const streams = stream_markets === null ? {} : { stream_markets }
    return openConnector(venue_id, { now, ...streams, ...(venue_id === 'kalshi' ? sign : {}) }, url === '' ? null : url)
  }
}

async function readKey(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const why = error.code ?? 'unreadable'
    const facts = { field: 'TIDEMARK_KALSHI_KEY_FILE', file }
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `TIDEMARK_KALSHI_KEY_FILE is ${file}, which cannot be read (${why}); allowed: a PEM file`,
      facts,
    )
  })
}

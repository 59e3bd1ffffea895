import type { Micros } from '../../primitives/instants.ts'
import { isAccountData, type KeptPayload, withoutText } from './account-data.ts'
import { createBetfairReader } from './betfair/betfair-reader.ts'
import { createGdacsReader } from './gdacs/gdacs-reader.ts'
import { createKalshiReader } from './kalshi/kalshi-reader.ts'
import { createManifoldReader } from './manifold/manifold-reader.ts'
import type { PayloadVenue } from './payload-venues.ts'
import { createPolymarketReader } from './polymarket/polymarket-reader.ts'
import { publicPayload } from './polymarket/public-payload.ts'
import { createPredictitReader } from './predictit/predictit-reader.ts'
import type { VenuePayload, VenueReader } from './record.ts'
import { createUsgsReader } from './usgs/usgs-reader.ts'

/** Functions that read and redact the payloads of one venue or feed. */
export type VenueReading = {
  /** `zero_means_missing`: 0 stands for a missing price in the fields of ZERO_FIELDS; false when left out. */
  readonly create_reader: (now: Micros, zero_means_missing?: boolean) => VenueReader
  /** Returns the payload as it may be kept: without personal accounts. The reader reads this form. */
  readonly keep: (payload: VenuePayload) => KeptPayload
}

/** Keeps a payload word for word, unless it is about one account. */
const whole = (payload: VenuePayload): KeptPayload => {
  return isAccountData(payload) ? withoutText(payload) : { payload }
}

/** Readers of every venue and feed. */
export const VENUE_READERS: Readonly<Record<PayloadVenue, VenueReading>> = {
  kalshi: { create_reader: createKalshiReader, keep: whole },
  polymarket: { create_reader: createPolymarketReader, keep: publicPayload },
  manifold: { create_reader: createManifoldReader, keep: whole },
  predictit: { create_reader: createPredictitReader, keep: whole },
  betfair: { create_reader: createBetfairReader, keep: whole },
  gdacs: { create_reader: createGdacsReader, keep: whole },
  usgs: { create_reader: createUsgsReader, keep: whole },
}

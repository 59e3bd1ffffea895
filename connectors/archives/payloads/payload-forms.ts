import { PAYLOAD_VENUES, type PayloadVenue } from '../../../pipelines/venues/payload-venues.ts'
import { BETFAIR_CATALOGUE, BETFAIR_STREAM } from './forms/betfair.ts'
import { GDACS_RECORDING } from './forms/gdacs.ts'
import { KALSHI_RECORDING } from './forms/kalshi.ts'
import { MANIFOLD_RECORDING } from './forms/manifold.ts'
import { neutralForm } from './forms/neutral.ts'
import { PREDICTIT_RECORDING } from './forms/predictit.ts'
import { USGS_RECORDING } from './forms/usgs.ts'
import type { PayloadForm } from './payload-form.ts'
import type { PayloadKind } from './payload-kinds.ts'

const RECORDINGS: Readonly<Record<PayloadVenue, readonly PayloadForm[]>> = {
  kalshi: [KALSHI_RECORDING],
  polymarket: [],
  manifold: [MANIFOLD_RECORDING],
  predictit: [PREDICTIT_RECORDING],
  betfair: [BETFAIR_STREAM, BETFAIR_CATALOGUE],
  gdacs: [GDACS_RECORDING],
  usgs: [USGS_RECORDING],
}

/** The forms that the files of an archive may have: our own always, and the venue's recordings. */
export function payloadForms(kind: PayloadKind): readonly PayloadForm[] {
  return kind === 'payloads' ? [neutralForm(PAYLOAD_VENUES)] : [neutralForm([kind]), ...RECORDINGS[kind]]
}

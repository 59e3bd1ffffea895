import type { Micros } from '../../../primitives/instants.ts'
import { type JsonText, parseJsonText } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadRecords, readPayload } from '../read-payload.ts'
import type { VenuePayload, VenueReader } from '../record.ts'
import { readBetMessage, readBets } from './bets.ts'
import { MANIFOLD_ENDPOINTS as ENDPOINTS } from './endpoints.ts'
import { MANIFOLD_BETS, MANIFOLD_FORMS } from './forms.ts'
import { readMarket, readMarkets } from './market.ts'
import { readProb, readProbs } from './probs.ts'
import type { FinalResolutions } from './resolution.ts'

type Read = (document: JsonText, payload: VenuePayload, out: PayloadRecords, finals: FinalResolutions) => void

const READS: ReadonlyMap<string, Read> = new Map<string, Read>([
  [ENDPOINTS.markets, readMarkets],
  [ENDPOINTS.market, readMarket],
  [ENDPOINTS.market_by_slug, readMarket],
  [ENDPOINTS.bets, readBets],
  [ENDPOINTS.prob, readProb],
  [ENDPOINTS.probs, readProbs],
  [ENDPOINTS.ws_global_bets, readBetMessage],
  [ENDPOINTS.ws_market_bets, readBetMessage],
])

/**
 * Reads Manifold's API v0. Play money (mana): prices are probabilities, quantities are shares that pay 1 mana, and volumes
 * and liquidity are not read at all, so that they are never added to dollars. Who bet is never kept.
 * @param now the wall clock
 */
export function createManifoldReader(now: Micros): VenueReader {
  const finals: FinalResolutions = new Map()
  return {
    read: (payload) =>
      readPayload(payload, now, (out) => {
        const read = READS.get(payload.endpoint)
        if (read === undefined) throw new Quarantined('UNKNOWN_SHAPE')
        read(documentOf(payload), payload, out, finals)
      }),
  }
}

function documentOf({ endpoint, text }: VenuePayload): JsonText {
  if (READS.get(endpoint) === readBetMessage) {
    for (const form of MANIFOLD_BETS) {
      const message = form(text)
      if (message !== null) return message
    }
  }
  return parseJsonText(text, MANIFOLD_FORMS)
}

import { type JsonText, type JsonTextObject, objectOf } from '../../text/json-text.ts'
import { Quarantined } from '../quarantine.ts'
import { type PayloadOrigin, type PayloadRecords, readPart } from '../read-payload.ts'
import type { VenuePayload } from '../record.ts'
import { pushProbability } from './probability-quote.ts'

/**
 * `GET /v0/market/{id}/prob`: the probability now, `{prob}`, or one an answer, `{answerProbs}`. The body does not name its
 * market, so the request must. The venue gives no time: the state is of the moment of the read.
 */
export function readProb(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  const id = /\/market\/([^/?#]+)\/prob(?:[?#]|$)/.exec(payload.request ?? '')?.[1]
  if (id === undefined) throw new Quarantined('MISSING_FIELD')
  readProbabilities(id, objectOf(document), { file: payload.file, line: 1, path: '$' }, payload, out)
}

/** `GET /v0/market-probs`: the same of up to 100 markets, by market id. */
export function readProbs(document: JsonText, payload: VenuePayload, out: PayloadRecords): void {
  Object.entries(objectOf(document)).forEach(([id, state], place) => {
    const origin = { file: payload.file, line: place + 1, path: `markets[${place}]` }
    readPart(out, origin, () => readProbabilities(id, objectOf(state), origin, payload, out))
  })
}

function readProbabilities(
  source_market_id: string,
  state: JsonTextObject,
  origin: PayloadOrigin,
  { received_at }: VenuePayload,
  out: PayloadRecords,
): void {
  const { prob, answerProbs } = state
  if (prob === undefined && answerProbs === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  const place = { origin, source_market_id, source_at: received_at, received_at, confirmed_at: received_at }
  readPart(out, origin, () => pushProbability(out.quotes, state.prob, 'YES', place))
  if (answerProbs === undefined || answerProbs === null) return
  const answers = objectOf(answerProbs)
  for (const outcome of Object.keys(answers)) {
    readPart(out, origin, () => pushProbability(out.quotes, answers[outcome], outcome, place))
  }
}

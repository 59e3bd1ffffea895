import { MANIFOLD_ENDPOINTS } from '../../../../pipelines/venues/manifold/endpoints.ts'
import { isJsonObject } from '../json-document.ts'
import { either, latestOf, listOf, object, oneOrList, type Recogniser, type Shape } from '../recogniser.ts'

/** Fields with the time of a past event, in epoch milliseconds. A close time is a plan. */
const PAST = /"(?:createdTime|lastUpdatedTime|lastBetTime|resolutionTime|timestamp|updatedTime)"\s*:\s*(\d{12,14})\b/g

/** A comment has a `contractId` too. */
const isBet = object((value) => 'contractId' in value && ('probAfter' in value || 'outcome' in value))
const isBroadcast = object(({ type }) => type === 'broadcast')
const isQuestion = object((value) => 'question' in value)
const isProbability = (entry: unknown) => isJsonObject(entry) && ('prob' in entry || 'answerProbs' in entry)

const SHAPES: readonly Shape[] = [
  {
    endpoint: MANIFOLD_ENDPOINTS.bets,
    known_by: '`contractId`, and `probAfter` or `outcome`; one bet or a list',
    is: oneOrList(isBet),
  },
  { endpoint: MANIFOLD_ENDPOINTS.ws_global_bets, known_by: 'a list of `{type: "broadcast"}`', is: listOf(isBroadcast) },
  { endpoint: MANIFOLD_ENDPOINTS.markets, known_by: 'a list of `{question}`', is: listOf(isQuestion) },
  { endpoint: MANIFOLD_ENDPOINTS.market, known_by: '`question`', is: isQuestion },
  {
    endpoint: MANIFOLD_ENDPOINTS.ws_global_bets,
    known_by: '`type`: `broadcast`, `ack`',
    is: either(
      isBroadcast,
      object(({ type }) => type === 'ack'),
    ),
  },
  {
    endpoint: MANIFOLD_ENDPOINTS.probs,
    known_by: 'an object of `{prob}` or `{answerProbs}` by market id',
    is: object((value) => Object.keys(value).length > 0 && Object.values(value).every(isProbability)),
  },
]

/**
 * Answers of Manifold and messages of its websocket, by their fields. They do not state their receipt. The latest event in them
 * counts, or, if they name no time (a list of probabilities), the latest one of the files beside them.
 */
export const MANIFOLD: Recogniser = {
  venue_id: 'manifold',
  endpoints: Object.values(MANIFOLD_ENDPOINTS),
  shapes: SHAPES,
  receipt: 'the latest instant of an occurrence in it',
  isStream: (endpoint) => endpoint === MANIFOLD_ENDPOINTS.ws_global_bets,
  clockOf: (text) => latestOf(text, PAST, (millis) => Number(millis) * 1000),
}

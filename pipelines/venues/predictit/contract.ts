import type { Micros } from '../../../primitives/instants.ts'
import type { JsonTextObject } from '../../text/json-text.ts'
import type { PayloadOrigin } from '../read-payload.ts'

/** One contract of a market as one response states it: a binary market of its own, whose event is the venue's market. */
export type PredictitContract = {
  readonly origin: PayloadOrigin
  readonly id: string
  readonly fields: JsonTextObject
  readonly market_id: string
  readonly market_fields: JsonTextObject
  /** The market's `timeStamp`. */
  readonly source_at: Micros
  readonly received_at: Micros
}

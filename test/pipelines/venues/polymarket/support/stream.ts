import { type AllRecords, type Body, clobBook, knowingReader, NO_TOKEN } from './payloads.ts'

/** Messages of the websocket's market channel, and a reader that has books of it. */

export const WS = 'ws market'
/** A whole book on the websocket. */
export const bookMessage = (changes: Body = {}) =>
  clobBook({ event_type: 'book', last_trade_price: undefined, ...changes })
/** Best prices with their depths, in one text a quote. */
export const touches = ({ quotes }: AllRecords) =>
  quotes.map(({ outcome, book }) => `${outcome} ${book?.bid_depth}@${book?.bid} ${book?.ask_depth}@${book?.ask}`)

/** A reader that has the books of both tokens from the stream. */
export function streaming() {
  const fed = knowingReader()
  fed(WS, [
    bookMessage(),
    bookMessage({
      asset_id: NO_TOKEN,
      bids: [{ price: '0.695', size: '99.17' }],
      asks: [{ price: '0.699', size: '25.333333' }],
    }),
  ])
  return (body: unknown, changes = {}) => fed(WS, body, changes)
}

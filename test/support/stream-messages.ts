import fc from 'fast-check'
import { anyText } from './any-text.ts'

const WORDS = ['op', 'id', 'topic', 'index_id', 'market_id', 'resume', 'epoch', 'after_seq', 'sid']
const VALUES = ['subscribe', 'unsubscribe', 'ping', 'index.price', 'market.orderbook', 'idx_a', 'mkt_1', 'out_x']

const word = fc.constantFrom(...WORDS)
const value = fc.oneof(fc.constantFrom(...VALUES), fc.jsonValue())

/** Texts that look like a client's message to a stream, and texts that do not. */
export const streamMessages = fc.oneof(
  fc
    .dictionary(word, value)
    .map((object) => JSON.stringify({ op: 'subscribe', id: '1', topic: 'index.price', ...object })),
  fc.dictionary(word, value).map((object) => JSON.stringify(object)),
  anyText(),
  fc.json(),
)

import { idField, requiredText } from '../../text/json-fields.ts'
import { type JsonTextObject, objectOf } from '../../text/json-text.ts'
import type { Outcome } from '../outcomes.ts'
import { Quarantined } from '../quarantine.ts'
import type { PayloadOrigin } from '../read-payload.ts'
import { isCombo } from './combos.ts'
import { HEARTBEAT } from './endpoints.ts'
import { rememberEvent } from './events.ts'
import type { Reading } from './memory.ts'
import { CENTS } from './prices.ts'
import { baseOf, pushQuotes, readTouch } from './quotes.ts'
import { messageTime } from './times.ts'
import { readTrade } from './trades.ts'
import { readBookChange, readBookSnapshot } from './ws-books.ts'
import { readHeartbeat } from './ws-heartbeats.ts'
import { readLifecycle } from './ws-lifecycle.ts'
import { forgetSubscription, noteSequence } from './ws-subscriptions.ts'

type ReadMessage = (msg: JsonTextObject, origin: PayloadOrigin, reading: Reading) => Outcome

type ReadFrame = (frame: JsonTextObject, reading: Reading) => Outcome

/** Readers of messages about the connection, and of those without market data. */
const connection =
  (read: (frame: JsonTextObject, reading: Reading) => void): ReadFrame =>
  (frame, reading) => {
    read(frame, reading)
    return 'CONNECTION'
  }
const noMarketData: ReadFrame = () => 'NO_MARKET_DATA'

/** Readers of messages by type: those numbered in a subscription, those without market data, and those about one market. */
const FRAMES = new Map<string, ReadFrame>([
  ['orderbook_snapshot', readBookSnapshot],
  ['orderbook_delta', readBookChange],
  ['subscribed', connection(forgetSubscription)],
  ['unsubscribed', connection(forgetSubscription)],
  ['ok', connection(noteSequence)],
  [HEARTBEAT, connection(readHeartbeat)],
  ['error', connection(() => {})],
  ['event_fee_update', noMarketData],
  ['multivariate_lookup', () => 'COMBINATION'],
  ['multivariate_market_lifecycle', () => 'COMBINATION'],
  ['ticker', ofMarket(readTicker)],
  ['trade', ofMarket(readMarketTrade)],
  ['market_lifecycle_v2', ofMarket(readLifecycle)],
  [
    'event_lifecycle',
    ofMarket((msg, _place, { memory }) => {
      rememberEvent(msg, memory)
      return 'CONTEXT_ONLY'
    }),
  ],
])

/** Reads one websocket message: `{type, sid, seq, msg}`. Its type decides, whatever channel it came on. */
export function readFrame(frame: JsonTextObject, reading: Reading): Outcome {
  if (frame.cmd !== undefined) return 'CONNECTION' // what the recorder sent itself
  const type = requiredText(frame, 'type')
  const read = FRAMES.get(type)
  if (read === undefined) throw new Quarantined('UNKNOWN_SHAPE')
  return read(frame, reading)
}

/** Wraps a reader of messages about a market or event; combinations are skipped. */
function ofMarket(read: ReadMessage): ReadFrame {
  return (frame, reading) => {
    const msg = objectOf(frame.msg)
    if (isCombo(msg)) return 'COMBINATION'
    return read(msg, { file: reading.payload.file, line: 1, path: 'msg' }, reading)
  }
}

function readTicker(msg: JsonTextObject, origin: PayloadOrigin, reading: Reading): Outcome {
  const base = baseOf(reading, origin, idField(msg, 'market_ticker'), messageTime(msg, reading.payload))
  pushQuotes(reading, base, readTouch(msg, [msg.price_dollars, msg.price], CENTS), {
    source_sequence: null,
    confirmed_at: null,
  })
  return 'taken'
}

function readMarketTrade(msg: JsonTextObject, origin: PayloadOrigin, reading: Reading): Outcome {
  return readTrade(reading, origin, msg, idField(msg, 'market_ticker'), messageTime(msg, reading.payload))
}

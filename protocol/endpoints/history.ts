import { SAMPLINGS, TIME_DOMAINS } from '../../vocabulary/history.ts'
import { QUALITY_STATES } from '../../vocabulary/index-level.ts'
import { CANDLE_INTERVALS } from '../../vocabulary/market.ts'
import { AS_OF, flag, oneOf, PAGING, type Parameters, RANGE, required } from './parameter.ts'

/** History parameters of indexes and markets. */
export const HISTORY = {
  ...RANGE,
  time_domain: oneOf(TIME_DOMAINS, 'clock that start_time, end_time and the order refer to; default: published'),
  sampling: oneOf(
    SAMPLINGS,
    'raw: every record; latest_per_interval: the last record in each interval of the time_domain that has a value and is not stale',
  ),
  interval: oneOf(CANDLE_INTERVALS, 'interval length for latest_per_interval'),
  quality_state: oneOf(QUALITY_STATES, 'only records in this quality state'),
  include_corrections: flag('true: every revision; default: the newest revision of each chain'),
  ...AS_OF,
  ...PAGING,
} as const satisfies Parameters

/** Parameters of candles: all required but as_of. */
export const CANDLE_RANGE = {
  start_time: required(RANGE.start_time),
  end_time: required(RANGE.end_time),
  interval: required(oneOf(CANDLE_INTERVALS, 'bucket length')),
  ...AS_OF,
  ...PAGING,
} as const satisfies Parameters

import Type from 'typebox'
import { REVIEW_STATES } from '../../vocabulary/review.ts'
import { idOf } from '../scalars.ts'
import { flag, instant, listOf, PAGING, type Parameters, RECEIPT, text } from './parameter.ts'

export const METHODOLOGY_FILTER = {
  methodology_id: text(idOf('mth', 'methodology_id'), 'only records by this methodology'),
} as const satisfies Parameters

/** `measured` is long; only a reader who checks a hash needs it. */
export const EXPAND_MEASURED = {
  expand: listOf(['measured'], 'embed in each item of evidence the text that its content_hash covers'),
} as const satisfies Parameters

/** History of a committee's records: by (effective_from, published_at, id). */
export const RECORD_HISTORY = {
  start_time: instant('only records with effective_from at or after this instant'),
  end_time: instant('only records with effective_from before this instant'),
  published_after: instant('only records published after this instant'),
  review_state: listOf(REVIEW_STATES, 'only records in one of these states; default: approved, disputed, superseded'),
  ...METHODOLOGY_FILTER,
  include_withdrawn: flag('true: also records in the state withdrawn'),
  include_corrections: flag('true: every revision of each record; default: the newest one known at as_of'),
  ...EXPAND_MEASURED,
  ...RECEIPT,
  ...PAGING,
} as const satisfies Parameters

export const METHODOLOGY_PATH = {
  methodology_id: idOf('mth', 'methodology_id'),
  version: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$', description: 'a version of the methodology' }),
} as const

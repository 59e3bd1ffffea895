import type { Check } from './check.ts'
import { PAGES_AGREE } from './checks/a01-pages.ts'
import { DETAILS_AGREE } from './checks/a02-details.ts'
import { AS_OF_AGREES } from './checks/a03-as-of.ts'
import { FILTERS_AGREE } from './checks/a04-filters.ts'
import { PARENTS_AGREE } from './checks/a05-parents.ts'
import { REFERENCES_AGREE } from './checks/a06-references.ts'
import { TOP_OF_BOOK_AGREES } from './checks/a07-top-of-book.ts'
import { LAST_TRADE_AGREES } from './checks/a08-last-trade.ts'
import { MARKS_AGREE } from './checks/a09-marks.ts'
import { LABELS_AGREE } from './checks/a10-labels.ts'
import { CANDLES_AGREE } from './checks/a11-candles.ts'
import { TRADES_ONCE } from './checks/a12-trades-once.ts'
import { IMMUTABLE_AGREES } from './checks/a13-immutable.ts'
import { REVISIONS_AGREE } from './checks/a14-revisions.ts'
import { DERIVED_AGREES } from './checks/a15-derived.ts'
import { LEVELS_AGREE } from './checks/a16-levels.ts'
import { NO_LOOK_AHEAD } from './checks/a17-no-look-ahead.ts'
import { RESOLUTIONS_AGREE } from './checks/a18-resolutions.ts'
import { RECOMPUTED_AGREES } from './checks/a19-recompute.ts'
import { RATINGS_AGREE } from './checks/a20-ratings.ts'
import { ELIGIBILITY_AGREES } from './checks/a21-eligibility.ts'
import { STREAMS_AGREE } from './checks/a22-streams.ts'
import { MONEY_AGREES, OWN_MARKETS_AGREE, PRIVATE_EVENTS_AGREE } from './checks/private.ts'

/** Every check, in the order of the catalogue. */
export const CHECKS: readonly Check[] = [
  PAGES_AGREE,
  DETAILS_AGREE,
  AS_OF_AGREES,
  FILTERS_AGREE,
  PARENTS_AGREE,
  REFERENCES_AGREE,
  TOP_OF_BOOK_AGREES,
  LAST_TRADE_AGREES,
  MARKS_AGREE,
  LABELS_AGREE,
  CANDLES_AGREE,
  TRADES_ONCE,
  IMMUTABLE_AGREES,
  REVISIONS_AGREE,
  DERIVED_AGREES,
  LEVELS_AGREE,
  NO_LOOK_AHEAD,
  RESOLUTIONS_AGREE,
  RECOMPUTED_AGREES,
  RATINGS_AGREE,
  ELIGIBILITY_AGREES,
  STREAMS_AGREE,
  PRIVATE_EVENTS_AGREE,
  MONEY_AGREES,
  OWN_MARKETS_AGREE,
]

import { closed, type Limit, one, rejected } from './limit-rows.ts'
import {
  BANDED_MARKETS_MAX,
  EXPANDED_INDEXES,
  EXPANDED_LEVELS,
  EXPANDED_MARKETS,
  PAYLOADS,
  RECEIPTS,
} from './limits.ts'

/** Limits of pages with more than their records, as rows of the one table. */
export const OF_PAGES: readonly Limit[] = [
  one(
    'receipt_records_max',
    RECEIPTS.records_max,
    rejected('request', 'VALIDATION_PARAMETER_INVALID', 'api/server/check-receipt.ts'),
  ),
  one(
    'expanded_levels.page_max',
    EXPANDED_LEVELS.page_max,
    rejected('request', 'VALIDATION_PARAMETER_INVALID', 'api/server/request-cost.ts'),
  ),
  one(
    'expanded_markets.page_max',
    EXPANDED_MARKETS.page_max,
    rejected('request', 'VALIDATION_PARAMETER_INVALID', 'api/server/request-cost.ts'),
  ),
  one(
    'banded_markets_max',
    BANDED_MARKETS_MAX,
    rejected('request', 'VALIDATION_QUERY_LIMIT', 'api/routes/list-markets.ts'),
  ),
  one(
    'expanded_indexes.page_max',
    EXPANDED_INDEXES.page_max,
    rejected('request', 'VALIDATION_PARAMETER_INVALID', 'api/server/request-cost.ts'),
  ),
  one(
    'payloads.listed_max',
    PAYLOADS.listed_max,
    closed('request', 'further payloads are counted in `payloads_omitted`', 'api/routes/observation-payloads.ts'),
  ),
]

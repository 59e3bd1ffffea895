import type { ErrorCode } from '../../primitives/error-codes.ts'
import type { ErrorRow, ErrorSample } from './error-row.ts'
import { TRADING_ERROR_GUIDE } from './trading-error-guide.ts'

const http = (sample: string, needs: string | null = null): ErrorSample => ({ where: 'http', sample, needs })
const stream = (sample: string): ErrorSample => ({ where: 'stream', sample, needs: null })
const command = (sample: string, needs: string | null = null): ErrorSample => ({ where: 'command line', sample, needs })
const INDEX_PRICES = '/v1/indexes/idx_example/prices'
const CANDLES = '/v1/indexes/idx_example/candles'

/** One row for each code; docs/errors.md has its status, meaning and remedy. An http `sample` is the arguments of curl. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, ErrorRow>> = {
  VALIDATION_USAGE_INVALID: { ...command('tidemark sql'), stage: null },
  VALIDATION_DECIMAL_INVALID: {
    ...command('tidemark index apply definition.yaml', 'a definition with base_value: "1e3"'),
    stage: null,
  },
  VALIDATION_INSTANT_INVALID: { ...command('tidemark sql --as-of 2026-02-30T00:00:00Z "select 1"'), stage: null },
  VALIDATION_DURATION_INVALID: {
    ...command('tidemark index apply definition.yaml', 'a definition with calculation_frequency: P1M'),
    stage: null,
  },
  VALIDATION_RANGE_INVALID: {
    ...http(`'${CANDLES}?start_time=2026-01-02T00:00:00Z&end_time=2026-01-01T00:00:00Z&interval=PT1H'`),
    stage: 8,
  },
  VALIDATION_ID_INVALID: { ...command('tidemark index show wrong_prefix'), stage: null },
  VALIDATION_INPUT_UNREADABLE: { ...command('tidemark index apply absent.yaml'), stage: null },
  VALIDATION_ARCHIVE_INVALID: {
    ...command('tidemark import forecastbench archive/', 'a truncated file in archive/'),
    stage: null,
  },
  VALIDATION_EVIDENCE_INVALID: {
    ...command('tidemark rating submit form.yaml --key key.pem', 'evidence in the form with a date in the future'),
    stage: null,
  },
  VALIDATION_DEFINITION_INVALID: {
    ...command('tidemark index apply definition.yaml', 'a definition with an unknown key'),
    stage: null,
  },
  VALIDATION_VERSION_PUBLISHED: {
    ...command('tidemark index apply definition.yaml', 'a weight of a published version was edited'),
    stage: null,
  },
  VALIDATION_VERSION_OVERLAP: {
    ...command('tidemark index apply definition.yaml', 'two versions with one effective_from'),
    stage: null,
  },
  VALIDATION_CLOCK_REFUSED: {
    ...command('tidemark import forecastbench archive/ --clock recorded', 'a warehouse with newer rows'),
    stage: null,
  },
  VALIDATION_AS_OF_IN_FUTURE: { ...http("'/v1/indexes?as_of=2199-01-01T00:00:00Z'"), stage: 8 },
  VALIDATION_AS_OF_UNAVAILABLE: {
    ...http("'/v1/indexes?as_of=2026-01-17T00:00:00Z'", 'no process can seal the warehouse'),
    stage: 8,
  },
  VALIDATION_PARAMETER_UNKNOWN: { ...http("'/v1/indexes?color=blue'"), stage: 4 },
  VALIDATION_PARAMETER_REPEATED: { ...http("'/v1/indexes?limit=1&limit=2'"), stage: 4 },
  VALIDATION_PARAMETER_MISSING: { ...http(`'${CANDLES}'`), stage: 4 },
  VALIDATION_PARAMETER_INVALID: { ...http("'/v1/indexes?limit=1001'"), stage: 4 },
  VALIDATION_CURSOR_INVALID: { ...http("'/v1/indexes?cursor=made.up'"), stage: 8 },
  VALIDATION_BODY_INVALID: { ...http(`-X GET -H 'Content-Type: application/json' -d '{}' '/v1/time'`), stage: 2 },
  VALIDATION_BODY_TOO_LARGE: {
    ...http(`-X GET -H 'Content-Type: application/json' -H 'Content-Length: 262145' '/v1/time'`),
    stage: 2,
  },
  VALIDATION_ACCEPT_UNSUPPORTED: { ...http(`-H 'Accept: text/xml' '/v1/indexes'`), stage: 2 },
  VALIDATION_MEDIA_TYPE_UNSUPPORTED: { ...http(`-X GET -H 'Content-Type: text/xml' -d 'x' '/v1/time'`), stage: 2 },
  VALIDATION_REQUEST_MALFORMED: { ...http("'/v1/indexes/%zz'"), stage: 0 },
  VALIDATION_MESSAGE_INVALID: { ...stream('{"op":"shout","id":"1"}'), stage: null },
  VALIDATION_QUERY_LIMIT: { ...http(`'${CANDLES}'`, 'a range of more records than a query may read'), stage: 14 },
  QUERY_TIMEOUT: { ...http(`'${INDEX_PRICES}?limit=1000'`, 'a machine that is busy with other reads'), stage: 14 },
  VALIDATION_SQL_REFUSED: { ...command('tidemark sql "delete from market"'), stage: null },
  VALIDATION_SQL_LIMIT: { ...command('tidemark sql "select ..."', 'a statement of more than 20 s'), stage: null },
  INDEX_SOURCE_NOT_ELIGIBLE: {
    ...command('tidemark index apply definition.yaml', 'a constituent of a private source'),
    stage: null,
  },
  INDEX_CAP_INFEASIBLE: {
    ...command('tidemark index apply definition.yaml', 'caps that add up to less than 1'),
    stage: null,
  },
  INDEX_CAP_NO_CONVERGENCE: {
    ...command('tidemark index apply definition.yaml', 'caps that work against each other'),
    stage: null,
  },
  INDEX_LINK_UNSTABLE: {
    ...command('tidemark index compute idx_example', 'a version whose composition is near 0 at its link'),
    stage: null,
  },
  INDEX_GEARING_LIMIT: {
    ...command('tidemark index compute idx_example', 'a version that multiplies the gearing'),
    stage: null,
  },
  INDEX_NOT_FOUND: { ...http("'/v1/indexes/idx_absent'"), stage: 10 },
  INDEX_VERSION_NOT_FOUND: {
    ...http("'/v1/indexes/idx_example/versions/idv_absent'", 'an index idx_example'),
    stage: 10,
  },
  METHODOLOGY_NOT_FOUND: { ...http("'/v1/methodologies/mth_absent/versions/1'"), stage: 10 },
  EVENT_NOT_FOUND: { ...http("'/v1/events/evt_absent'"), stage: 10 },
  MARKET_NOT_FOUND: { ...http("'/v1/markets/mkt_absent'"), stage: 10 },
  MARKET_OUTCOME_NOT_FOUND: {
    ...http("'/v1/markets/mkt_example/orderbook?outcome_id=out_absent'", 'a market mkt_example'),
    stage: 10,
  },
  RESOLUTION_NOT_FOUND: {
    ...http("'/v1/markets/mkt_example/resolution'", 'a market mkt_example that is open'),
    stage: 10,
  },
  RATING_NOT_FOUND: { ...http("'/v1/ratings/rat_absent'"), stage: 10 },
  ASSESSMENT_NOT_FOUND: { ...http("'/v1/severity-assessments/asm_absent'"), stage: 10 },
  SEVERITY_INDEX_NOT_FOUND: { ...http("'/v1/severity-indexes/svi_absent/value'"), stage: 10 },
  REVIEW_NOT_ALLOWED: {
    ...command('tidemark rating approve rat_example --key key.pem', 'a key of who proposed the record'),
    stage: null,
  },
  REVIEW_STATE_CONFLICT: {
    ...command('tidemark rating approve rat_example --key key.pem', 'a record that somebody has approved already'),
    stage: null,
  },
  GOVERNANCE_NOT_FOUND: { ...http("'/v1/governance/proposals/prp_absent'"), stage: 10 },
  GOVERNANCE_BASE_STALE: {
    ...command('tidemark governance propose change.json --key key.pem', 'a change of a record that was replaced since'),
    stage: null,
  },
  GOVERNANCE_REQUIRED: {
    ...command('tidemark index apply index.yaml', 'another version of an index that is governed'),
    stage: null,
  },
  GOVERNANCE_IMPACT_REQUIRED: {
    ...command(
      'tidemark governance propose index.yaml --key key.pem',
      'a version whose impact no two runners have signed',
    ),
    stage: null,
  },
  ORDER_BOOK_NOT_FOUND: {
    ...http("'/v1/markets/mkt_example/orderbook?outcome_id=out_example'", 'an outcome without a stored book'),
    stage: 10,
  },
  SUBSCRIPTION_NOT_FOUND: { ...stream('{"op":"unsubscribe","id":"1","sid":"absent"}'), stage: null },
  ROUTE_NOT_FOUND: { ...http("'/v1/absent'"), stage: 2 },
  METHOD_NOT_ALLOWED: { ...http("-X DELETE '/v1/indexes'"), stage: 2 },
  UPGRADE_REQUIRED: { ...http("'/v1/ws'"), stage: 2 },
  SOURCE_NOT_PUBLIC: {
    ...http("'/v1/markets/mkt_example/trades'", 'a market of a venue that keeps its trades private'),
    stage: 10,
  },
  RATE_LIMIT_EXCEEDED: {
    ...http("'/v1/time?[1-1000]'", 'more requests at once than the burst of the limit class'),
    stage: 1,
  },
  SERVICE_UNAVAILABLE: { ...http("'/v1/indexes'", 'a service that is starting'), stage: 3 },
  OBSERVATION_NOT_FOUND: { ...http("'/v1/indexes/idx_example/prices/iob_absent'", 'an index idx_example'), stage: 10 },
  BACKFILL_CHUNK_INCOMPLETE: {
    ...command(
      'tidemark backfill --venue kalshi --from ... --to ...',
      'a venue that sends answers which cannot be read',
    ),
    stage: null,
  },
  SCHEDULE_NOT_FOUND: {
    ...command('tidemark schedules trigger absent', 'a `tidemark up` that works through Temporal'),
    stage: null,
  },
  SCHEDULE_PAUSED: {
    ...command('tidemark schedules trigger publish-tick', 'a schedule that somebody has paused'),
    stage: null,
  },
  WAREHOUSE_NOT_FOUND: { ...command('tidemark tables --warehouse absent'), stage: null },
  WAREHOUSE_CORRUPT: { ...http(`'${INDEX_PRICES}'`, 'a data file that was changed behind the service'), stage: 14 },
  WAREHOUSE_BUSY: {
    ...command('tidemark import forecastbench archive/', 'other writers that win every commit'),
    stage: null,
  },
  WAREHOUSE_CLOCK_SKEW: {
    ...command('tidemark import forecastbench archive/', 'a clock more than one second off'),
    stage: null,
  },
  WAREHOUSE_STORE_UNSUITABLE: {
    ...command('tidemark import forecastbench archive/', 'a file system without hard links'),
    stage: null,
  },
  WAREHOUSE_SCHEMA_CHANGED: { ...command('tidemark tables', 'a warehouse of another version'), stage: null },
  WAREHOUSE_STORE_FULL: { ...command('tidemark import forecastbench archive/', 'a full disk'), stage: null },
  BACKUP_NOT_FOUND: { ...command('tidemark restore /backups --home new', 'an empty folder'), stage: null },
  BACKUP_CORRUPT: { ...command('tidemark restore /backups --check', 'a file that was altered'), stage: null },
  BACKUP_UNSUPPORTED: {
    ...command('tidemark restore /backups --home new', 'a backup of a later release'),
    stage: null,
  },
  VENUE_UNAVAILABLE: { ...command('tidemark backfill --venue kalshi', 'a venue that does not answer'), stage: null },
  VENUE_ANSWER_REFUSED: {
    ...command('tidemark backfill --venue kalshi', 'a venue that answers with an error'),
    stage: null,
  },
  ...TRADING_ERROR_GUIDE,
  PROOF_PENDING: { ...http(`'${INDEX_PRICES}/iob_example/proof'`, 'a level of the last minute'), stage: 14 },
  PROOF_INVALID: { ...command('tidemark verify receipt receipt.json', 'a receipt that was altered'), stage: null },
  LOG_NOT_FOUND: { ...http("'/log/checkpoint'", 'a warehouse without a log'), stage: 14 },
  LOG_CORRUPT: { ...http(`'${INDEX_PRICES}/iob_example/proof'`, 'a bit flipped in a tile'), stage: 14 },
  INTERNAL_ERROR: { ...http("'/v1/time'", 'a bug'), stage: 14 },
}

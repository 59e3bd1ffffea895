-- Whether ticks of a part of a replay may be the first to see a quote record.
--
-- template {{counted_from}}  counted_from.sql
-- params   $quotes_after      TIMESTAMPTZ  rows that count from a later instant, or are about one
--          $quotes_until      TIMESTAMPTZ  rows about an instant before it
--          $whole_market_ids  VARCHAR[]    markets whose earlier rows are seen too
-- returns  BOOLEAN
source_at < $quotes_until::timestamptz
and (
  source_at > $quotes_after::timestamptz
  or {{counted_from}} > $quotes_after::timestamptz
  or market_id in (select unnest($whole_market_ids))
)

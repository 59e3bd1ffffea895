-- Whether a market is listed here.
-- params: $1 market_id.
-- returns: one row where it is
SELECT true AS found FROM trading.market WHERE market_id = $1

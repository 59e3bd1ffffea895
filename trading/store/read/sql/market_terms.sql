-- Terms of markets, which never change.
-- params: $1 market ids.
-- returns: market_id, terms
SELECT market_id, terms FROM trading.market WHERE market_id = ANY ($1)

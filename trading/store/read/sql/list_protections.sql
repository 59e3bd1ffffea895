-- Protections of an account in its markets, by market_id.
--
-- params   $1 account_id   $2 market_id, or null   $3 market_id of the last one before the page, or null   $4 rows
-- returns  columns of market_maker_protection, and quantity_scale of the market
SELECT p.*, (m.terms ->> 'quantity_scale')::integer AS quantity_scale
FROM trading.market_maker_protection p
JOIN trading.market m USING (market_id)
WHERE p.account_id = $1
  AND p.is_active
  AND ($2::text IS NULL OR p.market_id = $2)
  AND ($3::text IS NULL OR p.market_id > $3)
ORDER BY p.market_id
LIMIT $4

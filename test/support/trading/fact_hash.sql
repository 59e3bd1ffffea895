-- A hash over every order and one over every fill, all columns.
--
-- returns  orders, fills: how many; order_hash, fill_hash: of the hashes of the rows in the order of their ids
SELECT orders, fills, order_hash, fill_hash
FROM (
  SELECT count(*) AS orders, md5(coalesce(string_agg(md5(one::text), '' ORDER BY order_id), '')) AS order_hash FROM trading.orders AS one
) AS ordered
CROSS JOIN (
  SELECT count(*) AS fills, md5(coalesce(string_agg(md5(one::text), '' ORDER BY fill_id), '')) AS fill_hash FROM trading.fill AS one
) AS filled;

-- Adjustments of trades, as of each instant at which both sides of the trade were equal.
--
-- returns  nothing; it extends the schema trading with a view: trade_id, engine_sequence of the last adjustment of that instant,
--          quantity_delta of either side since the trade
-- rule     while adjustments leave the two sides unequal the house stands in for one, and the trade stays as it was when they
--          were last equal: of a trade, take the row with the highest engine_sequence up to the instant asked for
SET LOCAL search_path TO trading;

CREATE VIEW adjusted_trade AS
SELECT trade_id, engine_sequence, bought AS quantity_delta
FROM (
  SELECT f.trade_id, a.engine_sequence,
         coalesce(sum(a.quantity_delta) FILTER (WHERE f.side = 'BUY') OVER so_far, 0) AS bought,
         coalesce(sum(a.quantity_delta) FILTER (WHERE f.side = 'SELL') OVER so_far, 0) AS sold,
         coalesce(sum(a.notional_delta) FILTER (WHERE f.side = 'BUY') OVER so_far, 0) AS paid,
         coalesce(sum(a.notional_delta) FILTER (WHERE f.side = 'SELL') OVER so_far, 0) AS received
  FROM trading.adjustment AS a JOIN trading.fill AS f USING (fill_id)
  WINDOW so_far AS (PARTITION BY f.trade_id ORDER BY a.engine_sequence)
) AS run
WHERE bought = sold AND paid = received;

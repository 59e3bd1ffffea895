-- Complementary markets: the orders of both outcomes meet on one ladder, and a match makes, moves or destroys sets.
--
-- returns  nothing; it extends the schema trading
-- rule     null: of a market whose outcomes have books of their own, or from before
SET LOCAL search_path TO trading;

-- The part of the canceled quantity that was cut off after acceptance, because it would no longer have reduced the position.
ALTER TABLE orders ADD COLUMN trimmed_quantity bigint;

ALTER TABLE trade
  -- [{match_kind: merge, transfer or mint; outcome_id of a transfer, else null; quantity}]
  ADD COLUMN segments json;

ALTER TABLE fill
  ADD COLUMN segments        json,
  -- The part that closed a holding, and its part of the fee.
  ADD COLUMN closed_quantity bigint,
  ADD COLUMN closing_fee     bigint;

-- Kinds set_mint and set_merge are of the pool of a market: the sets that one match made or destroyed.
ALTER TABLE settlement
  ADD COLUMN closed_quantity bigint,
  ADD COLUMN closing_fee     bigint,
  -- What the confirmation takes from the account, and what it gives to it.
  ADD COLUMN debit_amount    bigint,
  ADD COLUMN credit_amount   bigint,
  -- Those of its fill.
  ADD COLUMN segments        json;

-- The two sides of a trade may be in different outcomes: a side in the other one is read as the opposite side of the trade's outcome,
-- at 1 less its price.
CREATE OR REPLACE VIEW adjusted_trade AS
SELECT trade_id, engine_sequence, bought AS quantity_delta
FROM (
  SELECT trade_id, engine_sequence,
         coalesce(sum(quantity_delta) FILTER (WHERE side = 'BUY') OVER so_far, 0) AS bought,
         coalesce(sum(quantity_delta) FILTER (WHERE side = 'SELL') OVER so_far, 0) AS sold,
         coalesce(sum(notional_delta) FILTER (WHERE side = 'BUY') OVER so_far, 0) AS paid,
         coalesce(sum(notional_delta) FILTER (WHERE side = 'SELL') OVER so_far, 0) AS received
  FROM (
    SELECT f.trade_id, a.engine_sequence, a.quantity_delta,
           CASE WHEN f.outcome_id = t.outcome_id THEN f.side WHEN f.side = 'BUY' THEN 'SELL' ELSE 'BUY' END AS side,
           CASE WHEN f.outcome_id = t.outcome_id THEN a.notional_delta
                ELSE a.quantity_delta * (m.terms ->> 'one')::bigint * (m.terms ->> 'unit')::bigint - a.notional_delta
           END AS notional_delta
    FROM trading.adjustment AS a
    JOIN trading.fill AS f USING (fill_id)
    JOIN trading.trade AS t USING (trade_id)
    JOIN trading.market AS m ON m.market_id = f.market_id
  ) AS on_one_outcome
  WINDOW so_far AS (PARTITION BY trade_id ORDER BY engine_sequence)
) AS run
WHERE bought = sold AND paid = received;

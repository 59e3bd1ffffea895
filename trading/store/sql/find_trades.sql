-- Trades of fills: the current state of each side, and the last published correction.
--
-- params   $1 text[] fill ids
-- returns  trade_id, market_id, outcome_id, price, quantity, aggressor_side, segments, at; sides [{fill_id, outcome_id, quantity, notional}], fills with
--          their adjustments; stated {record_id, revision, price, quantity, segments}, the last correction, or null
-- rule     the two fills of a trade are the two events after it; its corrections are found by the index engine_event_of_corrected
SELECT t.trade_id, t.market_id, t.outcome_id, t.price, t.quantity, t.aggressor_side, t.segments, t.at,
       (SELECT json_agg(json_build_object(
                 'fill_id', f.fill_id,
                 'outcome_id', f.outcome_id,
                 'quantity', f.quantity + coalesce(a.quantity, 0)::bigint,
                 'notional', f.notional + coalesce(a.notional, 0)::bigint) ORDER BY f.engine_sequence)
        FROM trading.fill f
        CROSS JOIN LATERAL (
          SELECT sum(quantity_delta) AS quantity, sum(notional_delta) AS notional FROM trading.adjustment WHERE fill_id = f.fill_id
        ) AS a
        WHERE f.fill_id IN (SELECT body ->> 'fill_id' FROM trading.engine_event
                            WHERE engine_sequence BETWEEN t.engine_sequence + 1 AND t.engine_sequence + 2)) AS sides,
       (SELECT json_build_object('record_id', e.body -> 'record_id', 'revision', e.body -> 'revision',
                                 'price', e.body -> 'price', 'segments', e.body -> 'segments',
                                 'quantity', CASE e.body ->> 'correction' WHEN 'void' THEN 0 ELSE (e.body ->> 'quantity')::bigint END)
        FROM trading.engine_event e
        WHERE e.kind = 'trade_correction' AND e.body ->> 'trade_id' = t.trade_id
        ORDER BY e.engine_sequence DESC
        LIMIT 1) AS stated
FROM trading.trade t
WHERE t.trade_id IN (SELECT trade_id FROM trading.fill WHERE fill_id = ANY ($1));

-- O11  Settlement never changes an order or a fill: each fill equals its event.
--
-- returns  subject, found, expected: one row per violation; none if it holds
SELECT fill_id AS subject,
       concat_ws(' ', fill.order_id, fill.side, price, quantity, notional, fee, uncovered_quantity, short_credit) AS found,
       concat_ws(' ', body->>'order_id', body->>'side', body->>'price', body->>'quantity', body->>'notional', body->>'fee',
         body->>'uncovered_quantity', body->>'short_credit') AS expected
FROM trading.fill JOIN trading.engine_event AS event USING (engine_sequence)
WHERE concat_ws(' ', fill.order_id, fill.account_id, fill.settlement_id, fill.side, price, quantity, notional, fee, uncovered_quantity,
        short_credit)
   <> concat_ws(' ', body->>'order_id', event.account_id, body->>'settlement_id', body->>'side', body->>'price', body->>'quantity',
        body->>'notional', body->>'fee', body->>'uncovered_quantity', body->>'short_credit');

-- What an account had in each bucket of some assets before an entry of each.
--
-- params   $1 account_id   $2 text[] asset ids   $3 boolean[] whether each is money   $4 bigint[] ledger_sequence, $5 integer[] line
--          and $6 bigint[] engine_sequence of the entry of each
-- returns  asset_id, bucket, amount; no row where it had nothing
-- rule     a batch publishes each balance and position that it changed once, at its end: the first such event after the entry, less
--          what the batch still booked from the entry on. However long the history, only that batch is read.
WITH published AS (
  SELECT asked.asset_id, asked.first_sequence, asked.first_line, e.body, batch.last_ledger_sequence
  FROM unnest($2::text[], $3::boolean[], $4::bigint[], $5::integer[], $6::bigint[])
       AS asked (asset_id, is_cash, first_sequence, first_line, engine_sequence)
  CROSS JOIN LATERAL (
    SELECT v.body, v.batch_sequence
    FROM trading.engine_event v
    WHERE v.account_id = $1
      AND v.kind = CASE WHEN asked.is_cash THEN 'balance' ELSE 'position' END
      AND v.engine_sequence > asked.engine_sequence
      AND coalesce(v.body ->> 'outcome_id', v.body ->> 'asset_id') = asked.asset_id
    ORDER BY v.engine_sequence
    LIMIT 1
  ) AS e
  JOIN trading.engine_batch AS batch USING (batch_sequence)
), ended AS (
  SELECT asset_id, bucket, amount
  FROM published
  CROSS JOIN LATERAL (
    VALUES
      ('available', (body ->> 'total')::bigint - (body ->> 'reserved')::bigint - (body ->> 'withdrawal_hold')::bigint
                      - (body ->> 'pending_settlement_debit')::bigint),
      ('reserved', (body ->> 'reserved')::bigint),
      ('withdrawal_hold', (body ->> 'withdrawal_hold')::bigint),
      ('pending_debit', (body ->> 'pending_settlement_debit')::bigint),
      ('pending_credit', (body ->> 'pending_settlement_credit')::bigint),
      ('settled', (body ->> 'settled_quantity')::bigint),
      ('unsettled', (body ->> 'net_quantity')::bigint - (body ->> 'settled_quantity')::bigint)
  ) AS part (bucket, amount)
  WHERE amount IS NOT NULL
  UNION ALL
  SELECT published.asset_id, later.bucket, -later.amount
  FROM published
  CROSS JOIN LATERAL (
    SELECT bucket, amount
    FROM trading.ledger_entry
    WHERE hashtext(account_id || ' ' || asset_id) = hashtext($1 || ' ' || published.asset_id)
      AND account_id = $1 AND asset_id = published.asset_id
      AND ledger_sequence >= published.first_sequence AND ledger_sequence <= published.last_ledger_sequence
      AND (ledger_sequence > published.first_sequence OR line >= published.first_line)
  ) AS later
)
SELECT asset_id, bucket, sum(amount)::bigint AS amount
FROM ended
GROUP BY asset_id, bucket
HAVING sum(amount) <> 0
